//! Results that request input from the client, and the roots of a client.

use serde_json::{Map, Value};

use super::{Member, Object, Shape, TEXT, elicitation, member, meta, object, sampling};
use crate::wire::{Rule, check::Checker, format::FILE_URI};

pub(crate) static REQUIRED_RESULT: Object = object(
    "InputRequiredResult",
    &[
        member("resultType", b"....R", Shape::Literal("input_required")),
        member("inputRequests", b"....o", REQUESTS),
        STATE,
        meta::ON_RESULT,
    ],
)
.with_rule(has_input_requests_or_state);

/// Requests without `jsonrpc` and `id`, by key.
pub(crate) const REQUESTS: Shape = Shape::Map(&Shape::Tagged(
    "method",
    &[
        member(
            "elicitation/create",
            b"....o",
            Shape::Object(&EMBEDDED_ELICITATION),
        ),
        member(
            "sampling/createMessage",
            b"....o",
            Shape::Object(&EMBEDDED_SAMPLING),
        ),
        member("roots/list", b"....o", Shape::Object(&EMBEDDED_ROOTS)),
    ],
));

pub(crate) const RESPONSES: Member = member("inputResponses", b"....o", RESPONSE_MAP);
pub(crate) const STATE: Member = member("requestState", b"....o", TEXT);

/// Bare results of the embedded requests, by key.
pub(crate) const RESPONSE_MAP: Shape = Shape::Map(&Shape::Having(&[
    member("action", b"....o", Shape::Object(&elicitation::RESULT)),
    member("roots", b"....o", Shape::Object(&LIST_ROOTS_RESULT)),
    member("role", b"....o", Shape::Object(&sampling::RESULT)),
]));

const METHOD: Member = member("method", b"....R", TEXT);

static EMBEDDED_ELICITATION: Object = object(
    "ElicitRequest",
    &[METHOD, member("params", b"....R", elicitation::PARAMS)],
);

static EMBEDDED_SAMPLING: Object = object(
    "CreateMessageRequest",
    &[
        METHOD,
        member("params", b"....R", Shape::Object(&sampling::PARAMS)),
    ],
);

static EMBEDDED_ROOTS: Object = object(
    "ListRootsRequest",
    &[
        METHOD,
        member("params", b"....o", Shape::Object(&ROOTS_PARAMS)),
    ],
);

static ROOTS_PARAMS: Object = object("params", &[meta::ON_ITEM]);

pub(crate) static LIST_ROOTS_PARAMS: Object = object("RequestParams", &[meta::ON_EMBEDDED]);

pub(crate) static LIST_ROOTS_RESULT: Object = object(
    "ListRootsResult",
    &[
        member("roots", b"RRRRR", Shape::Objects(&ROOT)),
        meta::ON_CLIENT_RESULT,
    ],
);

static ROOT: Object = object(
    "Root",
    &[
        member("uri", b"RRRRR", FILE_URI),
        member("name", b"ooooo", TEXT),
        meta::ON_ITEM,
    ],
);

fn has_input_requests_or_state(result: &Map<String, Value>, checker: &mut Checker) {
    let asks = result
        .get("inputRequests")
        .and_then(Value::as_object)
        .is_some_and(|requests| !requests.is_empty());
    if !asks && !result.contains_key("requestState") {
        checker.report(
            Rule::Required,
            "has neither `inputRequests` nor `requestState`",
        );
    }
}
