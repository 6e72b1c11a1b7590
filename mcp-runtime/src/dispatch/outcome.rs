use crate::call::Reply;
use crate::codec::Codec;
use crate::jsonrpc::{self, ErrorCode, ErrorObject, RequestId};
use crate::protocol::Revision;

/// The properties of a reply that a transport may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DispatchStatus {
    /// The error code of the reply, or `None` if the reply is a result. In a legacy revision, the
    /// encoded message can contain another code, such as [`ErrorCode::LEGACY_FORBIDDEN`].
    pub error: Option<ErrorCode>,
    /// Whether the request had a stateless protocol revision (2026-07-28).
    pub modern: bool,
}

/// The reply of a [`PendingCall`](super::PendingCall).
#[derive(Clone, Debug)]
pub struct DispatchReply {
    /// The error code of the reply, and whether the request was stateless.
    pub status: DispatchStatus,
    /// The encoded reply.
    pub bytes: Vec<u8>,
}

impl DispatchReply {
    /// Returns the reply that `write` appends, or `None` if it appends nothing.
    pub(super) fn written(
        write: impl FnOnce(&mut Vec<u8>) -> Option<DispatchStatus>,
    ) -> Option<Self> {
        let mut bytes = Vec::new();
        write(&mut bytes).map(|status| Self { status, bytes })
    }
}

/// Appends the reply to a request to `out`.
pub(super) fn write_reply(
    out: &mut Vec<u8>,
    codec: &Codec,
    id: &RequestId,
    revision: Revision,
    reply: &Reply,
) -> DispatchStatus {
    let modern = revision.is_modern();
    match reply {
        Ok(payload) => {
            jsonrpc::write_result(out, id, |out| codec.write(out, revision, payload));
            let error = None;
            DispatchStatus { error, modern }
        }
        Err(error) => write_error(out, Some(id), error, modern),
    }
}

/// Appends an error response to `out`.
pub(super) fn write_error(
    out: &mut Vec<u8>,
    id: Option<&RequestId>,
    error: &ErrorObject,
    modern: bool,
) -> DispatchStatus {
    match error.code.for_legacy() {
        code if !modern && code != error.code => {
            let error = ErrorObject {
                code,
                ..error.clone()
            };
            jsonrpc::write_error(out, id, &error);
        }
        _ => jsonrpc::write_error(out, id, error),
    }
    let error = Some(error.code);
    DispatchStatus { error, modern }
}
