use std::sync::OnceLock;

use serde_json::Value;

use super::{Definition, ToolDescriptor};
use crate::argument::{Declared, Refusal};
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
        Self {
            descriptor,
            arguments: Declared::new(name, parameters),
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
        let Definition {
            name,
            title,
            description,
            ..
        } = self.descriptor.definition;
        let annotations = self.descriptor.annotations;
        Tool {
            name: name.to_owned(),
            title: title.map(str::to_owned),
            description: Some(description.to_owned()),
            input_schema: self.arguments.schema().clone(),
            output_schema: self.output_schema().cloned(),
            annotations: (annotations != ToolAnnotations::default()).then_some(annotations),
            meta: None,
        }
    }
}
