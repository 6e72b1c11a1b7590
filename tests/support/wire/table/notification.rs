//! Notifications, log levels and listen streams.

use super::{BOOLEAN, Member, NUMBER, Object, Shape, TEXT, member, meta, object, resource};
use crate::wire::format::ID;

pub(crate) const LEVELS: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];
pub(crate) const LEVEL: Shape = Shape::OneOf(&LEVELS);

pub(crate) static NO_PARAMS: Object = object("NotificationParams", &[meta::ON_NOTIFICATION]);

/// For the three `list_changed` notifications of a server.
pub(crate) static LIST_CHANGED: Object = object("NotificationParams", &[meta::ON_DELIVERY]);

pub(crate) static RESOURCE_UPDATED: Object = object(
    "ResourceUpdatedNotificationParams",
    &[resource::URI_MEMBER, meta::ON_DELIVERY],
);

pub(crate) static PROGRESS: Object = object(
    "ProgressNotificationParams",
    &[
        member("progressToken", b"RRRRR", ID),
        member("progress", b"RRRRR", NUMBER),
        member("total", b"ooooo", NUMBER),
        member("message", b".oooo", TEXT),
        meta::ON_NOTIFICATION,
    ],
);

pub(crate) static CANCELLED: Object = object(
    "CancelledNotificationParams",
    &[
        member("requestId", b"RRR.R", ID),
        member("requestId", b"...o.", ID),
        member("reason", b"ooooo", TEXT),
        member("_meta", b"ooooo", Shape::Object(&meta::CANCELLATION)),
    ],
);

pub(crate) static LOG_MESSAGE: Object = object(
    "LoggingMessageNotificationParams",
    &[
        member("level", b"RRRRR", LEVEL),
        member("logger", b"ooooo", TEXT),
        member("data", b"RRRRR", Shape::Any),
        meta::ON_NOTIFICATION,
    ],
);

pub(crate) static SET_LEVEL_PARAMS: Object = object(
    "SetLevelRequestParams",
    &[member("level", b"RRRR.", LEVEL), meta::ON_REQUEST],
);

pub(crate) static LISTEN_PARAMS: Object = object(
    "SubscriptionsListenRequestParams",
    &[FILTERED, meta::ON_REQUEST],
);

pub(crate) static ACKNOWLEDGED: Object = object(
    "SubscriptionsAcknowledgedNotificationParams",
    &[FILTERED, meta::ON_DELIVERY],
);

const FILTERED: Member = member("notifications", b"....R", Shape::Object(&FILTER));

static FILTER: Object = object(
    "SubscriptionFilter",
    &[
        member("toolsListChanged", b"....o", BOOLEAN),
        member("promptsListChanged", b"....o", BOOLEAN),
        member("resourcesListChanged", b"....o", BOOLEAN),
        member("resourceSubscriptions", b"....o", Shape::List(&TEXT)),
        // From the tasks extension.
        member("taskIds", b"....o", Shape::List(&TEXT)),
    ],
);
