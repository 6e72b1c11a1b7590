use std::sync::OnceLock;

use serde_json::Value;

use super::{Definition, Policy, ToolDescriptor};
use crate::argument::{Declared, Refusal};
use crate::error::Error;
use crate::handler::{Body, Inputs};
use crate::output::Outcome;
use crate::protocol::{Tool, ToolAnnotations};
#[cfg(feature = "http")]
use crate::schema::{HeaderParameter, header_parameters};

/// A tool in service; its schemas are made when first asked for.
#[derive(Debug)]
pub(crate) struct RegisteredTool {
    descriptor: &'static ToolDescriptor,
    arguments: Declared,
    output_schema: OnceLock<Option<Value>>,
    #[cfg(feature = "http")]
    headers: OnceLock<Vec<HeaderParameter>>,
}

impl RegisteredTool {
    pub(super) fn new(descriptor: &'static ToolDescriptor) -> Self {
        let Definition {
            name, parameters, ..
        } = descriptor.definition;
        let arguments = Declared::new(name, parameters)
            .with_unknown(descriptor.policy.unknown)
            .with_schema(descriptor.input_schema);
        Self {
            descriptor,
            arguments,
            output_schema: OnceLock::new(),
            #[cfg(feature = "http")]
            headers: OnceLock::new(),
        }
    }

    pub(crate) fn definition(&self) -> &'static Definition {
        &self.descriptor.definition
    }

    pub(crate) fn name(&self) -> &'static str {
        self.descriptor.definition.name
    }

    /// An error for each way in which the tool contradicts itself.
    pub(super) fn contradictions(&self) -> impl Iterator<Item = Error> {
        let Definition { name, location, .. } = self.descriptor.definition;
        let problems = self.arguments.mistakes().into_iter();
        problems.map(move |problem| Error::Contradiction {
            tool: name.to_owned(),
            location,
            problem,
        })
    }

    /// What is laid down about its calls.
    #[expect(dead_code, reason = "the stages that read it are still to come")]
    pub(crate) fn policy(&self) -> &'static Policy {
        &self.descriptor.policy
    }

    pub(crate) fn arguments(&self) -> &Declared {
        &self.arguments
    }

    pub(crate) fn output_schema(&self) -> Option<&Value> {
        let make = || (self.descriptor.output_schema)();
        self.output_schema.get_or_init(make).as_ref()
    }

    /// The arguments that a client over HTTP repeats in headers.
    #[cfg(feature = "http")]
    pub(crate) fn header_parameters(&self) -> &[HeaderParameter] {
        let find = || header_parameters(self.arguments.schema());
        self.headers.get_or_init(find)
    }

    /// From arguments to a body that is ready to run.
    pub(crate) fn prepare(&self, inputs: &mut Inputs<'_>) -> Result<Body<Outcome>, Refusal> {
        (self.descriptor.prepare)(inputs)
    }

    /// The tool as the newest revision lists it.
    pub(crate) fn to_protocol(&self) -> Tool {
        let definition = self.definition();
        let annotations = self.descriptor.annotations;
        Tool {
            name: definition.name.to_owned(),
            title: definition.title.map(str::to_owned),
            description: Some(definition.told()),
            icons: (definition.icons)(),
            input_schema: self.arguments.schema().clone(),
            output_schema: self.output_schema().cloned(),
            annotations: (annotations != ToolAnnotations::default()).then_some(annotations),
            meta: definition.meta.map(|meta| meta()),
        }
    }
}
