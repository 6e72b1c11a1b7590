use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::context::{Context, Injectable, State};

/// A request to complete the value of an argument.
///
/// The function in `#[arg(complete = function)]` takes either a `&CompletionRequest` or the typed
/// text as `&str`. As a second parameter, it may borrow one state value as `&T`.
///
/// ```
/// use mcp_runtime::completion::CompletionRequest;
///
/// fn cities(request: &CompletionRequest) -> Vec<&'static str> {
///     match request.argument("country") {
///         Some("pl") => vec!["Gdynia", "Gdańsk"],
///         _ => Vec::new(),
///     }
/// }
/// ```
pub struct CompletionRequest {
    pub(crate) value: String,
    pub(crate) arguments: BTreeMap<String, String>,
    pub(crate) state: Arc<State>,
    pub(crate) context: Arc<Context>,
}

impl CompletionRequest {
    /// Returns the text that the user has typed so far.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns the value of another argument, if the user has already chosen it. Clients send these
    /// values since protocol version 2025-06-18.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).map(String::as_str)
    }

    /// Returns the context of the request.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    pub(super) fn borrow<T: ?Sized + Injectable>(&self) -> Option<Arc<T>> {
        self.context.as_injected().or_else(|| self.state.get())
    }
}

impl fmt::Debug for CompletionRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CompletionRequest")
            .field("value", &self.value)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
