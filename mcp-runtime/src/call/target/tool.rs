use std::sync::Arc;

use super::{Outcome, Target, merge};
use crate::call::layer::layered;
use crate::call::{Layer, Reply, Service, ToolCall, resolve};
use crate::codec::{Payload, Wrap};
use crate::context::RequestScope;
use crate::handler::Body;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CallToolResult, JsonObject, Revision};
use crate::registry::{Handler, RegisteredTool, Snapshot};

/// Whatever goes wrong is a result, for the model to read.
impl Target for RegisteredTool {
    const METHOD: &'static str = "tools/call";
    const WORD: &'static str = "tool";
    type Value = CallToolResult;
    type Request = ();
    type Shape = Wrap;

    fn absent(
        service: &Service,
        scope: &RequestScope<'_>,
        snapshot: &Snapshot,
        name: &str,
    ) -> ErrorObject {
        resolve::unknown(service, scope, &snapshot.tools, Self::WORD, name)
    }

    fn bytes(value: &CallToolResult) -> usize {
        value.content_bytes()
    }

    fn layered(
        layers: &[Arc<dyn Layer>],
        call: impl FnOnce() -> ToolCall,
        body: Body<Outcome<Self>>,
    ) -> Body<Outcome<Self>> {
        layered(layers, call, body)
    }

    fn handler(&self) -> &Handler<Outcome<Self>> {
        &self.handler
    }

    fn shape(&self, (): (), _: &Service, revision: Revision) -> Wrap {
        // The schema is only made where its shape matters.
        Wrap::at(revision, || self.output_schema())
    }

    fn success(value: CallToolResult, wrap: Wrap) -> Reply {
        Ok(Payload::CallTool(value, wrap))
    }

    fn is_failure(value: &CallToolResult) -> bool {
        value.is_error
    }

    fn add_meta(value: &mut CallToolResult, meta: JsonObject) {
        merge(&mut value.meta, meta);
    }

    fn invalid(text: &str) -> Reply {
        Self::failure(text)
    }

    fn failure(text: &str) -> Reply {
        Ok(CallToolResult::error(text).into())
    }
}
