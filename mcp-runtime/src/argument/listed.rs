//! The schema of arguments as JSON, without a tree in between: that is most of
//! what the first list of many tools costs.

use serde::Serialize;
use serde_json::Value;

use super::of_type::OfType;
use super::preset::Preset;
use super::{Parameter, Unknown};

/// The schema moves parts of one parameter to another place.
#[derive(Debug)]
pub(super) struct Intertwined;

/// Appends what [`object`](crate::schema::object) makes of the parameters.
pub(super) fn write(
    out: &mut Vec<u8>,
    parameters: &[Parameter],
    unknown: Unknown,
) -> Result<(), Intertwined> {
    out.push(b'{');
    if unknown == Unknown::Refuse {
        member(out, "additionalProperties", &false);
    }
    name(out, "properties");
    out.push(b'{');
    let mut sorted: Vec<&Parameter> = parameters.iter().collect();
    sorted.sort_unstable_by_key(|parameter| parameter.name);
    for parameter in sorted {
        name(out, parameter.name);
        property(out, parameter)?;
    }
    out.push(b'}');
    let required = parameters.iter().filter(|it| it.is_required());
    let required: Vec<&str> = required.map(Parameter::name).collect();
    if !required.is_empty() {
        member(out, "required", &required);
    }
    member(out, "type", "object");
    out.push(b'}');
    Ok(())
}

/// Appends what is advertised of a parameter, with its default.
fn property(out: &mut Vec<u8>, parameter: &Parameter) -> Result<(), Intertwined> {
    let of_type = OfType::of(parameter.schema);
    let alone = of_type.members.as_ref().ok_or(Intertwined)?;
    let default = parameter.default.map(Preset::told);
    if parameter.has_keywords() {
        let mut schema = parameter.advertised();
        if let (Value::Object(schema), Some(default)) = (&mut schema, default) {
            schema.insert("default".to_owned(), default);
        }
        value(out, &schema);
        return Ok(());
    }
    out.push(b'{');
    let description = parameter.told_description().map(|it| Value::from(&*it));
    let description = description.or_else(|| of_type.description.clone());
    let own = [("default", default), ("description", description)];
    let mut own = own
        .iter()
        .filter_map(|(name, value)| Some((*name, value.as_ref()?)))
        .peekable();
    for (keyword, text) in alone {
        while let Some((name, value)) = own.next_if(|(name, _)| name < &keyword.as_str()) {
            member(out, name, value);
        }
        if own.peek().is_none_or(|(name, _)| name != keyword) {
            name(out, keyword);
            out.extend_from_slice(text.as_bytes());
        }
    }
    own.for_each(|(name, value)| member(out, name, value));
    out.push(b'}');
    Ok(())
}

fn member<T: Serialize + ?Sized>(out: &mut Vec<u8>, key: &str, content: &T) {
    name(out, key);
    value(out, content);
}

fn name(out: &mut Vec<u8>, name: &str) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    value(out, name);
    out.push(b':');
}

/// Keywords, texts and trees always serialize.
fn value<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let _ = serde_json::to_writer(out, value);
}
