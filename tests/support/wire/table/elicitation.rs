//! Elicitation.

use super::{BOOLEAN, Member, NUMBER, Object, Shape, TEXT, member, meta, object, task};
use crate::wire::format::{COUNT, FORM_VALUE, URI};

pub(crate) const PARAMS: Shape = Shape::Having(&[
    member("url", b"...oo", Shape::Object(&URL_PARAMS)),
    member("requestedSchema", b"..ooo", Shape::Object(&FORM_PARAMS)),
]);

static FORM_PARAMS: Object = object(
    "ElicitRequestFormParams",
    &[
        member("mode", b"...oo", Shape::Literal("form")),
        member("message", b"..RRR", TEXT),
        member("requestedSchema", b"..RRR", Shape::Object(&FORM)),
        task::AUGMENTED,
        meta::ON_EMBEDDED,
    ],
);

pub(crate) static URL_PARAMS: Object = object(
    "ElicitRequestURLParams",
    &[
        member("mode", b"...RR", Shape::Literal("url")),
        member("message", b"...RR", TEXT),
        member("url", b"...RR", URI),
        member("elicitationId", b"...R.", TEXT),
        task::AUGMENTED,
        meta::ON_EMBEDDED,
    ],
);

pub(crate) static RESULT: Object = object(
    "ElicitResult",
    &[
        member("action", b"..RRR", ACTION),
        member("content", b"..ooo", Shape::Map(&FORM_VALUE)),
        meta::ON_CLIENT_RESULT,
    ],
);

const ACTION: Shape = Shape::OneOf(&["accept", "decline", "cancel"]);

pub(crate) static COMPLETE: Object = object(
    "params",
    &[
        member("elicitationId", b"...R.", TEXT),
        meta::ON_NOTIFICATION,
    ],
);

static FORM: Object = object(
    "requestedSchema",
    &[
        member("$schema", b"...oo", TEXT),
        member("type", b"..RRR", Shape::Literal("object")),
        member("properties", b"..RRR", Shape::Map(&FIELD)),
        member("required", b"..ooo", Shape::List(&TEXT)),
    ],
);

const FIELD: Shape = Shape::Tagged(
    "type",
    &[
        member("string", b"..ooo", STRING),
        member("number", b"..ooo", Shape::Object(&NUMBER_FIELD)),
        member("integer", b"..ooo", Shape::Object(&NUMBER_FIELD)),
        member("boolean", b"..ooo", Shape::Object(&BOOLEAN_FIELD)),
        member("array", b"...oo", Shape::Object(&CHOICES_FIELD)),
    ],
);

const TYPE: Member = member("type", b"..RRR", TEXT);
const TITLE: Member = member("title", b"..ooo", TEXT);
const DESCRIPTION: Member = member("description", b"..ooo", TEXT);

const STRING: Shape = Shape::Having(&[
    member("enum", b"..ooo", Shape::Object(&ENUM_FIELD)),
    member("oneOf", b"...oo", Shape::Object(&TITLED_ENUM_FIELD)),
    member("type", b"..ooo", Shape::Object(&STRING_FIELD)),
]);

static STRING_FIELD: Object = object(
    "StringSchema",
    &[
        TYPE,
        TITLE,
        DESCRIPTION,
        member("minLength", b"..ooo", COUNT),
        member("maxLength", b"..ooo", COUNT),
        member("format", b"..ooo", FORMAT),
        member("default", b"...oo", TEXT),
    ],
);

static ENUM_FIELD: Object = object(
    "LegacyTitledEnumSchema",
    &[
        TYPE,
        TITLE,
        DESCRIPTION,
        member("enum", b"..RRR", Shape::List(&TEXT)),
        member("enumNames", b"..ooo", Shape::List(&TEXT)),
        member("default", b"...oo", TEXT),
    ],
);

static TITLED_ENUM_FIELD: Object = object(
    "TitledSingleSelectEnumSchema",
    &[
        TYPE,
        TITLE,
        DESCRIPTION,
        member("oneOf", b"...RR", Shape::Objects(&CHOICE)),
        member("default", b"...oo", TEXT),
    ],
);

const FORMAT: Shape = Shape::OneOf(&["email", "uri", "date", "date-time"]);

static NUMBER_FIELD: Object = object(
    "NumberSchema",
    &[
        TYPE,
        TITLE,
        DESCRIPTION,
        member("minimum", b"..ooo", NUMBER),
        member("maximum", b"..ooo", NUMBER),
        member("default", b"...oo", NUMBER),
    ],
);

static BOOLEAN_FIELD: Object = object(
    "BooleanSchema",
    &[
        TYPE,
        TITLE,
        DESCRIPTION,
        member("default", b"..ooo", BOOLEAN),
    ],
);

static CHOICES_FIELD: Object = object(
    "MultiSelectEnumSchema",
    &[
        TYPE,
        TITLE,
        DESCRIPTION,
        member("items", b"...RR", CHOICES),
        member("minItems", b"...oo", COUNT),
        member("maxItems", b"...oo", COUNT),
        member("default", b"...oo", Shape::List(&TEXT)),
    ],
);

const CHOICES: Shape = Shape::Having(&[
    member("enum", b"...oo", Shape::Object(&UNTITLED_CHOICES)),
    member("anyOf", b"...oo", Shape::Object(&TITLED_CHOICES)),
]);

static UNTITLED_CHOICES: Object = object(
    "items",
    &[
        member("type", b"...RR", Shape::Literal("string")),
        member("enum", b"...RR", Shape::List(&TEXT)),
    ],
);

static TITLED_CHOICES: Object = object(
    "items",
    &[member("anyOf", b"...RR", Shape::Objects(&CHOICE))],
);

static CHOICE: Object = object(
    "choice",
    &[
        member("const", b"...RR", TEXT),
        member("title", b"...RR", TEXT),
    ],
);
