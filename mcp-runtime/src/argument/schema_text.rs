//! Writes the schema of arguments as JSON text without building a tree. Building the trees would be
//! most of the cost of the first `tools/list` of a large server.

use serde::Serialize;
use serde_json::Value;

use super::default_value::DefaultValue;
use super::type_schema::TypeSchema;
use super::{Parameter, UnknownArguments};

/// The error for a parameter whose schema has parts that belong elsewhere in the document, such as
/// `$defs`. The whole schema must then be built as a tree.
#[derive(Debug)]
pub(super) struct SchemaTreeNeeded;

/// Appends the JSON text of the schema that [`object_schema`](crate::schema::object_schema) builds
/// for the parameters.
pub(super) fn write(
    out: &mut Vec<u8>,
    parameters: &[Parameter],
    unknown: UnknownArguments,
) -> Result<(), SchemaTreeNeeded> {
    out.push(b'{');
    if unknown == UnknownArguments::Reject {
        write_member(out, "additionalProperties", &false);
    }
    write_key(out, "properties");
    out.push(b'{');
    let mut sorted: Vec<&Parameter> = parameters.iter().collect();
    sorted.sort_unstable_by_key(|parameter| parameter.name);
    for parameter in sorted {
        write_key(out, parameter.name);
        write_property(out, parameter)?;
    }
    out.push(b'}');
    let required = parameters.iter().filter(|it| it.is_required());
    let required: Vec<&str> = required.map(Parameter::name).collect();
    if !required.is_empty() {
        write_member(out, "required", &required);
    }
    write_member(out, "type", "object");
    out.push(b'}');
    Ok(())
}

/// Appends the advertised schema of a parameter, with its default.
fn write_property(out: &mut Vec<u8>, parameter: &Parameter) -> Result<(), SchemaTreeNeeded> {
    let type_schema = TypeSchema::of(parameter.schema);
    let members = type_schema.members.as_ref().ok_or(SchemaTreeNeeded)?;
    let default = parameter.default.map(DefaultValue::to_json);
    if parameter.has_keywords() {
        let mut schema = parameter.advertised_schema();
        if let (Value::Object(schema), Some(default)) = (&mut schema, default) {
            schema.insert("default".to_owned(), default);
        }
        write_value(out, &schema);
        return Ok(());
    }
    out.push(b'{');
    let description = parameter.full_description().map(|it| Value::from(&*it));
    let description = description.or_else(|| type_schema.description.clone());
    let own = [("default", default), ("description", description)];
    let mut own = own
        .iter()
        .filter_map(|(name, value)| Some((*name, value.as_ref()?)))
        .peekable();
    for (keyword, text) in members {
        while let Some((name, value)) = own.next_if(|(name, _)| name < &keyword.as_str()) {
            write_member(out, name, value);
        }
        if own.peek().is_none_or(|(name, _)| name != keyword) {
            write_key(out, keyword);
            out.extend_from_slice(text.as_bytes());
        }
    }
    own.for_each(|(name, value)| write_member(out, name, value));
    out.push(b'}');
    Ok(())
}

fn write_member<T: Serialize + ?Sized>(out: &mut Vec<u8>, key: &str, value: &T) {
    write_key(out, key);
    write_value(out, value);
}

fn write_key(out: &mut Vec<u8>, key: &str) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    write_value(out, key);
    out.push(b':');
}

/// Appends a value as JSON. Serializing keywords, strings and trees cannot fail.
fn write_value<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let _ = serde_json::to_writer(out, value);
}
