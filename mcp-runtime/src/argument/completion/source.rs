use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::candidates::ranked;
use super::{Completable, CompletionRequest};
use crate::argument::Parameter;
use crate::protocol::Completion;

/// The source of suggestions for the value of an argument while a user types.
#[derive(Clone)]
pub(crate) enum CompletionSource {
    /// The completion function of a parameter, or the values that its type lists.
    Parameter(&'static Parameter),
    /// The closure of a dynamic definition.
    Function(Arc<dyn Fn(&CompletionRequest) -> Completion + Send + Sync>),
    /// An argument without suggestions.
    None,
}

impl CompletionSource {
    /// Creates a source that takes its suggestions from a closure.
    pub(crate) fn function<F, C>(function: F) -> Self
    where
        F: Fn(&CompletionRequest) -> C + Send + Sync + 'static,
        C: Completable,
    {
        Self::Function(Arc::new(move |request| {
            function(request).into_completion(request.value())
        }))
    }

    /// Returns the suggestions for the typed text.
    pub(crate) fn complete(&self, request: &CompletionRequest) -> Completion {
        match self {
            Self::Parameter(parameter) => parameter.complete_value(request),
            Self::Function(function) => function(request),
            Self::None => Completion::default(),
        }
    }
}

impl fmt::Debug for CompletionSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Parameter(_) => "Parameter",
            Self::Function(_) => "Function",
            Self::None => "None",
        })
    }
}

impl Parameter {
    /// Whether there are suggestions for the value of the parameter.
    pub(in crate::argument) fn has_completion(&self) -> bool {
        self.complete.is_some() || !self.listed_values().is_empty()
    }

    /// Returns the suggestions of the completion function. Without such a function, returns the
    /// matching values that the type lists.
    fn complete_value(&self, request: &CompletionRequest) -> Completion {
        match self.complete {
            Some(complete) => complete(request),
            None => ranked(self.listed_values().into_iter(), request.value()),
        }
    }

    /// Returns the strings in the `enum` of the parameter's schema.
    fn listed_values(&self) -> Vec<String> {
        let schema = self.advertised_schema();
        let values = schema.get("enum").and_then(Value::as_array);
        let texts = values.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }
}
