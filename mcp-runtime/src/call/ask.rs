//! A call that asks its client: how it ends with questions, and goes on with answers.
//!
//! Only revisions without sessions come here; in a session a body waits in place.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use memchr::memmem::Finder;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::Service;
use crate::clock::Clock;
use crate::context::{Asking, Memory, RequestScope};
use crate::handler::Body;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{ClientCapabilities, JsonObject};
use crate::seal::{Keys, Ticket, canonical, random_id};

/// What a call is for; a sealed state is good for nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purpose<'a> {
    pub(super) method: &'static str,
    /// The name, or the URI of a resource.
    pub(super) name: &'a str,
    pub(super) arguments: Option<&'a str>,
}

/// What a body that may ask is run with.
#[derive(Debug)]
pub(super) struct Questions {
    asking: Arc<Asking>,
    keys: Keys,
    clock: Clock,
    bound: String,
    patience: Duration,
}

/// What is sealed.
#[derive(Serialize, Deserialize)]
struct Sealed {
    ticket: Ticket,
    memory: Memory,
}

/// What a request brings that goes on with an earlier one.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Retry<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    input_responses: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    request_state: Option<&'a RawValue>,
}

/// Keeps `null`, which is malformed, apart from an absent member.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<&'a RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Takes earlier answers and new ones from the parameters of a request
/// (specification of 2026-07-28, *Multi round-trip requests*).
pub(super) fn resume(
    service: &Service,
    scope: &RequestScope<'_>,
    purpose: Purpose<'_>,
    params: &str,
) -> Result<(), ErrorObject> {
    static ANSWERS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("inputResponses"));
    static STATE: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("requestState"));
    let mentions = |word: &Finder<'_>| word.find(params.as_bytes()).is_some();
    if !scope.revision.is_modern() || !(mentions(&ANSWERS) || mentions(&STATE)) {
        return Ok(());
    }
    let retry: Retry<'_> = serde_json::from_str(params).unwrap_or_default();
    let offered = match retry.input_responses {
        None => JsonObject::new(),
        Some(offered) => serde_json::from_str(offered.get())
            .map_err(|_| ErrorObject::invalid_params("`inputResponses` must be an object"))?,
    };
    let (memory, ticket) = match retry.request_state {
        None => (Memory::default(), None),
        Some(state) => {
            let opened = open(service, &bound(scope, purpose), state);
            let opened = opened.map(|Sealed { ticket, memory }| (memory, Some(ticket)));
            opened.ok_or_else(|| {
                ErrorObject::invalid_params(
                    "`requestState` was not made for this request by this server, or is too old; \
                     make the request again without it",
                )
            })?
        }
    };
    scope.asking().resume(memory, offered, ticket);
    Ok(())
}

/// Uses up the state that a request came with, for calls that somebody must agree
/// to: a state that is sent twice would let the body run twice.
pub(super) fn spend(service: &Service, scope: &RequestScope<'_>) -> Result<(), ErrorObject> {
    let ticket = scope.asking().take_ticket();
    if ticket.is_none_or(|ticket| service.spent.take(ticket)) {
        return Ok(());
    }
    Err(ErrorObject::invalid_params(
        "`requestState` was used before, and consent is for one call; \
         make the request again without it",
    ))
}

/// The body of a `fn`, which cannot be dropped where it asks, and so cannot ask a
/// client that would have to call again, whatever it is run in.
pub(super) fn in_place<V: Send + 'static>(scope: &RequestScope<'_>, body: Body<V>) -> Body<V> {
    let Some(asking) = scope.asking_body().map(Arc::clone) else {
        return body;
    };
    match body {
        Body::Inline(body) => Body::inline(move || {
            asking.stay();
            body()
        }),
        Body::Blocking(body) => Body::blocking(move || {
            asking.stay();
            body()
        }),
        Body::Future(_) => body,
    }
}

fn open(service: &Service, bound: &str, state: &RawValue) -> Option<Sealed> {
    let state: String = serde_json::from_str(state.get()).ok()?;
    let opened = service.keys.open(bound, &state).ok()?;
    let sealed: Sealed = serde_json::from_slice(&opened).ok()?;
    (now(&service.clock) < sealed.ticket.until).then_some(sealed)
}

/// Who asks for what: equal for a request and for the one that goes on with it.
fn bound(scope: &RequestScope<'_>, purpose: Purpose<'_>) -> String {
    let arguments: Option<Value> = purpose
        .arguments
        .and_then(|json| serde_json::from_str(json).ok());
    // Absent, `null` and `{}` are the same arguments.
    let arguments = arguments.filter(|it| !it.is_null()).unwrap_or(json!({}));
    let Purpose { method, name, .. } = purpose;
    canonical(&json!([scope.principal_id(), method, name, arguments]))
}

/// Seconds since 1970; a clock before that makes every state too old.
fn now(clock: &Clock) -> u64 {
    let since = clock.since_1970();
    since.map_or(u64::MAX, |since| since.as_secs())
}

impl Questions {
    /// For a body that can ask: it has a context, and no session to ask through.
    pub(super) fn of(
        service: &Service,
        scope: &RequestScope<'_>,
        purpose: Purpose<'_>,
    ) -> Option<Self> {
        let asking = scope.asking_body()?;
        if !scope.revision.is_modern() || !service.keys.are_usable() {
            return None;
        }
        Some(Self {
            asking: Arc::clone(asking),
            keys: service.keys.clone(),
            clock: service.clock.clone(),
            bound: bound(scope, purpose),
            patience: scope.patience,
        })
    }

    pub(super) fn asking(&self) -> &Asking {
        &self.asking
    }

    /// The memory as the client carries it; `None` if it is too much.
    pub(super) fn seal(&self, memory: Memory) -> Option<String> {
        // Both are told in whole seconds: of a part of one nothing would be left.
        let part = if self.patience.subsec_nanos() > 0 {
            2
        } else {
            0
        };
        let patience = self.patience.as_secs().saturating_add(part);
        let until = now(&self.clock).saturating_add(patience);
        let id = random_id()?;
        let ticket = Ticket { until, id };
        let sealed = serde_json::to_vec(&Sealed { ticket, memory }).ok()?;
        self.keys.seal(&self.bound, &sealed)
    }

    /// The protocol error that an error of the handler stands for, if it is about
    /// a capability of the client.
    pub(super) fn missing(&self, detail: &str) -> Option<ErrorObject> {
        self.asking.missing(detail).map(missing)
    }
}

fn missing(required: ClientCapabilities) -> ErrorObject {
    ErrorObject::new(
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
        "the client has not declared a capability that this request needs",
    )
    .with_data(json!({ "requiredCapabilities": required }))
}
