use std::net::SocketAddr;
use std::sync::Arc;

use http::header::{self, HeaderMap, HeaderValue};
use http::request::Parts;
use http::{Method, Response, StatusCode};
use tokio::task::AbortHandle;

use super::body::HttpBody;
use super::endpoint::Inner;
use super::headers::{self, Illegible};
use super::respond;
use super::stream::Stream;
use crate::auth::{Challenge, Principal};
use crate::context::Channel;
use crate::dispatch::Dispatcher;
use crate::jsonrpc::{ErrorCode, ErrorObject};

/// Who sends a request, as far as the server knows callers.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) principal: Option<Arc<Principal>>,
    token: Option<Box<str>>,
    address: Option<SocketAddr>,
}

impl Inner {
    /// Finds out who sends a request, before anything of its body is read.
    ///
    /// Only the header counts; a token in the query is never looked at
    /// (specification, *Authorization*, *Access Token Usage*).
    pub(super) async fn caller(&self, parts: &Parts) -> Result<Caller, Box<Response<HttpBody>>> {
        let address = parts.extensions.get::<SocketAddr>().copied();
        let Ok(token) = bearer(&parts.headers) else {
            let challenge = Challenge::invalid_token();
            return Err(Box::new(self.unauthenticated(challenge)));
        };
        let known = self.dispatcher.authenticate(token, address, Channel::Http);
        match known.await {
            Ok(principal) => Ok(Caller {
                // Nothing has to be asked again where nobody is known.
                token: token.filter(|_| principal.is_some()).map(Into::into),
                principal,
                address,
            }),
            Err(challenge) => Err(Box::new(self.unauthenticated(challenge))),
        }
    }

    fn unauthenticated(&self, challenge: Challenge) -> Response<HttpBody> {
        let error = ErrorObject::new(ErrorCode::UNAUTHENTICATED, "a valid token is needed");
        let mut response = respond::error(StatusCode::UNAUTHORIZED, None, &error);
        set_challenge(&mut response, &self.dispatcher.challenge(challenge));
        response
    }

    /// Adds to a refusal what the client has to ask for.
    pub(super) fn name_scopes(&self, response: &mut Response<HttpBody>) {
        let Some(respond::Needed(scopes)) = response.extensions_mut().remove() else {
            return;
        };
        let challenge = match response.status() {
            StatusCode::UNAUTHORIZED => Challenge::no_token(),
            _ => Challenge::insufficient_scope(),
        };
        let challenge = self.dispatcher.challenge(challenge.scopes(scopes));
        set_challenge(response, &challenge);
    }

    /// The document about the protected resource, if that is what is asked for;
    /// it needs no token (RFC 9728 §3).
    pub(super) fn metadata(&self, parts: &Parts) -> Option<Response<HttpBody>> {
        let metadata = self.dispatcher.resource_metadata()?;
        let path = parts.uri.path();
        if parts.method != Method::GET || !metadata.paths().iter().any(|it| it == path) {
            return None;
        }
        Some(respond::json(
            StatusCode::OK,
            metadata.to_json().into_bytes(),
        ))
    }
}

impl Caller {
    /// Ends a connection of `stream` once the caller would no longer be let in, or
    /// be somebody else; nothing has to be asked again where nobody is known.
    ///
    /// What is numbered goes on: its owner may come back with a new token.
    pub(super) fn watch(
        &self,
        inner: &Inner,
        stream: &Arc<Stream>,
        connection: u64,
    ) -> Option<Watch> {
        self.token.as_ref()?;
        let (stream, dispatcher) = (Arc::downgrade(stream), inner.dispatcher.clone());
        let (caller, every) = (self.clone(), inner.options.recheck);
        let watching = tokio::spawn(async move {
            loop {
                tokio::time::sleep(every).await;
                if !caller.is_still_known(&dispatcher).await {
                    break;
                }
            }
            if let Some(stream) = stream.upgrade() {
                stream.disconnected(connection);
            }
        });
        Some(Watch(watching.abort_handle()))
    }

    async fn is_still_known(&self, dispatcher: &Dispatcher) -> bool {
        let token = self.token.as_deref();
        let known = dispatcher.authenticate(token, self.address, Channel::Http);
        let id = |principal: &Arc<Principal>| principal.id.clone();
        known
            .await
            .is_ok_and(|known| known.as_ref().map(id) == self.principal.as_ref().map(id))
    }
}

/// Somebody who looks from time to time whether a caller may still listen.
#[derive(Debug)]
pub(super) struct Watch(AbortHandle);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The token of the header `Authorization`; one of another scheme is none.
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Illegible> {
    let Some(value) = headers::text(headers, &header::AUTHORIZATION)? else {
        return Ok(None);
    };
    let token = value
        .split_once(' ')
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    Ok(token.map(|(_, token)| token.trim()))
}

fn set_challenge(response: &mut Response<HttpBody>, challenge: &Challenge) {
    // A challenge holds visible ASCII alone, which every header value may be.
    if let Ok(value) = HeaderValue::try_from(challenge.to_string()) {
        let headers = response.headers_mut();
        headers.insert(header::WWW_AUTHENTICATE, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &[&'static str], expected: Result<Option<&str>, Illegible>) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_static(value));
        }
        assert_eq!(bearer(&headers), expected);
    }

    #[test]
    fn a_token_follows_its_scheme() {
        check(&["Bearer abc"], Ok(Some("abc")));
        check(&["bearer  abc "], Ok(Some("abc")));
    }

    #[test]
    fn anything_else_is_no_token() {
        check(&[], Ok(None));
        check(&["abc"], Ok(None));
        check(&["Basic YTpi"], Ok(None));
        check(&["Bearer"], Ok(None));
        check(&["Bearer a", "Bearer b"], Err(Illegible));
    }
}
