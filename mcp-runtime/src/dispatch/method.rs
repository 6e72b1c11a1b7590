use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::ops::RangeInclusive;
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;

use super::{Dispatcher, Peer, legacy, lists, modern};
use crate::call::{self, Caller, Reply, Work};
use crate::codec::Payload;
use crate::context::Context;
use crate::jsonrpc::{ErrorObject, Request};
use crate::protocol::{JsonObject, Revision};

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A request on its way to its method.
pub(crate) struct Incoming<'a> {
    pub(crate) request: &'a Request<'a>,
    pub(crate) caller: &'a Caller<'a>,
    pub(crate) peer: &'a Peer,
}

/// A method that the crate brings.
type Builtin = fn(&Dispatcher, &Incoming<'_>) -> Work<Reply>;

const LEGACY: RangeInclusive<Revision> = Revision::V2024_11_05..=Revision::NEWEST_LEGACY;
const MODERN: RangeInclusive<Revision> = Revision::V2026_07_28..=Revision::V2026_07_28;
const ALL: RangeInclusive<Revision> = Revision::V2024_11_05..=Revision::V2026_07_28;

/// The methods of the protocol and the revisions that have them.
const BUILTIN: [(&str, RangeInclusive<Revision>, Builtin); 5] = [
    ("initialize", LEGACY, |dispatcher, call| {
        Work::Ready(legacy::initialize(dispatcher, call))
    }),
    ("ping", LEGACY, |_, _| Work::Ready(legacy::ping())),
    ("server/discover", MODERN, |dispatcher, _| {
        Work::Ready(modern::discover(dispatcher))
    }),
    ("tools/call", ALL, |dispatcher, call| {
        let params = call.request.params.map_or("{}", |params| params.get());
        call::call_tool(&dispatcher.core().service, call.caller, params)
    }),
    ("tools/list", ALL, |dispatcher, call| {
        Work::Ready(lists::tools(dispatcher, call))
    }),
];

/// A method of a user's own, given to [`Server::method`](crate::Server::method).
///
/// Implemented for `async` closures of one [`MethodCall`].
pub trait Method: Send + Sync + 'static {
    /// Answers a request with the members of its result.
    fn call(&self, call: MethodCall) -> BoxFuture<Result<JsonObject, ErrorObject>>;
}

impl<F, A> Method for F
where
    F: Fn(MethodCall) -> A + Send + Sync + 'static,
    A: Future<Output = Result<JsonObject, ErrorObject>> + Send + 'static,
{
    fn call(&self, call: MethodCall) -> BoxFuture<Result<JsonObject, ErrorObject>> {
        Box::pin(self(call))
    }
}

/// Something around a method, given to [`Server::wrap_method`](crate::Server::wrap_method).
pub(crate) type Wrapper =
    Arc<dyn Fn(MethodCall, Next) -> BoxFuture<Result<JsonObject, ErrorObject>> + Send + Sync>;

/// A request to a method of a user's own.
#[derive(Clone, Debug)]
pub struct MethodCall {
    /// The name of the method.
    pub method: String,
    /// The parameters, an object if present.
    pub params: Option<Value>,
    /// Who asks, in which revision.
    pub context: Arc<Context>,
}

/// What a wrapped method would have done.
#[derive(Debug)]
pub struct Next {
    dispatcher: Dispatcher,
    peer: Peer,
    entry: Arc<Entry>,
}

/// The open table of methods, by name.
#[derive(Debug)]
pub(crate) struct Methods(HashMap<String, Arc<Entry>>);

enum Entry {
    Builtin(RangeInclusive<Revision>, Builtin),
    Own(Arc<dyn Method>),
    Wrapped(Wrapper, Arc<Entry>),
}

impl Default for Methods {
    fn default() -> Self {
        let builtin = BUILTIN.map(|(name, revisions, method)| {
            (name.to_owned(), Arc::new(Entry::Builtin(revisions, method)))
        });
        Self(builtin.into())
    }
}

impl Methods {
    /// Adds a method, or replaces the one of that name.
    pub(crate) fn insert(&mut self, name: String, method: Arc<dyn Method>) {
        self.0.insert(name, Arc::new(Entry::Own(method)));
    }

    /// Puts `wrapper` around a method; tells whether there is one.
    pub(crate) fn wrap(&mut self, name: &str, wrapper: Wrapper) -> bool {
        let Some(entry) = self.0.get_mut(name) else {
            return false;
        };
        *entry = Arc::new(Entry::Wrapped(wrapper, Arc::clone(entry)));
        true
    }

    pub(super) fn call(&self, dispatcher: &Dispatcher, call: &Incoming<'_>) -> Work<Reply> {
        let method = call.request.method.as_ref();
        match self.0.get(method) {
            Some(entry) if entry.exists_in(call.caller.revision) => entry.call(dispatcher, call),
            _ => Work::Ready(Err(ErrorObject::method_not_found(method))),
        }
    }
}

impl Entry {
    fn exists_in(&self, revision: Revision) -> bool {
        match self {
            Self::Builtin(revisions, _) => revisions.contains(&revision),
            Self::Own(_) => true,
            Self::Wrapped(_, inner) => inner.exists_in(revision),
        }
    }

    fn call(self: &Arc<Self>, dispatcher: &Dispatcher, call: &Incoming<'_>) -> Work<Reply> {
        let answer = match self.as_ref() {
            Self::Builtin(_, method) => return method(dispatcher, call),
            Self::Own(method) => method.call(MethodCall::new(call)),
            Self::Wrapped(wrapper, inner) => {
                let next = Next {
                    dispatcher: dispatcher.clone(),
                    peer: call.peer.clone(),
                    entry: Arc::clone(inner),
                };
                wrapper(MethodCall::new(call), next)
            }
        };
        Work::Future(Box::pin(async move { answer.await.map(Payload::Object) }))
    }
}

impl MethodCall {
    fn new(call: &Incoming<'_>) -> Self {
        let params = call.request.params.map(|params| params.get());
        Self {
            method: call.request.method.clone().into_owned(),
            params: params.and_then(|params| serde_json::from_str(params).ok()),
            context: Arc::new(call.caller.to_context()),
        }
    }
}

impl Next {
    /// Goes on to the method itself.
    ///
    /// # Errors
    /// Those of the method.
    pub async fn run(self, call: MethodCall) -> Result<JsonObject, ErrorObject> {
        let revision = call.context.revision;
        let work = self.work(&call)?;
        let payload = match work {
            Work::Ready(reply) => reply,
            Work::Future(future) => future.await,
            Work::Blocking(body) => tokio::task::spawn_blocking(body)
                .await
                .unwrap_or_else(|_| Err(ErrorObject::internal())),
        }?;
        let mut json = Vec::new();
        self.dispatcher
            .core()
            .codec
            .write(&mut json, revision, &payload);
        serde_json::from_slice(&json).map_err(|_| ErrorObject::internal())
    }

    fn work(&self, call: &MethodCall) -> Result<Work<Reply>, ErrorObject> {
        let params = call.params.as_ref().map(serde_json::value::to_raw_value);
        let params = params.transpose().map_err(|_| ErrorObject::internal())?;
        let request = Request {
            id: call.context.id.clone(),
            method: call.method.as_str().into(),
            params: params.as_deref(),
        };
        let caller = self
            .peer
            .caller(&request.id, call.context.revision, request.meta());
        let incoming = Incoming {
            request: &request,
            caller: &caller,
            peer: &self.peer,
        };
        Ok(self.entry.call(&self.dispatcher, &incoming))
    }
}

/// A result from a type of the protocol.
pub(super) fn object<T: serde::Serialize>(result: &T) -> Reply {
    match serde_json::to_value(result) {
        Ok(Value::Object(members)) => Ok(Payload::Object(members)),
        _ => Err(ErrorObject::internal()),
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Builtin(..) => "Builtin",
            Self::Own(_) => "Own",
            Self::Wrapped(..) => "Wrapped",
        })
    }
}
