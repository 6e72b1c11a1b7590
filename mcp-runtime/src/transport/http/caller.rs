use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::header::{self, HeaderMap};
use http::request::Parts;
use tokio::task::AbortHandle;

use super::event_stream::EventStream;
use super::headers::{self, InvalidHeader};
use crate::auth::{Challenge, Principal};
use crate::context::{ClientSink, TransportKind};
use crate::dispatch::{Connection, Dispatcher};
use crate::limits::CallerKey;

/// The sender of a request. It has a principal if the server authenticates callers.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) principal: Option<Arc<Principal>>,
    token: Option<Box<str>>,
    address: Option<SocketAddr>,
    /// The key for limits per caller. It is the principal if there is one, and otherwise the
    /// address.
    pub(super) key: Option<CallerKey>,
}

impl Caller {
    /// Authenticates the sender of a request. The server calls this before it reads the body.
    ///
    /// The server reads the token only from the `Authorization` header and ignores a token in the
    /// query (specification, *Authorization*, *Access Token Usage*).
    pub(super) async fn authenticate(
        parts: &Parts,
        dispatcher: &Dispatcher,
    ) -> Result<Self, Challenge> {
        let address = address(parts);
        let Ok(token) = bearer_token(&parts.headers) else {
            return Err(Challenge::invalid_token());
        };
        let principal = dispatcher
            .authenticate(token, address, TransportKind::Http)
            .await?;
        let key = match &principal {
            Some(principal) => Some(CallerKey::principal(&principal.id)),
            None => address.map(|it| CallerKey::address(it.ip())),
        };
        Ok(Self {
            key,
            // The token is validated again later only if there is a principal.
            token: token.filter(|_| principal.is_some()).map(Into::into),
            principal,
            address,
        })
    }

    /// Creates the [`Connection`] for a request or a session of the caller.
    pub(super) fn connection(
        &self,
        dispatcher: &Dispatcher,
        sink: Arc<dyn ClientSink>,
    ) -> Connection {
        let quotas = &dispatcher.core().server.quotas;
        let id = self.principal.as_ref().map(|principal| &*principal.id);
        let counter = quotas.work_counter(id);
        Connection::with_work_counter(TransportKind::Http, sink, counter)
            .with_optional_principal(self.principal.as_ref())
    }

    /// Validates the token once per `interval`, and disconnects `stream` if the token has become
    /// invalid or belongs to another principal.
    ///
    /// A resumable stream continues, because its owner may reconnect with a new token.
    pub(super) fn recheck_token(
        &self,
        dispatcher: &Dispatcher,
        interval: Duration,
        stream: &Arc<EventStream>,
        connection: u64,
    ) -> Option<TokenRecheck> {
        self.token.as_ref()?;
        let (stream, dispatcher) = (Arc::downgrade(stream), dispatcher.clone());
        let caller = self.clone();
        let recheck = tokio::spawn(async move {
            loop {
                tokio::time::sleep(interval).await;
                if !caller.is_still_valid(&dispatcher).await {
                    break;
                }
            }
            if let Some(stream) = stream.upgrade() {
                stream.disconnect(connection);
            }
        });
        Some(TokenRecheck(recheck.abort_handle()))
    }

    async fn is_still_valid(&self, dispatcher: &Dispatcher) -> bool {
        let token = self.token.as_deref();
        let authenticated = dispatcher.authenticate(token, self.address, TransportKind::Http);
        let id = |principal: &Arc<Principal>| principal.id.clone();
        authenticated
            .await
            .is_ok_and(|principal| principal.as_ref().map(id) == self.principal.as_ref().map(id))
    }
}

/// Returns the address of the client if the HTTP server added it to the request extensions.
pub(super) fn address(parts: &Parts) -> Option<SocketAddr> {
    parts.extensions.get::<SocketAddr>().copied()
}

/// The task that validates the token of an open stream. Dropping this handle stops the task.
#[derive(Debug)]
pub(super) struct TokenRecheck(AbortHandle);

impl Drop for TokenRecheck {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Returns the bearer token of the `Authorization` header, or `None` for other schemes.
fn bearer_token(headers: &HeaderMap) -> Result<Option<&str>, InvalidHeader> {
    let Some(value) = headers::text(headers, &header::AUTHORIZATION)? else {
        return Ok(None);
    };
    let token = value
        .split_once(' ')
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    Ok(token.map(|(_, token)| token.trim()))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[track_caller]
    fn check(values: &[&'static str], expected: Result<Option<&str>, InvalidHeader>) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_static(value));
        }
        assert_eq!(bearer_token(&headers), expected);
    }

    #[test]
    fn reads_a_bearer_token() {
        check(&["Bearer abc"], Ok(Some("abc")));
        check(&["bearer  abc "], Ok(Some("abc")));
    }

    #[test]
    fn ignores_other_schemes_and_rejects_several_headers() {
        check(&[], Ok(None));
        check(&["abc"], Ok(None));
        check(&["Basic YTpi"], Ok(None));
        check(&["Bearer"], Ok(None));
        check(&["Bearer a", "Bearer b"], Err(InvalidHeader));
    }
}
