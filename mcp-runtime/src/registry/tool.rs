use std::sync::OnceLock;

use serde_json::Value;

use super::ToolDescriptor;
use crate::protocol::{Tool, ToolAnnotations};
use crate::schema::{self, Property, Trust};

/// A tool in service; its schemas are made when first asked for.
#[derive(Debug)]
pub(crate) struct RegisteredTool {
    descriptor: &'static ToolDescriptor,
    input_schema: OnceLock<Value>,
    trust: OnceLock<Trust>,
    output_schema: OnceLock<Option<Value>>,
}

impl RegisteredTool {
    pub(super) fn new(descriptor: &'static ToolDescriptor) -> Self {
        Self {
            descriptor,
            input_schema: OnceLock::new(),
            trust: OnceLock::new(),
            output_schema: OnceLock::new(),
        }
    }

    pub(crate) fn descriptor(&self) -> &'static ToolDescriptor {
        self.descriptor
    }

    /// What is advertised, and what arguments are explained by.
    pub(crate) fn input_schema(&self) -> &Value {
        self.input_schema.get_or_init(|| {
            let properties = self.descriptor.parameters.iter().map(|parameter| Property {
                name: parameter.name,
                schema: schema::normalise(parameter.described()),
                required: parameter.is_required(),
                default: parameter.default.map(|default| default()),
            });
            schema::object(properties)
        })
    }

    /// How far reading the arguments' types enforces what is advertised.
    pub(crate) fn trust(&self) -> Trust {
        *self.trust.get_or_init(|| {
            let parameters = self.descriptor.parameters.iter();
            let trusts = parameters.map(|parameter| schema::trust(&(parameter.schema)()));
            trusts.max().unwrap_or(Trust::Exact)
        })
    }

    pub(crate) fn output_schema(&self) -> Option<&Value> {
        let make = || (self.descriptor.output_schema)();
        self.output_schema.get_or_init(make).as_ref()
    }

    /// The tool as the newest revision lists it.
    pub(crate) fn to_protocol(&self) -> Tool {
        let ToolDescriptor {
            name,
            title,
            description,
            annotations,
            ..
        } = *self.descriptor;
        Tool {
            name: name.to_owned(),
            title: title.map(str::to_owned),
            description: Some(description.to_owned()),
            input_schema: self.input_schema().clone(),
            output_schema: self.output_schema().cloned(),
            annotations: (annotations != ToolAnnotations::default()).then_some(annotations),
            meta: None,
        }
    }
}
