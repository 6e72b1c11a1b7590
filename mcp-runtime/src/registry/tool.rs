use std::borrow::Cow;
#[cfg(feature = "http")]
use std::sync::Arc;
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::common::{Common, Defined, Handler, Kind};
use super::{Definition, ToolDescriptor};
use crate::codec::Schema;
use crate::output::Outcome;
use crate::protocol::{JsonObject, Tool, ToolAnnotations};
#[cfg(feature = "http")]
use crate::schema::{HeaderParameter, header_parameters};

/// A tool in service; its schemas are made when first asked for.
#[derive(Debug)]
pub(crate) struct RegisteredTool {
    common: Common,
    form: Form,
    output_schema: OnceLock<Option<Value>>,
    #[cfg(feature = "http")]
    headers: OnceLock<Arc<[HeaderParameter]>>,
    pub(crate) handler: Handler<Outcome>,
}

#[derive(Debug)]
enum Form {
    Linked(&'static ToolDescriptor),
    Made(Box<Tool>),
}

impl Defined for RegisteredTool {
    fn kind(&self) -> Kind {
        Kind::Tool
    }
    fn common(&self) -> &Common {
        &self.common
    }
    fn common_mut(&mut self) -> &mut Common {
        &mut self.common
    }
}

impl RegisteredTool {
    pub(super) fn linked(descriptor: &'static ToolDescriptor) -> Self {
        let definition = &descriptor.definition;
        let mut common = Common::linked(definition, definition.name);
        common.policy = descriptor.policy;
        common.arguments = common
            .arguments
            .with_unknown(descriptor.policy.unknown)
            .with_schema(descriptor.input_schema);
        Self {
            common,
            form: Form::Linked(descriptor),
            output_schema: OnceLock::new(),
            handler: Handler::Linked(descriptor.prepare),
            #[cfg(feature = "http")]
            headers: OnceLock::new(),
        }
    }

    pub(crate) fn made(tool: Tool, handler: Handler<Outcome>) -> Self {
        let (name, schema) = (tool.name.clone(), tool.input_schema.clone());
        Self {
            common: Common::made(name.clone(), name, schema),
            output_schema: OnceLock::from(tool.output_schema.clone()),
            form: Form::Made(Box::new(tool)),
            #[cfg(feature = "http")]
            headers: OnceLock::new(),
            handler,
        }
    }

    pub(crate) fn output_schema(&self) -> Option<&Value> {
        let make = || match &self.form {
            Form::Linked(descriptor) => (descriptor.output_schema)(),
            Form::Made(tool) => tool.output_schema.clone(),
        };
        self.output_schema.get_or_init(make).as_ref()
    }

    /// Whether it is shown in an app (extension `io.modelcontextprotocol/ui`).
    pub(super) fn has_ui(&self) -> bool {
        self.meta().is_some_and(|meta| meta.contains_key(UI))
    }

    /// The resource that shows its results, if one is named.
    pub(super) fn app(&self) -> Option<String> {
        let uri = self
            .meta()?
            .get(UI)?
            .get("resourceUri")?
            .as_str()?
            .to_owned();
        Some(uri)
    }

    fn meta(&self) -> Option<JsonObject> {
        match &self.form {
            Form::Linked(descriptor) => {
                let own = descriptor.definition.meta.map(|meta| meta());
                with_ui(own, descriptor.ui)
            }
            Form::Made(tool) => tool.meta.clone(),
        }
    }

    /// The arguments that a client over HTTP repeats in headers.
    #[cfg(feature = "http")]
    pub(crate) fn header_parameters(&self) -> Arc<[HeaderParameter]> {
        let find = || header_parameters(self.common.arguments.schema()).into();
        Arc::clone(self.headers.get_or_init(find))
    }

    /// The tool as the newest revision lists it.
    pub(crate) fn to_protocol(&self) -> Tool<Schema<'_>> {
        let tree = |schema| Schema::Tree(Cow::Borrowed(schema));
        let descriptor = match &self.form {
            Form::Linked(descriptor) => descriptor,
            Form::Made(tool) => {
                let owned = |schema| Schema::Tree(Cow::Owned(schema));
                return tool.as_ref().clone().with_schemas(owned);
            }
        };
        let definition = &descriptor.definition;
        let Definition {
            name, title, icons, ..
        } = definition;
        let annotations = descriptor.annotations;
        Tool {
            name: (*name).to_owned(),
            title: title.map(str::to_owned),
            description: Some(definition.told()),
            input_schema: Schema::Json(self.common.arguments.schema_json()),
            output_schema: self.output_schema().map(tree),
            annotations: (annotations != ToolAnnotations::default()).then_some(annotations),
            icons: icons(),
            meta: self.meta(),
        }
    }
}

/// The member of `_meta` that is about its app.
const UI: &str = "ui";

/// What the tool says of itself, and where its app is (MCP Apps, `_meta.ui.resourceUri`).
fn with_ui(own: Option<JsonObject>, ui: Option<&str>) -> Option<JsonObject> {
    let Some(uri) = ui else { return own };
    let mut meta = own.unwrap_or_default();
    let told = meta.entry(UI).or_insert(Value::Null);
    match told {
        Value::Object(told) => _ = told.insert("resourceUri".to_owned(), uri.into()),
        // Whatever else stands there is no object, as the extension wants one.
        other => *other = json!({ "resourceUri": uri }),
    }
    Some(meta)
}
