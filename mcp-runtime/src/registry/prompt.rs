use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::definition::{Definition, DefinitionMeta, Handler, HandlerResult, Reply, merge_meta};
use super::descriptor::PromptDescriptor;
use super::kind::DefinitionKind;
use crate::argument::Parameter;
use crate::codec::Payload;
use crate::output::PromptOutcome;
use crate::protocol::{CacheHints, GetPromptResult, JsonObject, Prompt, PromptArgument, Revision};

/// A prompt of the server.
#[derive(Debug)]
pub(crate) struct RegisteredPrompt {
    pub(super) meta: DefinitionMeta,
    prompt: Prompt,
    /// The description of a result for which the handler sets no description.
    description: Option<Cow<'static, str>>,
    handler: Handler<PromptOutcome>,
}

impl RegisteredPrompt {
    pub(super) fn from_descriptor(descriptor: &'static PromptDescriptor) -> Self {
        let (definition, policy) = (&descriptor.definition, descriptor.policy);
        let (kind, name) = (DefinitionKind::Prompt, definition.name);
        let prompt = Prompt {
            name: name.to_owned(),
            title: definition.title.map(str::to_owned),
            description: Some(definition.full_description()),
            arguments: definition.parameters.iter().map(argument).collect(),
            icons: (definition.icons)(),
            meta: definition.meta.map(|meta| meta()),
        };
        Self {
            meta: DefinitionMeta::from_descriptor(kind, definition, name, policy),
            prompt,
            description: Some(definition.description.into()),
            handler: Handler::Static(descriptor.prepare),
        }
    }

    pub(super) fn dynamic(prompt: Prompt, handler: Handler<PromptOutcome>) -> Self {
        let arguments = prompt.arguments.iter();
        let schema = string_arguments(arguments.map(|it| (it.name.as_str(), it.required)));
        let name = &prompt.name;
        Self {
            meta: DefinitionMeta::dynamic(DefinitionKind::Prompt, name, name, schema),
            description: prompt.description.clone().map(Cow::Owned),
            prompt,
            handler,
        }
    }

    /// Returns the prompt in the format of the newest protocol revision.
    pub(crate) fn to_protocol(&self) -> Prompt {
        self.prompt.clone()
    }
}

impl Definition for RegisteredPrompt {
    const METHOD: &'static str = "prompts/get";
    const WORD: &'static str = "prompt";
    type Value = GetPromptResult;
    type Request = ();
    type ReplyContext = Option<String>;

    fn meta(&self) -> &DefinitionMeta {
        &self.meta
    }

    fn handler(&self) -> &Handler<HandlerResult<Self>> {
        &self.handler
    }

    fn reply_context(&self, (): (), _: CacheHints, _: Revision) -> Option<String> {
        self.description.clone().map(Cow::into_owned)
    }

    fn content_bytes(value: &GetPromptResult) -> usize {
        let messages = value.messages.iter();
        messages
            .map(|message| message.content.content_bytes())
            .sum()
    }

    fn reply(mut value: GetPromptResult, description: Option<String>) -> Reply {
        value.description = value.description.or(description);
        Ok(Payload::GetPrompt(value))
    }

    fn add_meta(value: &mut GetPromptResult, meta: JsonObject) {
        merge_meta(&mut value.meta, meta);
    }
}

fn argument(parameter: &Parameter) -> PromptArgument {
    let description = parameter.description();
    PromptArgument {
        name: parameter.name().to_owned(),
        title: None,
        description: (!description.is_empty()).then(|| description.to_owned()),
        required: parameter.is_required(),
    }
}

/// Returns the schema of an object of strings. Each item of `names` is the name of a string and
/// whether the string is required.
pub(super) fn string_arguments<'a>(names: impl Iterator<Item = (&'a str, bool)>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, is_required) in names {
        properties.insert(name.to_owned(), json!({ "type": "string" }));
        required.extend(is_required.then(|| name.to_owned()));
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
