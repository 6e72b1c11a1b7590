//! JSON-RPC messages and error codes.

use super::{ANY_OBJECT, Member, Object, Shape, TEXT, capability, elicitation, member, object};
use crate::wire::{
    Revision,
    format::{ID, INTEGER, URI},
};

const VERSION: Member = member("jsonrpc", b"RRRRR", Shape::Literal("2.0"));

pub(crate) static REQUEST: Object = object(
    "JSONRPCRequest",
    &[
        VERSION,
        member("id", b"RRRRR", ID),
        member("method", b"RRRRR", TEXT),
        member("params", b"ooooo", ANY_OBJECT),
    ],
);

pub(crate) static NOTIFICATION: Object = object(
    "JSONRPCNotification",
    &[
        VERSION,
        member("method", b"RRRRR", TEXT),
        member("params", b"ooooo", ANY_OBJECT),
    ],
);

pub(crate) static RESULT_RESPONSE: Object = object(
    "JSONRPCResultResponse",
    &[
        VERSION,
        member("id", b"RRRRR", ID),
        member("result", b"RRRRR", ANY_OBJECT),
    ],
);

/// The id is missing only for the codes that allow it.
pub(crate) static ERROR_RESPONSE: Object = object(
    "JSONRPCErrorResponse",
    &[
        VERSION,
        member("id", b"ooooo", ID),
        member("error", b"RRRRR", Shape::Object(&ERROR)),
    ],
);

pub(crate) static ERROR: Object = object(
    "Error",
    &[
        member("code", b"RRRRR", INTEGER),
        member("message", b"RRRRR", TEXT),
        member("data", b"ooooo", Shape::Any),
    ],
);

/// One error code.
#[derive(Debug)]
pub(crate) struct ErrorCode {
    pub(crate) code: i64,
    /// The definition in the official schemas, with the revisions that have
    /// the code.
    pub(crate) row: Member,
    /// `data` of the error.
    pub(crate) data: Member,
    /// Whether the error may lack an id because it cannot be known.
    pub(crate) id: Id,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Id {
    Needed,
    MayLack,
}

const fn code(code: i64, name: &'static str, columns: &[u8; 5], id: Id, data: Member) -> ErrorCode {
    let row = member(name, columns, Shape::Any);
    ErrorCode {
        code,
        row,
        data,
        id,
    }
}

pub(crate) static CODES: [ErrorCode; 10] = [
    code(-32700, "ParseError", b"ooooo", Id::MayLack, ANY_DATA),
    code(
        -32600,
        "InvalidRequestError",
        b"ooooo",
        Id::MayLack,
        ANY_DATA,
    ),
    code(
        -32601,
        "MethodNotFoundError",
        b"ooooo",
        Id::Needed,
        ANY_DATA,
    ),
    code(-32602, "InvalidParamsError", b"ooooo", Id::Needed, ANY_DATA),
    code(-32603, "InternalError", b"ooooo", Id::Needed, ANY_DATA),
    code(
        -32002,
        "ResourceNotFoundError",
        b"oooo.",
        Id::Needed,
        RESOURCE_DATA,
    ),
    code(
        -32042,
        "URLElicitationRequiredError",
        b"...o.",
        Id::Needed,
        ELICITATION_DATA,
    ),
    code(
        -32020,
        "HeaderMismatchError",
        b"....o",
        Id::MayLack,
        ANY_DATA,
    ),
    code(
        -32021,
        "MissingRequiredClientCapabilityError",
        b"....o",
        Id::Needed,
        CAPABILITY_DATA,
    ),
    code(
        -32022,
        "UnsupportedProtocolVersionError",
        b"....o",
        Id::MayLack,
        VERSION_DATA,
    ),
];

/// The codes that JSON-RPC and the protocol reserve.
///
/// Applications use codes outside of this range.
pub(crate) const RESERVED: std::ops::RangeInclusive<i64> = -32768..=-32000;

/// The methods that can fail because a resource is missing.
pub(crate) const RESOURCE_METHODS: [&str; 3] = [
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
];

impl ErrorCode {
    pub(crate) fn find(code: i64) -> Option<&'static Self> {
        CODES.iter().find(|row| row.code == code)
    }

    pub(crate) fn exists(&self, revision: Revision) -> bool {
        self.row.exists(revision)
    }
}

const ANY_DATA: Member = member("data", b"ooooo", Shape::Any);
const RESOURCE_DATA: Member = member("data", b"oooo.", Shape::Object(&RESOURCE));
const ELICITATION_DATA: Member = member("data", b"...R.", Shape::Object(&ELICITATIONS));
const CAPABILITY_DATA: Member = member("data", b"....R", Shape::Object(&CAPABILITIES));
const VERSION_DATA: Member = member("data", b"....R", Shape::Object(&VERSIONS));

static RESOURCE: Object = object("data", &[member("uri", b"RRRR.", URI)]);

static ELICITATIONS: Object = object(
    "data",
    &[member(
        "elicitations",
        b"...R.",
        Shape::Objects(&elicitation::URL_PARAMS),
    )],
);

static CAPABILITIES: Object = object(
    "data",
    &[member(
        "requiredCapabilities",
        b"....R",
        Shape::Object(&capability::CLIENT),
    )],
);

static VERSIONS: Object = object(
    "data",
    &[
        member("supported", b"....R", Shape::List(&TEXT)),
        member("requested", b"....R", TEXT),
    ],
);
