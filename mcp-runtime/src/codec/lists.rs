use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};

use super::result_wrapping::ResultWrapping;
use super::writer::{write_json, write_key};
use crate::protocol::{
    Annotations, Icon, JsonObject, Prompt, Resource, ResourceTemplate, Revision, Tool,
};

/// The JSON Schema of a tool, either parsed or as JSON text.
#[derive(Debug)]
pub(crate) enum Schema<'a> {
    Tree(Cow<'a, Value>),
    Json(Vec<u8>),
}

impl<'a> Schema<'a> {
    pub(crate) fn into_tree(self) -> Cow<'a, Value> {
        match self {
            Self::Tree(tree) => tree,
            Self::Json(json) => Cow::Owned(serde_json::from_slice(&json).unwrap_or_default()),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Tree(tree) => write_json(out, tree),
            Self::Json(json) => out.extend_from_slice(json),
        }
    }
}

/// Converts a tool to the form of `revision` and appends its JSON.
pub(crate) fn write_tool(out: &mut Vec<u8>, tool: Tool<Schema<'_>>, revision: Revision) {
    let tool = convert_tool(tool, revision);
    out.push(b'{');
    write_key(out, "name");
    write_json(out, &tool.name);
    write_optional_member(out, "title", tool.title.as_ref());
    write_optional_member(out, "description", tool.description.as_ref());
    write_optional_member(out, "icons", Some(&tool.icons).filter(|it| !it.is_empty()));
    write_key(out, "inputSchema");
    tool.input_schema.write(out);
    if let Some(schema) = &tool.output_schema {
        write_key(out, "outputSchema");
        schema.write(out);
    }
    write_optional_member(out, "annotations", tool.annotations.as_ref());
    write_optional_member(out, "_meta", tool.meta.as_ref());
    out.push(b'}');
}

fn write_optional_member<T: Serialize>(out: &mut Vec<u8>, name: &str, value: Option<&T>) {
    if let Some(value) = value {
        write_key(out, name);
        write_json(out, value);
    }
}

/// Converts a tool to the form of `revision`.
pub(crate) fn convert_tool(mut tool: Tool<Schema<'_>>, revision: Revision) -> Tool<Schema<'_>> {
    let output = tool.output_schema.map(Schema::into_tree);
    tool.output_schema = output
        .and_then(|schema| convert_output_schema(schema, revision))
        .map(Schema::Tree);
    let Tool {
        title, icons, meta, ..
    } = &mut tool;
    remove_newer_members(revision, title, icons, meta);
    if revision < Revision::V2025_03_26 {
        tool.annotations = None;
    }
    tool
}

/// Converts a prompt to the form of `revision`.
pub(crate) fn convert_prompt(mut prompt: Prompt, revision: Revision) -> Prompt {
    let Prompt {
        title, icons, meta, ..
    } = &mut prompt;
    remove_newer_members(revision, title, icons, meta);
    if revision < Revision::V2025_06_18 {
        for argument in &mut prompt.arguments {
            argument.title = None;
        }
    }
    prompt
}

/// Converts a resource to the form of `revision`.
pub(crate) fn convert_resource(mut resource: Resource, revision: Revision) -> Resource {
    let Resource {
        title, icons, meta, ..
    } = &mut resource;
    remove_newer_members(revision, title, icons, meta);
    remove_last_modified(revision, &mut resource.annotations);
    resource
}

/// Converts a resource template to the form of `revision`.
pub(crate) fn convert_resource_template(
    mut template: ResourceTemplate,
    revision: Revision,
) -> ResourceTemplate {
    let ResourceTemplate {
        title, icons, meta, ..
    } = &mut template;
    remove_newer_members(revision, title, icons, meta);
    remove_last_modified(revision, &mut template.annotations);
    template
}

/// Removes the members that `revision` does not have. `title` and `_meta` were added in 2025-06-18,
/// and `icons` in 2025-11-25.
fn remove_newer_members(
    revision: Revision,
    title: &mut Option<String>,
    icons: &mut Vec<Icon>,
    meta: &mut Option<JsonObject>,
) {
    if revision < Revision::V2025_06_18 {
        *title = None;
        *meta = None;
    }
    if revision < Revision::V2025_11_25 {
        icons.clear();
    }
}

/// Removes `lastModified` for revisions before 2025-06-18.
fn remove_last_modified(revision: Revision, annotations: &mut Option<Annotations>) {
    if let (true, Some(annotations)) = (revision < Revision::V2025_06_18, annotations) {
        annotations.last_modified = None;
    }
}

/// Converts an output schema to the form of `revision`. A schema whose root is not an object is
/// wrapped for older revisions, because strict clients would reject the whole tool list.
fn convert_output_schema(schema: Cow<'_, Value>, revision: Revision) -> Option<Cow<'_, Value>> {
    if revision < Revision::V2025_06_18 {
        return None;
    }
    if ResultWrapping::for_revision(revision, || Some(&schema)) != ResultWrapping::Always {
        return Some(schema);
    }
    Some(Cow::Owned(wrap_schema(schema.into_owned())))
}

/// Returns the schema of an object with the member `result`. Moves `$defs` to the new root, because
/// references such as `#/$defs/…` start at the root.
fn wrap_schema(mut schema: Value) -> Value {
    let definitions = schema
        .as_object_mut()
        .and_then(|members| members.remove("$defs"));
    let mut root = json!({ "type": "object", "properties": {}, "required": ["result"] });
    root["properties"]["result"] = schema;
    if let Some(definitions) = definitions {
        root["$defs"] = definitions;
    }
    root
}
