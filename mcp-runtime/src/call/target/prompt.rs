use super::{Outcome, Target, merge};
use crate::call::{Reply, Service, resolve};
use crate::codec::Payload;
use crate::context::RequestScope;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{GetPromptResult, JsonObject, Revision};
use crate::registry::{Handler, RegisteredPrompt, Snapshot};

impl Target for RegisteredPrompt {
    const METHOD: &'static str = "prompts/get";
    const WORD: &'static str = "prompt";
    type Value = GetPromptResult;
    type Request = ();
    type Shape = Option<String>;

    fn absent(
        service: &Service,
        scope: &RequestScope<'_>,
        snapshot: &Snapshot,
        name: &str,
    ) -> ErrorObject {
        resolve::unknown(service, scope, &snapshot.prompts, Self::WORD, name)
    }

    fn bytes(value: &GetPromptResult) -> usize {
        let messages = value.messages.iter();
        messages
            .map(|message| message.content.content_bytes())
            .sum()
    }

    fn handler(&self) -> &Handler<Outcome<Self>> {
        &self.handler
    }

    fn shape(&self, (): (), _: &Service, _: Revision) -> Option<String> {
        self.description().map(str::to_owned)
    }

    fn success(mut value: GetPromptResult, description: Option<String>) -> Reply {
        value.description = value.description.or(description);
        Ok(Payload::GetPrompt(value))
    }

    fn add_meta(value: &mut GetPromptResult, meta: JsonObject) {
        merge(&mut value.meta, meta);
    }

    fn invalid(text: &str) -> Reply {
        Err(ErrorObject::invalid_params(text.to_owned()))
    }

    fn failure(text: &str) -> Reply {
        Err(ErrorObject::new(ErrorCode::INTERNAL_ERROR, text.to_owned()))
    }
}
