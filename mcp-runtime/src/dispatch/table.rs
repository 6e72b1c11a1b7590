use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::capability::Capability;
use super::method::{Method, MethodAnswer, MethodCall, Next, Wrapper};
use super::{Dispatcher, Peer, legacy, modern, offered};
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

pub(super) const LEGACY: RangeInclusive<Revision> = Revision::V2024_11_05..=Revision::NEWEST_LEGACY;
pub(super) const MODERN: RangeInclusive<Revision> = Revision::V2026_07_28..=Revision::V2026_07_28;
pub(super) const ALL: RangeInclusive<Revision> = Revision::V2024_11_05..=Revision::V2026_07_28;

/// A method of the protocol: which revisions have it, and what the server must have.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(super) method: &'static str,
    revisions: RangeInclusive<Revision>,
    needs: Option<Capability>,
    run: Builtin,
    /// Whether it may run code of the user's.
    runs_bodies: bool,
}

impl Row {
    pub(super) const fn new(
        method: &'static str,
        revisions: RangeInclusive<Revision>,
        needs: Capability,
        run: Builtin,
    ) -> Self {
        let needs = Some(needs);
        Self {
            method,
            revisions,
            needs,
            run,
            runs_bodies: true,
        }
    }

    /// A method that every server has.
    pub(super) const fn free(
        method: &'static str,
        revisions: RangeInclusive<Revision>,
        run: Builtin,
    ) -> Self {
        let needs = None;
        Self {
            method,
            revisions,
            needs,
            run,
            runs_bodies: true,
        }
    }

    /// For what clients ask before their first call, and is answered from what is known.
    pub(super) const fn without_bodies(mut self) -> Self {
        self.runs_bodies = false;
        self
    }
}

/// The open table of methods, by name.
#[derive(Debug)]
pub(crate) struct Methods(HashMap<String, Arc<Entry>>);

pub(super) enum Entry {
    Builtin(Row),
    Own(Arc<dyn Method>),
    Wrapped(Wrapper, Arc<Entry>),
}

impl Default for Methods {
    fn default() -> Self {
        let rows = offered::ROWS
            .iter()
            .chain(&legacy::ROWS)
            .chain(&modern::ROWS)
            .chain(&modern::tasks::ROWS);
        let entries = rows.map(|row| {
            let entry = Entry::Builtin(row.clone());
            (row.method.to_owned(), Arc::new(entry))
        });
        Self(entries.collect())
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

    /// Whether a method may run code of the user's.
    pub(super) fn runs_bodies(&self, method: &str) -> bool {
        self.0.get(method).is_some_and(|entry| match &**entry {
            Entry::Builtin(row) => row.runs_bodies,
            Entry::Own(_) | Entry::Wrapped(..) => true,
        })
    }

    pub(super) fn call(&self, dispatcher: &Dispatcher, call: &Routed<'_>) -> Work<Reply> {
        let method = call.request.method.as_ref();
        match self.0.get(method) {
            Some(entry) if entry.exists(dispatcher, call) => entry.call(dispatcher, call),
            _ => Work::Ready(Err(ErrorObject::method_not_found(method))),
        }
    }
}

impl Entry {
    /// Whether the revision has it, and the server what it needs.
    fn exists(&self, dispatcher: &Dispatcher, call: &Routed<'_>) -> bool {
        match self {
            Self::Builtin(row) => {
                row.revisions.contains(&call.scope.revision)
                    && row.needs.is_none_or(|needs| {
                        let offer = dispatcher.offer(call.peer, call.scope.revision);
                        offer.has(needs)
                    })
            }
            Self::Own(_) => true,
            Self::Wrapped(_, inner) => inner.exists(dispatcher, call),
        }
    }

    pub(super) fn call(
        self: &Arc<Self>,
        dispatcher: &Dispatcher,
        call: &Routed<'_>,
    ) -> Work<Reply> {
        let own: Box<dyn FnOnce() -> MethodAnswer + Send> = match self.as_ref() {
            Self::Builtin(row) => return (row.run)(dispatcher, call),
            Self::Own(method) => {
                let (method, call) = (Arc::clone(method), MethodCall::new(call));
                Box::new(move || method.call(call))
            }
            Self::Wrapped(wrapper, inner) => {
                let next = Next::new(dispatcher, call.peer, inner);
                let (wrapper, call) = (Arc::clone(wrapper), MethodCall::new(call));
                Box::new(move || wrapper(call, next))
            }
        };
        let method = call.request.method.clone().into_owned();
        Work::Future(Box::pin(async move {
            let answer = call::awaited(own).await.unwrap_or_else(|_| {
                tracing::error!(method, "a method of the server's own panicked");
                Err(ErrorObject::internal())
            });
            answer.map(Payload::Object)
        }))
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Builtin(_) => "Builtin",
            Self::Own(_) => "Own",
            Self::Wrapped(..) => "Wrapped",
        })
    }
}
