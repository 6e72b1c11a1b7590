use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::method::{Method, MethodCall, Next, Wrapper};
use super::{Dispatcher, Peer, legacy, lists, modern};
use crate::call::{self, Reply, Work};
use crate::codec::Payload;
use crate::context::RequestScope;
use crate::jsonrpc::{ErrorObject, Request};
use crate::protocol::Revision;

/// A request on its way to its method.
pub(crate) struct Routed<'a> {
    pub(crate) request: &'a Request<'a>,
    pub(crate) scope: &'a RequestScope<'a>,
    pub(crate) peer: &'a Peer,
}

/// A method that the crate brings.
type Builtin = fn(&Dispatcher, &Routed<'_>) -> Work<Reply>;

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
        call::call_tool(&dispatcher.core().service, call.scope, params)
    }),
    ("tools/list", ALL, |dispatcher, call| {
        Work::Ready(lists::tools(dispatcher, call))
    }),
];

/// The open table of methods, by name.
#[derive(Debug)]
pub(crate) struct Methods(HashMap<String, Arc<Entry>>);

pub(super) enum Entry {
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

    pub(super) fn call(&self, dispatcher: &Dispatcher, call: &Routed<'_>) -> Work<Reply> {
        let method = call.request.method.as_ref();
        match self.0.get(method) {
            Some(entry) if entry.exists_in(call.scope.revision) => entry.call(dispatcher, call),
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

    pub(super) fn call(
        self: &Arc<Self>,
        dispatcher: &Dispatcher,
        call: &Routed<'_>,
    ) -> Work<Reply> {
        let answer = match self.as_ref() {
            Self::Builtin(_, method) => return method(dispatcher, call),
            Self::Own(method) => method.call(MethodCall::new(call)),
            Self::Wrapped(wrapper, inner) => {
                let next = Next::new(dispatcher, call.peer, inner);
                wrapper(MethodCall::new(call), next)
            }
        };
        Work::Future(Box::pin(async move { answer.await.map(Payload::Object) }))
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
