use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::complete::ranked;
use super::{Completable, Completing, Parameter};
use crate::protocol::Completion;

/// Where the values of an argument come from while a person types it.
#[derive(Clone)]
pub(crate) enum Candidates {
    /// From a function at the parameter, or from its type.
    Parameter(&'static Parameter),
    /// From a closure of a definition that was made while serving.
    Made(Arc<dyn Fn(&Completing) -> Completion + Send + Sync>),
    /// Nothing is known of them.
    Unknown,
}

impl Candidates {
    pub(crate) fn made<F, C>(function: F) -> Self
    where
        F: Fn(&Completing) -> C + Send + Sync + 'static,
        C: Completable,
    {
        Self::Made(Arc::new(move |completing| {
            function(completing).completion(completing.value())
        }))
    }

    /// The values that fit what was typed.
    pub(crate) fn completion(&self, completing: &Completing) -> Completion {
        match self {
            Self::Parameter(parameter) => parameter.completion(completing),
            Self::Made(function) => function(completing),
            Self::Unknown => Completion::default(),
        }
    }
}

impl fmt::Debug for Candidates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Parameter(_) => "Parameter",
            Self::Made(_) => "Made",
            Self::Unknown => "Unknown",
        })
    }
}

impl Parameter {
    /// Whether its values can be completed.
    pub(super) fn completes(&self) -> bool {
        self.complete.is_some() || !self.choices().is_empty()
    }

    /// The values that it may have: those that its function tells, or its type.
    fn completion(&self, completing: &Completing) -> Completion {
        match self.complete {
            Some(complete) => complete(completing),
            None => ranked(self.choices().into_iter(), completing.value()),
        }
    }

    /// The values that its type names.
    fn choices(&self) -> Vec<String> {
        let schema = self.advertised();
        let values = schema.get("enum").and_then(Value::as_array);
        let texts = values.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }
}
