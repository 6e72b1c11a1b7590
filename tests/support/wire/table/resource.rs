//! Resources, their templates, lists and contents.

use super::{
    Member, Object, Shape, TEXT,
    content::{ANNOTATED, ICONS, RESOURCE_CONTENTS},
    input, member, meta, object, result,
};
use crate::wire::format::{COUNT, URI};

pub(crate) static RESOURCE: Object = object(
    "Resource",
    &[
        member("uri", b"RRRRR", URI),
        member("name", b"RRRRR", TEXT),
        member("title", b"..ooo", TEXT),
        member("description", b"ooooo", TEXT),
        member("mimeType", b"ooooo", TEXT),
        member("size", b"ooooo", COUNT),
        ANNOTATED,
        ICONS,
        meta::ON_ITEM,
    ],
);

static TEMPLATE: Object = object(
    "ResourceTemplate",
    &[
        member("uriTemplate", b"RRRRR", TEXT),
        member("name", b"RRRRR", TEXT),
        member("title", b"..ooo", TEXT),
        member("description", b"ooooo", TEXT),
        member("mimeType", b"ooooo", TEXT),
        ANNOTATED,
        ICONS,
        meta::ON_ITEM,
    ],
);

pub(crate) static LIST_RESULT: Object = object(
    "ListResourcesResult",
    &[member("resources", b"RRRRR", Shape::Objects(&RESOURCE))],
)
.extends(&result::LIST_RESULT);

pub(crate) static LIST_TEMPLATES_RESULT: Object = object(
    "ListResourceTemplatesResult",
    &[member(
        "resourceTemplates",
        b"RRRRR",
        Shape::Objects(&TEMPLATE),
    )],
)
.extends(&result::LIST_RESULT);

pub(crate) static READ_PARAMS: Object = object(
    "ReadResourceRequestParams",
    &[URI_MEMBER, input::RESPONSES, input::STATE, meta::ON_REQUEST],
);

pub(crate) static READ_RESULT: Object = object(
    "ReadResourceResult",
    &[member(
        "contents",
        b"RRRRR",
        Shape::Objects(&RESOURCE_CONTENTS),
    )],
)
.extends(&result::CACHEABLE_RESULT);

/// Parameters of `resources/subscribe` and `resources/unsubscribe`.
pub(crate) static SUBSCRIBE_PARAMS: Object =
    object("SubscribeRequestParams", &[URI_MEMBER, meta::ON_REQUEST]);

pub(crate) const URI_MEMBER: Member = member("uri", b"RRRRR", URI);
