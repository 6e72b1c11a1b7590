//! What the pipeline can lead to, and what differs between the kinds.

mod prompt;
mod resource;
mod tool;

use std::sync::Arc;

use super::{Layer, Reply, Service, ToolCall};
use crate::context::RequestScope;
use crate::error::ToolError;
use crate::handler::Body;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{JsonObject, Revision};
use crate::registry::{Defined, Handler, Snapshot};

/// A definition that a request can run.
pub(crate) trait Target: Defined + Sized {
    /// The method that runs it.
    const METHOD: &'static str;
    /// As texts name it.
    const WORD: &'static str;
    /// What its body gives.
    type Value: Send + 'static;
    /// What the request says that its answer needs.
    type Request;
    /// What else is needed to write the answer.
    type Shape: Send + 'static;

    fn handler(&self) -> &Handler<Outcome<Self>>;

    fn name(&self) -> &str {
        &self.common().name
    }

    fn shape(&self, request: Self::Request, service: &Service, revision: Revision) -> Self::Shape;

    /// What is said of one that does not exist for the caller.
    fn absent(
        service: &Service,
        scope: &RequestScope<'_>,
        snapshot: &Snapshot,
        name: &str,
    ) -> ErrorObject;

    /// How much content a value has.
    fn bytes(value: &Self::Value) -> usize;

    /// The body with the server's layers around it, where there can be any.
    fn layered(
        _layers: &[Arc<dyn Layer>],
        _call: impl FnOnce() -> ToolCall,
        body: Body<Outcome<Self>>,
    ) -> Body<Outcome<Self>> {
        body
    }

    /// The answer with a value.
    fn success(value: Self::Value, shape: Self::Shape) -> Reply;

    /// Whether the value itself is a failure.
    fn is_failure(_value: &Self::Value) -> bool {
        false
    }

    /// Whether the value says that there is nothing of that name.
    fn is_absent(_value: &Self::Value) -> bool {
        false
    }

    /// Puts members into the `_meta` of a value, under those that it has.
    fn add_meta(value: &mut Self::Value, meta: JsonObject);

    /// The answer to arguments that do not fit.
    fn invalid(text: &str) -> Reply;

    /// The answer where the body failed.
    fn failure(text: &str) -> Reply;
}

/// What the body of a target comes to.
pub(crate) type Outcome<T> = Result<<T as Target>::Value, ToolError>;

/// What is in `under` stays only where `meta` says nothing of its own.
fn merge(meta: &mut Option<JsonObject>, mut under: JsonObject) {
    under.extend(meta.take().unwrap_or_default());
    *meta = Some(under);
}
