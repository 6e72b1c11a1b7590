use std::collections::HashMap;
use std::sync::Arc;

use super::builtin_method::RoutedRequest;
use super::core::Core;
use super::method::{Method, MethodEntry, MethodWrapper};
use super::{feature_methods, legacy, modern};
use crate::call::{Execution, Reply};
use crate::jsonrpc::ErrorObject;

/// The methods of a server by name, including custom and wrapped methods.
#[derive(Debug)]
pub(crate) struct MethodTable(HashMap<String, Arc<MethodEntry>>);

impl Default for MethodTable {
    fn default() -> Self {
        let routes = feature_methods::ROUTES
            .iter()
            .chain(&legacy::ROUTES)
            .chain(&modern::ROUTES)
            .chain(&modern::tasks::ROUTES);
        let entries = routes.map(|route| {
            let entry = MethodEntry::Builtin(route.clone());
            (route.method.to_owned(), Arc::new(entry))
        });
        Self(entries.collect())
    }
}

impl MethodTable {
    /// Adds a method, or replaces the method with the same name.
    pub(crate) fn insert(&mut self, name: String, method: Arc<dyn Method>) {
        // Leak the name once for each method, because audit records store a `&'static str`.
        let static_name = Box::leak(name.clone().into_boxed_str());
        let entry = MethodEntry::Custom(static_name, method);
        self.0.insert(name, Arc::new(entry));
    }

    /// Wraps a method in `wrapper`. Returns whether the method exists.
    pub(crate) fn wrap(&mut self, name: &str, wrapper: MethodWrapper) -> bool {
        let Some(entry) = self.0.get_mut(name) else {
            return false;
        };
        *entry = Arc::new(MethodEntry::Wrapped(wrapper, Arc::clone(entry)));
        true
    }

    /// Checks whether a method may run a handler of the user.
    pub(super) fn runs_handlers(&self, method: &str) -> bool {
        self.0.get(method).is_some_and(|entry| match &**entry {
            MethodEntry::Builtin(route) => route.runs_handlers,
            MethodEntry::Custom(..) | MethodEntry::Wrapped(..) => true,
        })
    }

    pub(super) fn call(&self, core: &Arc<Core>, routed: &RoutedRequest<'_>) -> Execution<Reply> {
        let method = routed.request.method.as_ref();
        match self.0.get(method) {
            Some(entry) if entry.exists(core, routed) => entry.call(core, routed),
            _ => Execution::Ready(Err(ErrorObject::method_not_found(method))),
        }
    }
}
