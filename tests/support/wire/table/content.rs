//! Content blocks, resource contents, annotations and icons.

use serde_json::{Map, Value};

use super::{Member, Object, Shape, TEXT, member, meta, object, resource};
use crate::wire::{
    Rule,
    check::Checker,
    format::{BASE64, FRACTION, TIMESTAMP, URI},
};

/// Content of tool results and prompts.
pub(crate) const BLOCK: Shape = Shape::Tagged(
    "type",
    &[
        member("text", b"ooooo", Shape::Object(&TEXT_BLOCK)),
        member("image", b"ooooo", Shape::Object(&IMAGE_BLOCK)),
        member("audio", b".oooo", Shape::Object(&AUDIO_BLOCK)),
        member("resource", b"ooooo", Shape::Object(&EMBEDDED_RESOURCE)),
        member("resource_link", b"..ooo", Shape::Object(&RESOURCE_LINK)),
    ],
);

pub(crate) const ANNOTATED: Member = member("annotations", b"ooooo", Shape::Object(&ANNOTATIONS));
pub(crate) const ICONS: Member = member("icons", b"...oo", Shape::Objects(&ICON));
pub(crate) const ROLE: Shape = Shape::OneOf(&["user", "assistant"]);

const TYPE: Member = member("type", b"RRRRR", TEXT);

pub(crate) static TEXT_BLOCK: Object = object(
    "TextContent",
    &[
        TYPE,
        member("text", b"RRRRR", TEXT),
        ANNOTATED,
        meta::ON_ITEM,
    ],
);

pub(crate) static IMAGE_BLOCK: Object = object(
    "ImageContent",
    &[
        TYPE,
        member("data", b"RRRRR", BASE64),
        member("mimeType", b"RRRRR", TEXT),
        ANNOTATED,
        meta::ON_ITEM,
    ],
);

pub(crate) static AUDIO_BLOCK: Object = object(
    "AudioContent",
    &[
        TYPE,
        member("data", b".RRRR", BASE64),
        member("mimeType", b".RRRR", TEXT),
        ANNOTATED,
        meta::ON_ITEM,
    ],
);

static EMBEDDED_RESOURCE: Object = object(
    "EmbeddedResource",
    &[
        TYPE,
        member("resource", b"RRRRR", Shape::Object(&RESOURCE_CONTENTS)),
        ANNOTATED,
        meta::ON_ITEM,
    ],
);

static RESOURCE_LINK: Object = object("ResourceLink", &[TYPE]).extends(&resource::RESOURCE);

pub(crate) static RESOURCE_CONTENTS: Object = object(
    "ResourceContents",
    &[
        member("uri", b"RRRRR", URI),
        member("mimeType", b"ooooo", TEXT),
        member("text", b"ooooo", TEXT),
        member("blob", b"ooooo", BASE64),
        meta::ON_ITEM,
    ],
)
.with_rule(either_text_or_blob);

static ANNOTATIONS: Object = object(
    "Annotations",
    &[
        member("audience", b"ooooo", Shape::List(&ROLE)),
        member("priority", b"ooooo", FRACTION),
        member("lastModified", b"..ooo", TIMESTAMP),
    ],
);

static ICON: Object = object(
    "Icon",
    &[
        member("src", b"...RR", URI),
        member("mimeType", b"...oo", TEXT),
        member("sizes", b"...oo", Shape::List(&TEXT)),
        member("theme", b"...oo", Shape::OneOf(&["light", "dark"])),
    ],
);

fn either_text_or_blob(contents: &Map<String, Value>, checker: &mut Checker) {
    let given = ["text", "blob"].map(|key| contents.contains_key(key));
    match given {
        [false, false] => checker.report(Rule::Required, "has neither `text` nor `blob`"),
        [true, true] => checker.report(Rule::Forbidden, "has both `text` and `blob`"),
        _ => {}
    }
}
