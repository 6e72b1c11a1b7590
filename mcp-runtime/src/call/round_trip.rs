//! Multi round-trip requests: a call ends with input requests, and a later call continues it with
//! the responses.
//!
//! Only the stateless protocol revisions use multi round-trip requests. In a session, the handler
//! waits for the responses.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use memchr::memmem::Finder;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use super::ServerContext;
use crate::clock::Clock;
use crate::context::{CallMemo, PendingInputRequests, RequestParts};
use crate::handler::PreparedCall;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{ClientCapabilities, JsonObject};
use crate::seal::{KeyRing, StateNonce, canonical, canonical_json, random_id};

/// The identity of a call. A sealed state is valid for one identity only.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallIdentity<'a> {
    pub(super) method: &'static str,
    /// The name of the tool or prompt, or the URI of the resource.
    pub(super) name: &'a str,
    pub(super) arguments: Option<&'a str>,
}

/// The data that is needed to seal the state of a handler that sends input requests.
#[derive(Debug)]
pub(super) struct RoundTrip {
    input_requests: Arc<PendingInputRequests>,
    keys: KeyRing,
    clock: Clock,
    binding: String,
    input_timeout: Duration,
}

/// The decrypted content of `requestState`.
#[derive(Serialize, Deserialize)]
struct SealedState {
    nonce: StateNonce,
    memo: CallMemo,
}

/// The parameters of a request that continues an earlier request.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RetryParams<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    input_responses: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    request_state: Option<&'a RawValue>,
}

/// Deserializes a member that is present, even if it is `null`. An absent member is `None`.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Restores the sealed state and the input responses from the parameters of a request
/// (specification of 2026-07-28, *Multi round-trip requests*).
///
/// # Errors
/// Returns an error if `inputResponses` is not an object or `requestState` is not valid for this
/// call.
pub(super) fn resume(
    server: &ServerContext,
    parts: &RequestParts<'_>,
    identity: CallIdentity<'_>,
    params: &str,
) -> Result<(), ErrorObject> {
    static RESPONSES: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("inputResponses"));
    static STATE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("requestState"));
    let contains = |word: &Finder<'_>| word.find(params.as_bytes()).is_some();
    if !parts.revision.is_modern() || !(contains(&RESPONSES) || contains(&STATE)) {
        return Ok(());
    }
    let retry: RetryParams<'_> = serde_json::from_str(params).unwrap_or_default();
    let responses = match retry.input_responses {
        None => JsonObject::new(),
        Some(json) => serde_json::from_str(json.get())
            .map_err(|_| ErrorObject::invalid_params("`inputResponses` must be an object"))?,
    };
    let (memo, nonce) = match retry.request_state {
        None => (CallMemo::default(), None),
        Some(state) => {
            let opened = open(server, &binding(server, parts, identity), state);
            let opened = opened.map(|SealedState { nonce, memo }| (memo, Some(nonce)));
            opened.ok_or_else(|| {
                ErrorObject::invalid_params(
                    "`requestState` was not issued for this request by this server, or has expired; \
                     make the request again without it",
                )
            })?
        }
    };
    parts.input_requests().resume(memo, responses, nonce);
    Ok(())
}

/// Consumes the nonce of the request's `requestState`, if the user has to confirm the call.
/// Otherwise a client could run the handler twice with one consent.
///
/// # Errors
/// Returns an error if the nonce was consumed before.
pub(super) fn consume_nonce(
    server: &ServerContext,
    parts: &RequestParts<'_>,
) -> Result<(), ErrorObject> {
    let nonce = parts.input_requests().take_nonce();
    if nonce.is_none_or(|nonce| server.replay_guard.try_use(nonce)) {
        return Ok(());
    }
    Err(ErrorObject::invalid_params(
        "`requestState` was used before, and consent is for one call; \
         make the request again without it",
    ))
}

/// Forbids input requests to a stateless client in a handler that is not `async`. Such a handler
/// cannot be dropped while it waits for a response.
pub(super) fn forbid_in_blocking<V: Send + 'static>(
    parts: &RequestParts<'_>,
    prepared: PreparedCall<V>,
) -> PreparedCall<V> {
    let Some(input_requests) = parts.handler_input_requests().map(Arc::clone) else {
        return prepared;
    };
    match prepared {
        PreparedCall::Inline(handler) => PreparedCall::inline(move || {
            input_requests.forbid_suspension();
            handler()
        }),
        PreparedCall::Blocking(handler) => PreparedCall::blocking(move || {
            input_requests.forbid_suspension();
            handler()
        }),
        PreparedCall::Future(_) => prepared,
    }
}

fn open(server: &ServerContext, binding: &str, state: &RawValue) -> Option<SealedState> {
    let state: String = serde_json::from_str(state.get()).ok()?;
    let opened = server.keys.open(binding, &state).ok()?;
    let sealed: SealedState = serde_json::from_slice(&opened).ok()?;
    (now(&server.clock) < sealed.nonce.until).then_some(sealed)
}

/// Returns the data that a sealed state is bound to: the server, the caller, the method, the name
/// and the arguments. They must be equal in a request and its continuation.
fn binding(server: &ServerContext, parts: &RequestParts<'_>, identity: CallIdentity<'_>) -> String {
    // Treat absent arguments, `null` and `{}` as equal.
    let arguments = identity.arguments.filter(|json| *json != "null");
    let arguments = canonical_json(arguments.unwrap_or("{}"));
    let CallIdentity { method, name, .. } = identity;
    let server_name = &*server.name;
    canonical(&json!([
        server_name,
        parts.principal_id(),
        method,
        name,
        arguments
    ]))
}

/// Returns the seconds since 1970. If the clock shows a time before 1970, returns `u64::MAX`, and
/// every state has expired.
fn now(clock: &Clock) -> u64 {
    let since = clock.since_epoch();
    since.map_or(u64::MAX, |since| since.as_secs())
}

impl RoundTrip {
    /// Creates the round trip of a call. Returns `None` if the handler cannot send input requests
    /// because it has no context, the request belongs to a session, or the keys are unusable.
    pub(super) fn new(
        server: &ServerContext,
        parts: &RequestParts<'_>,
        identity: CallIdentity<'_>,
    ) -> Option<Self> {
        let input_requests = parts.handler_input_requests()?;
        if !parts.revision.is_modern() || !server.keys.are_usable() {
            return None;
        }
        Some(Self {
            input_requests: Arc::clone(input_requests),
            keys: server.keys.clone(),
            clock: server.clock.clone(),
            binding: binding(server, parts, identity),
            input_timeout: parts.input_timeout,
        })
    }

    pub(super) fn input_requests(&self) -> &PendingInputRequests {
        &self.input_requests
    }

    /// Seals the memo as `requestState`. Returns `None` if the sealed state is too large.
    pub(super) fn seal(&self, memo: CallMemo) -> Option<String> {
        // `now` and `until` are whole seconds. Add one second for the rounding of each if the
        // timeout is not a whole number of seconds.
        let rounding = if self.input_timeout.subsec_nanos() > 0 {
            2
        } else {
            0
        };
        let input_timeout = self.input_timeout.as_secs().saturating_add(rounding);
        let until = now(&self.clock).saturating_add(input_timeout);
        let id = random_id()?;
        let nonce = StateNonce { until, id };
        let sealed = serde_json::to_vec(&SealedState { nonce, memo }).ok()?;
        self.keys.seal(&self.binding, &sealed)
    }

    /// Returns the protocol error if the handler failed because the client lacks a capability.
    pub(super) fn missing_capability(&self, detail: &str) -> Option<ErrorObject> {
        self.input_requests
            .missing_capabilities(detail)
            .map(missing_capability_error)
    }
}

fn missing_capability_error(required: ClientCapabilities) -> ErrorObject {
    ErrorObject::new(
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
        "the client has not declared a capability that this request needs",
    )
    .with_data(json!({ "requiredCapabilities": required }))
}
