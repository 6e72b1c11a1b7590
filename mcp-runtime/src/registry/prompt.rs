use serde_json::{Map, Value, json};

use super::common::{Common, Defined, Handler, Kind};
use super::{Definition, PromptDescriptor};
use crate::argument::Parameter;
use crate::output::PromptOutcome;
use crate::protocol::{Prompt, PromptArgument};

/// A prompt in service.
#[derive(Debug)]
pub(crate) struct RegisteredPrompt {
    common: Common,
    form: Form,
    pub(crate) handler: Handler<PromptOutcome>,
}

#[derive(Debug)]
enum Form {
    Linked(&'static Definition),
    Made(Box<Prompt>),
}

impl Defined for RegisteredPrompt {
    fn kind(&self) -> Kind {
        Kind::Prompt
    }
    fn common(&self) -> &Common {
        &self.common
    }
    fn common_mut(&mut self) -> &mut Common {
        &mut self.common
    }
}

impl RegisteredPrompt {
    pub(super) fn linked(descriptor: &'static PromptDescriptor) -> Self {
        let definition = &descriptor.definition;
        let mut common = Common::linked(definition, definition.name);
        common.policy = descriptor.policy;
        Self {
            common,
            form: Form::Linked(definition),
            handler: Handler::Linked(descriptor.prepare),
        }
    }

    pub(crate) fn made(prompt: Prompt, handler: Handler<PromptOutcome>) -> Self {
        let arguments = prompt.arguments.iter();
        let schema = strings(arguments.map(|argument| (argument.name.as_str(), argument.required)));
        let name = prompt.name.clone();
        Self {
            common: Common::made(name.clone(), name, schema),
            form: Form::Made(Box::new(prompt)),
            handler,
        }
    }

    pub(crate) fn description(&self) -> Option<&str> {
        match &self.form {
            Form::Linked(definition) => Some(definition.description),
            Form::Made(prompt) => prompt.description.as_deref(),
        }
    }

    /// The prompt as the newest revision lists it.
    pub(crate) fn to_protocol(&self) -> Prompt {
        let definition = match &self.form {
            Form::Linked(definition) => definition,
            Form::Made(prompt) => return prompt.as_ref().clone(),
        };
        Prompt {
            name: definition.name.to_owned(),
            title: definition.title.map(str::to_owned),
            description: Some(definition.told()),
            arguments: definition.parameters.iter().map(argument).collect(),
            icons: (definition.icons)(),
            meta: definition.meta.map(|meta| meta()),
        }
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

/// The schema of named strings, each with whether it must be there.
pub(super) fn strings<'a>(names: impl Iterator<Item = (&'a str, bool)>) -> Value {
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
