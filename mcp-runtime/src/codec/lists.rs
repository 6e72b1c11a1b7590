use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};

use super::{Wrap, json as write, member};
use crate::protocol::{
    Annotations, Icon, JsonObject, Prompt, Resource, ResourceTemplate, Revision, Tool,
};

/// A schema for a list.
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
            Self::Tree(tree) => write(out, tree),
            Self::Json(json) => out.extend_from_slice(json),
        }
    }
}

/// Appends a tool as `revision` lists it.
pub(crate) fn write_tool(out: &mut Vec<u8>, tool: Tool<Schema<'_>>, revision: Revision) {
    let tool = self::tool(tool, revision);
    out.push(b'{');
    member(out, "name");
    write(out, &tool.name);
    given(out, "title", tool.title.as_ref());
    given(out, "description", tool.description.as_ref());
    given(out, "icons", Some(&tool.icons).filter(|it| !it.is_empty()));
    member(out, "inputSchema");
    tool.input_schema.write(out);
    if let Some(schema) = &tool.output_schema {
        member(out, "outputSchema");
        schema.write(out);
    }
    given(out, "annotations", tool.annotations.as_ref());
    given(out, "_meta", tool.meta.as_ref());
    out.push(b'}');
}

fn given<T: Serialize>(out: &mut Vec<u8>, name: &str, value: Option<&T>) {
    if let Some(value) = value {
        member(out, name);
        write(out, value);
    }
}

/// A tool as `revision` lists it.
pub(crate) fn tool(mut tool: Tool<Schema<'_>>, revision: Revision) -> Tool<Schema<'_>> {
    let output = tool.output_schema.map(Schema::into_tree);
    tool.output_schema = output
        .and_then(|schema| output_schema(schema, revision))
        .map(Schema::Tree);
    let Tool {
        title, icons, meta, ..
    } = &mut tool;
    strip(revision, title, icons, meta);
    if revision < Revision::V2025_03_26 {
        tool.annotations = None;
    }
    tool
}

/// A prompt as `revision` lists it.
pub(crate) fn prompt(mut prompt: Prompt, revision: Revision) -> Prompt {
    let Prompt {
        title, icons, meta, ..
    } = &mut prompt;
    strip(revision, title, icons, meta);
    if revision < Revision::V2025_06_18 {
        for argument in &mut prompt.arguments {
            argument.title = None;
        }
    }
    prompt
}

/// A resource as `revision` lists it.
pub(crate) fn resource(mut resource: Resource, revision: Revision) -> Resource {
    let Resource {
        title, icons, meta, ..
    } = &mut resource;
    strip(revision, title, icons, meta);
    undate(revision, &mut resource.annotations);
    resource
}

/// A template as `revision` lists it.
pub(crate) fn resource_template(
    mut template: ResourceTemplate,
    revision: Revision,
) -> ResourceTemplate {
    let ResourceTemplate {
        title, icons, meta, ..
    } = &mut template;
    strip(revision, title, icons, meta);
    undate(revision, &mut template.annotations);
    template
}

/// Titles and `_meta` came with 2025-06-18, icons with 2025-11-25.
fn strip(
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

/// `lastModified` came with 2025-06-18.
fn undate(revision: Revision, annotations: &mut Option<Annotations>) {
    if let (true, Some(annotations)) = (revision < Revision::V2025_06_18, annotations) {
        annotations.last_modified = None;
    }
}

/// A schema whose root is no object would make strict older clients refuse the
/// whole list.
fn output_schema(schema: Cow<'_, Value>, revision: Revision) -> Option<Cow<'_, Value>> {
    if revision < Revision::V2025_06_18 {
        return None;
    }
    if Wrap::at(revision, || Some(&schema)) != Wrap::Always {
        return Some(schema);
    }
    Some(Cow::Owned(wrapped(schema.into_owned())))
}

/// `$defs` stay at the root, where references point.
fn wrapped(mut schema: Value) -> Value {
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
