//! Members of all results, all cacheable results and all lists.

use super::{Member, Object, OtherKeys, Shape, TEXT, member, meta, object};
use crate::wire::format::COUNT;

pub(crate) const COMPLETE: Member = member("resultType", b"....R", Shape::Literal("complete"));
const TTL: Member = member("ttlMs", b"....R", COUNT);
const SCOPE: Member = member("cacheScope", b"....R", Shape::OneOf(&["public", "private"]));
const NEXT_CURSOR: Member = member("nextCursor", b"ooooo", TEXT);

pub(crate) static RESULT: Object = object("EmptyResult", &[COMPLETE, meta::ON_RESULT]);

pub(crate) static CACHEABLE_RESULT: Object =
    object("CacheableResult", &[COMPLETE, meta::ON_RESULT, TTL, SCOPE]);

pub(crate) static LIST_RESULT: Object = object(
    "PaginatedResult",
    &[COMPLETE, meta::ON_RESULT, TTL, SCOPE, NEXT_CURSOR],
);

/// The result of a custom method.
pub(crate) static CUSTOM_RESULT: Object = object(
    "Result",
    &[
        member("resultType", b"oooo.", Shape::Any),
        member("resultType", b"....R", TEXT),
        meta::ON_RESULT,
    ],
)
.with_other_keys(OtherKeys::Allowed);

pub(crate) static NO_PARAMS: Object = object("RequestParams", &[meta::ON_REQUEST]);

pub(crate) static LIST_PARAMS: Object = object(
    "PaginatedRequestParams",
    &[member("cursor", b"ooooo", TEXT), meta::ON_REQUEST],
);

/// Closes a listen stream.
pub(crate) static LISTEN_RESULT: Object = object(
    "SubscriptionsListenResult",
    &[
        COMPLETE,
        member("_meta", b"....R", Shape::Object(&meta::LISTEN_RESULT)),
    ],
);
