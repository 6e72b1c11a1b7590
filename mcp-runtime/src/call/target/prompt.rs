use super::{Outcome, Target, merge};
use crate::call::{Reply, Service};
use crate::codec::Payload;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{GetPromptResult, JsonObject, Revision};
use crate::registry::{Handler, RegisteredPrompt};

impl Target for RegisteredPrompt {
    const METHOD: &'static str = "prompts/get";
    const WORD: &'static str = "prompt";
    type Value = GetPromptResult;
    type Request = ();
    type Shape = Option<String>;

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
