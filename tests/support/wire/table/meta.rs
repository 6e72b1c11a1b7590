//! `_meta` by its position.

use super::{
    ANY_OBJECT, Member, Object, OtherKeys, Shape, TEXT, capability, member, notification, object,
};
use crate::wire::format::ID;

pub(crate) const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(crate) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
const IMMEDIATE_RESPONSE: &str = "io.modelcontextprotocol/model-immediate-response";

/// On requests.
pub(crate) const ON_REQUEST: Member = member("_meta", b"ooooR", Shape::Object(&REQUEST));
/// On requests that the client answers and that revision 2026-07-28 embeds.
pub(crate) const ON_EMBEDDED: Member = member("_meta", b"oooo.", Shape::Object(&REQUEST));
/// On results of the server.
pub(crate) const ON_RESULT: Member = member("_meta", b"ooooR", Shape::Object(&RESULT));
/// On results of the client.
pub(crate) const ON_CLIENT_RESULT: Member = member("_meta", b"oooo.", Shape::Object(&PLAIN));
/// On notifications that never belong to a listen stream.
pub(crate) const ON_NOTIFICATION: Member = member("_meta", b"ooooo", Shape::Object(&PLAIN));
/// On notifications that revision 2026-07-28 sends on a listen stream only.
pub(crate) const ON_DELIVERY: Member = member("_meta", b"ooooR", Shape::Object(&DELIVERY));
/// On tools, prompts, resources, content blocks and roots.
pub(crate) const ON_ITEM: Member = member("_meta", b"..ooo", Shape::Object(&PLAIN));
/// On the sampling types added in 2025-11-25.
pub(crate) const ON_SAMPLING_ITEM: Member = member("_meta", b"...oo", Shape::Object(&PLAIN));

static REQUEST: Object = object(
    "RequestMetaObject",
    &[
        member("progressToken", b"ooooo", ID),
        member(RELATED_TASK, b"...o.", Shape::Object(&TASK)),
        member(PROTOCOL_VERSION, b"....R", TEXT),
        member(
            CLIENT_CAPABILITIES,
            b"....R",
            Shape::Object(&capability::CLIENT),
        ),
        member(
            CLIENT_INFO,
            b"....o",
            Shape::Object(&capability::IMPLEMENTATION),
        ),
        member(LOG_LEVEL, b"....o", notification::LEVEL),
    ],
)
.with_other_keys(OtherKeys::MetaKeys);

static RESULT: Object = object(
    "ResultMetaObject",
    &[
        member(RELATED_TASK, b"...o.", Shape::Object(&TASK)),
        member(IMMEDIATE_RESPONSE, b"...o.", TEXT),
        member(
            SERVER_INFO,
            b"....R",
            Shape::Object(&capability::IMPLEMENTATION),
        ),
    ],
)
.with_other_keys(OtherKeys::MetaKeys);

pub(crate) static LISTEN_RESULT: Object = object(
    "SubscriptionsListenResultMetaObject",
    &[member(SUBSCRIPTION_ID, b"....R", ID)],
)
.extends(&RESULT)
.with_other_keys(OtherKeys::MetaKeys);

static PLAIN: Object = object(
    "MetaObject",
    &[member(RELATED_TASK, b"...o.", Shape::Object(&TASK))],
)
.with_other_keys(OtherKeys::MetaKeys);

static DELIVERY: Object = object(
    "NotificationMetaObject",
    &[member(SUBSCRIPTION_ID, b"....R", ID)],
)
.extends(&PLAIN)
.with_other_keys(OtherKeys::MetaKeys);

/// A server cancels a listen stream, a client any of its requests.
pub(crate) static CANCELLATION: Object = object(
    "NotificationMetaObject",
    &[member(SUBSCRIPTION_ID, b"....o", ID)],
)
.extends(&PLAIN)
.with_other_keys(OtherKeys::MetaKeys);

pub(crate) static PAYLOAD: Object = object(
    "MetaObject",
    &[member(RELATED_TASK, b"...R.", Shape::Object(&TASK))],
)
.with_other_keys(OtherKeys::MetaKeys);

static TASK: Object = object("RelatedTaskMetadata", &[member("taskId", b"...R.", TEXT)]);

/// Settings without a table.
pub(crate) const SETTINGS: Shape = Shape::Map(&ANY_OBJECT);

pub(crate) const PLAIN_SHAPE: Shape = Shape::Object(&PLAIN);
