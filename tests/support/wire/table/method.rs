//! Every method and notification, by revision and direction.
//!
//! The columns are those of the other tables; the marks name the sender:
//!
//! | mark | sent |
//! |---|---|
//! | `c` | by the client |
//! | `s` | by the server |
//! | `b` | by both |
//! | `e` | by the server, embedded in a result that requests input |
//! | `.` | by neither |

use super::{
    Member, Object, Shape, capability, completion, elicitation, input, member, notification,
    prompt, resource, result, sampling, task, tool,
};
use crate::wire::Revision;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sender {
    Client,
    Server,
}

#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) name: &'static str,
    senders: &'static [u8; 5],
    /// The capability of the receiver of a request, or of the sender of a
    /// notification, without which the message must not be sent.
    pub(crate) capability: &'static str,
    pub(crate) params: Shape,
    /// By `resultType`, which legacy results do not have.
    pub(crate) results: &'static [Member],
}

impl Method {
    pub(crate) fn is_sent(&self, sender: Sender, revision: Revision) -> bool {
        let mark = self.senders[revision as usize];
        mark == b'b'
            || mark
                == match sender {
                    Sender::Client => b'c',
                    Sender::Server => b's',
                }
    }

    /// The row for the sender and revision, or else any row with this name.
    pub(crate) fn find(name: &str, sender: Sender, revision: Revision) -> Option<&'static Self> {
        let rows = || METHODS.iter().filter(|row| row.name == name);
        rows()
            .find(|row| row.is_sent(sender, revision))
            .or_else(|| rows().next())
    }

    /// The kind of result, if the method can have it.
    pub(crate) fn arm(&self, kind: &str, revision: Revision) -> Option<&'static Member> {
        let mut arms = self.results.iter();
        arms.find(|arm| arm.name == kind && arm.exists(revision))
    }

    /// Whether the request is only embedded in results.
    pub(crate) fn is_embedded(&self, revision: Revision) -> bool {
        self.senders[revision as usize] == b'e'
    }

    pub(crate) fn needs_params(&self, revision: Revision) -> bool {
        match self.params {
            Shape::Object(object) => object.needs_members(revision),
            _ => true,
        }
    }
}

const fn row(
    name: &'static str,
    senders: &'static [u8; 5],
    capability: &'static str,
    params: Shape,
    results: &'static [Member],
) -> Method {
    Method {
        name,
        senders,
        capability,
        params,
        results,
    }
}

const fn complete(result: &'static Object) -> Member {
    member("complete", b"ooooo", Shape::Object(result))
}

const fn of(params: &'static Object) -> Shape {
    Shape::Object(params)
}

const INPUT: Member = member(
    "input_required",
    b"....o",
    Shape::Object(&input::REQUIRED_RESULT),
);
const NESTED_TASK: Member = member("task", b"...o.", Shape::Object(&task::CREATE_NESTED_RESULT));
const FLAT_TASK: Member = member("task", b"....o", Shape::Object(&task::CREATE_FLAT_RESULT));
const NO_RESULT: &[Member] = &[];
const EMPTY: &[Member] = &[complete(&result::RESULT)];

#[rustfmt::skip]
pub(crate) static METHODS: &[Method] = &[
    row("initialize", b"cccc.", "", of(&capability::INITIALIZE_PARAMS), &[complete(&capability::INITIALIZE_RESULT)]),
    row("server/discover", b"....c", "", of(&result::NO_PARAMS), &[complete(&capability::DISCOVER_RESULT)]),
    row("ping", b"bbbb.", "", of(&result::NO_PARAMS), EMPTY),
    row("tools/list", b"ccccc", "tools", of(&result::LIST_PARAMS), &[complete(&tool::LIST_RESULT)]),
    row("tools/call", b"ccccc", "tools", of(&tool::CALL_PARAMS), &[complete(&tool::CALL_RESULT), INPUT, NESTED_TASK, FLAT_TASK]),
    row("resources/list", b"ccccc", "resources", of(&result::LIST_PARAMS), &[complete(&resource::LIST_RESULT)]),
    row("resources/templates/list", b"ccccc", "resources", of(&result::LIST_PARAMS), &[complete(&resource::LIST_TEMPLATES_RESULT)]),
    row("resources/read", b"ccccc", "resources", of(&resource::READ_PARAMS), &[complete(&resource::READ_RESULT), INPUT]),
    row("resources/subscribe", b"cccc.", "resources.subscribe", of(&resource::SUBSCRIBE_PARAMS), EMPTY),
    row("resources/unsubscribe", b"cccc.", "resources.subscribe", of(&resource::SUBSCRIBE_PARAMS), EMPTY),
    row("prompts/list", b"ccccc", "prompts", of(&result::LIST_PARAMS), &[complete(&prompt::LIST_RESULT)]),
    row("prompts/get", b"ccccc", "prompts", of(&prompt::GET_PARAMS), &[complete(&prompt::GET_RESULT), INPUT]),
    row("completion/complete", b"ccccc", "completions", of(&completion::PARAMS), &[complete(&completion::RESULT)]),
    row("logging/setLevel", b"cccc.", "logging", of(&notification::SET_LEVEL_PARAMS), EMPTY),
    row("subscriptions/listen", b"....c", "", of(&notification::LISTEN_PARAMS), &[complete(&result::LISTEN_RESULT)]),

    row("tasks/get", b"...bc", "tasks", of(&task::PARAMS), &[complete(&task::GET_RESULT)]),
    row("tasks/cancel", b"...b.", "tasks.cancel", of(&task::PARAMS), &[complete(&task::CANCEL_RESULT)]),
    row("tasks/cancel", b"....c", "", of(&task::PARAMS), EMPTY),
    row("tasks/update", b"....c", "", of(&task::UPDATE_PARAMS), EMPTY),
    row("tasks/result", b"...c.", "tasks", of(&task::PARAMS), &[complete(&task::TOOL_PAYLOAD_RESULT)]),
    row("tasks/result", b"...s.", "tasks", of(&task::PARAMS), &[complete(&task::CLIENT_PAYLOAD_RESULT)]),
    row("tasks/list", b"...b.", "tasks.list", of(&result::LIST_PARAMS), &[complete(&task::LIST_RESULT)]),

    row("sampling/createMessage", b"sssse", "sampling", of(&sampling::PARAMS), &[complete(&sampling::RESULT), NESTED_TASK]),
    row("roots/list", b"sssse", "roots", of(&input::LIST_ROOTS_PARAMS), &[complete(&input::LIST_ROOTS_RESULT)]),
    row("elicitation/create", b"..sse", "elicitation", elicitation::PARAMS, &[complete(&elicitation::RESULT), NESTED_TASK]),

    row("notifications/initialized", b"cccc.", "", of(&notification::NO_PARAMS), NO_RESULT),
    row("notifications/cancelled", b"bbbbb", "", of(&notification::CANCELLED), NO_RESULT),
    row("notifications/progress", b"bbbbs", "", of(&notification::PROGRESS), NO_RESULT),
    row("notifications/message", b"sssss", "logging", of(&notification::LOG_MESSAGE), NO_RESULT),
    row("notifications/tools/list_changed", b"sssss", "tools.listChanged", of(&notification::LIST_CHANGED), NO_RESULT),
    row("notifications/prompts/list_changed", b"sssss", "prompts.listChanged", of(&notification::LIST_CHANGED), NO_RESULT),
    row("notifications/resources/list_changed", b"sssss", "resources.listChanged", of(&notification::LIST_CHANGED), NO_RESULT),
    row("notifications/resources/updated", b"sssss", "resources.subscribe", of(&notification::RESOURCE_UPDATED), NO_RESULT),
    row("notifications/roots/list_changed", b"cccc.", "roots.listChanged", of(&notification::NO_PARAMS), NO_RESULT),
    row("notifications/elicitation/complete", b"...s.", "", of(&elicitation::COMPLETE), NO_RESULT),
    row("notifications/tasks/status", b"...b.", "tasks", of(&task::STATUS_NOTIFICATION), NO_RESULT),
    row("notifications/subscriptions/acknowledged", b"....s", "", of(&notification::ACKNOWLEDGED), NO_RESULT),
    row("notifications/tasks", b"....s", "", of(&task::DETAILED_NOTIFICATION), NO_RESULT),
];
