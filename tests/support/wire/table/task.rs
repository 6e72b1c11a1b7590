//! Tasks: an experiment of 2025-11-25, an extension at 2026-07-28.

use serde_json::{Map, Value};

use super::{
    ANY_OBJECT, Member, Object, OtherKeys, Shape, TEXT, envelope, input, member, meta, object,
    result, tool,
};
use crate::wire::{
    Rule,
    check::Checker,
    format::{COUNT, TIMESTAMP},
};

/// Requests that the request be run as a task.
pub(crate) const AUGMENTED: Member = member("task", b"...o.", Shape::Object(&AUGMENTATION));

static AUGMENTATION: Object = object("TaskMetadata", &[member("ttl", b"...o.", COUNT)]);

static TASK: Object = object("Task", TASK_MEMBERS);

const TASK_MEMBERS: &[Member] = &[
    member("taskId", b"...RR", TEXT),
    member("status", b"...RR", STATUS),
    member("statusMessage", b"...oo", TEXT),
    member("createdAt", b"...RR", TIMESTAMP),
    member("lastUpdatedAt", b"...RR", TIMESTAMP),
    member("ttl", b"...R.", Shape::Nullable(&COUNT)),
    member("ttlMs", b"....R", Shape::Nullable(&COUNT)),
    member("pollInterval", b"...o.", COUNT),
    member("pollIntervalMs", b"....o", COUNT),
];

const STATUS: Shape = Shape::OneOf(&[
    "working",
    "input_required",
    "completed",
    "failed",
    "cancelled",
]);

/// Members of `tasks/get` and `notifications/tasks` beside the task itself.
const INPUT_REQUESTS: Member = member("inputRequests", b"....o", input::REQUESTS);
const OUTCOME: Member = member("result", b"....o", ANY_OBJECT);
const FAILURE: Member = member("error", b"....o", Shape::Object(&envelope::ERROR));

/// Parameters of every method that names one task.
pub(crate) static PARAMS: Object = object(
    "params",
    &[member("taskId", b"...RR", TEXT), meta::ON_REQUEST],
);

pub(crate) static UPDATE_PARAMS: Object = object(
    "params",
    &[
        member("taskId", b"....R", TEXT),
        member("inputResponses", b"....R", input::RESPONSE_MAP),
        meta::ON_REQUEST,
    ],
);

/// The nested creation result.
pub(crate) static CREATE_NESTED_RESULT: Object = object(
    "CreateTaskResult",
    &[
        member("task", b"...R.", Shape::Object(&TASK)),
        meta::ON_RESULT,
    ],
);

/// The flat creation result of the extension.
pub(crate) static CREATE_FLAT_RESULT: Object = object(
    "CreateTaskResult of the tasks extension",
    &[
        member("resultType", b"....R", Shape::Literal("task")),
        meta::ON_RESULT,
    ],
)
.extends(&TASK);

pub(crate) static GET_RESULT: Object = object(
    "GetTaskResult",
    &[
        result::COMPLETE,
        INPUT_REQUESTS,
        OUTCOME,
        FAILURE,
        meta::ON_RESULT,
    ],
)
.extends(&TASK)
.with_rule(details_fit_the_status);

pub(crate) static CANCEL_RESULT: Object =
    object("CancelTaskResult", &[meta::ON_RESULT]).extends(&TASK);

pub(crate) static LIST_RESULT: Object = object(
    "ListTasksResult",
    &[member("tasks", b"...R.", Shape::Objects(&TASK))],
)
.extends(&result::LIST_RESULT);

/// The result of the tool call that a server ran as a task.
pub(crate) static TOOL_PAYLOAD_RESULT: Object = object(
    "GetTaskPayloadResult",
    &[member("_meta", b"...R.", Shape::Object(&meta::PAYLOAD))],
)
.extends(&tool::CALL_OUTCOME);

/// The result of any request that a client ran as a task.
pub(crate) static CLIENT_PAYLOAD_RESULT: Object = object(
    "GetTaskPayloadResult",
    &[member("_meta", b"...R.", Shape::Object(&meta::PAYLOAD))],
)
.with_other_keys(OtherKeys::Allowed);

pub(crate) static STATUS_NOTIFICATION: Object =
    object("TaskStatusNotificationParams", &[meta::ON_NOTIFICATION]).extends(&TASK);

pub(crate) static DETAILED_NOTIFICATION: Object = object(
    "TaskStatusNotificationParams",
    &[INPUT_REQUESTS, OUTCOME, FAILURE, meta::ON_DELIVERY],
)
.extends(&TASK)
.with_rule(details_fit_the_status);

fn details_fit_the_status(task: &Map<String, Value>, checker: &mut Checker) {
    if checker.revision.is_legacy() {
        return;
    }
    let status = task.get("status").and_then(Value::as_str);
    let owners = [
        ("inputRequests", "input_required"),
        ("result", "completed"),
        ("error", "failed"),
    ];
    for (detail, owner) in owners {
        let rule = match (task.contains_key(detail), status == Some(owner)) {
            (true, false) => Rule::Forbidden,
            (false, true) => Rule::Required,
            _ => continue,
        };
        checker.report_at(
            &[detail],
            rule,
            format!("belongs to a task that is `{owner}`"),
        );
    }
}
