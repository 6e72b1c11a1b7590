use serde_json::Value;

/// An argument that HTTP clients repeat in a header
/// (specification of 2026-07-28, *Tools*, *x-mcp-header*).
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderParameter {
    /// The name of the header, in lower case.
    pub(crate) header: String,
    /// The member names that lead from the root of the arguments to the argument.
    pub(crate) path: Vec<String>,
}

/// Returns all arguments with `x-mcp-header` that are reachable through `properties` only.
pub(crate) fn header_parameters(schema: &Value) -> Vec<HeaderParameter> {
    let mut found = Vec::new();
    collect(schema, &mut Vec::new(), &mut found);
    found
}

fn collect(schema: &Value, path: &mut Vec<String>, found: &mut Vec<HeaderParameter>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        path.push(name.clone());
        if let Some(suffix) = property.get("x-mcp-header").and_then(Value::as_str) {
            found.push(HeaderParameter {
                header: format!("mcp-param-{}", suffix.to_ascii_lowercase()),
                path: path.clone(),
            });
        }
        collect(property, path, found);
        path.pop();
    }
}

/// Returns the header parameters in a tool schema of another server.
///
/// # Errors
/// Returns the rule that the schema violates (specification of 2026-07-28, *Tools*,
/// *x-mcp-header*).
#[cfg(feature = "http-client")]
pub(crate) fn try_header_parameters(schema: &Value) -> Result<Vec<HeaderParameter>, &'static str> {
    let found = header_parameters(schema);
    if count_header_keywords(schema) != found.len() {
        return Err("`x-mcp-header` is not a string, or not on a property");
    }
    for (at, parameter) in found.iter().enumerate() {
        let name = parameter.header.strip_prefix("mcp-param-").unwrap_or("");
        if name.is_empty() || !name.bytes().all(is_token) {
            return Err("`x-mcp-header` is not a valid header name");
        }
        if found[..at].iter().any(|it| it.header == parameter.header) {
            return Err("two arguments have the same `x-mcp-header`");
        }
        let steps = parameter.path.iter();
        let property = steps.fold(schema, |schema, step| &schema["properties"][step]);
        if !["string", "integer", "boolean"].contains(&property["type"].as_str().unwrap_or("")) {
            return Err("`x-mcp-header` is on a type other than string, integer and boolean");
        }
    }
    Ok(found)
}

/// Counts all `x-mcp-header` keywords in a schema.
#[cfg(feature = "http-client")]
fn count_header_keywords(schema: &Value) -> usize {
    let Some(keywords) = schema.as_object() else {
        return schema
            .as_array()
            .into_iter()
            .flatten()
            .map(count_header_keywords)
            .sum();
    };
    let inner = keywords
        .iter()
        .map(|(keyword, value)| match keyword.as_str() {
            "x-mcp-header" => 1,
            // The values of these keywords are not schemas.
            "const" | "default" | "enum" | "examples" => 0,
            "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
                let schemas = value.as_object().into_iter().flatten();
                schemas
                    .map(|(_, schema)| count_header_keywords(schema))
                    .sum()
            }
            _ => count_header_keywords(value),
        });
    inner.sum()
}

/// Whether a header name can contain the byte (RFC 9110, *Tokens*).
#[cfg(feature = "http-client")]
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_headers_below_properties_are_found() {
        let check = |schema: Value, expected: &[(&str, &[&str])]| {
            let found = header_parameters(&schema);
            let found: Vec<_> = found
                .iter()
                .map(|it| (it.header.as_str(), &it.path))
                .collect();
            let expected: Vec<_> = expected
                .iter()
                .map(|(header, path)| (*header, path.iter().map(|it| (*it).to_owned()).collect()))
                .collect::<Vec<(&str, Vec<String>)>>();
            let expected: Vec<_> = expected
                .iter()
                .map(|(header, path)| (*header, path))
                .collect();
            assert_eq!(found, expected, "{schema}");
        };
        let region = json!({ "type": "string", "x-mcp-header": "Region" });
        check(json!({ "type": "object" }), &[]);
        check(
            json!({ "properties": { "r": region, "other": {} } }),
            &[("mcp-param-region", &["r"])],
        );
        check(
            json!({ "properties": { "a": { "properties": { "b": region } } } }),
            &[("mcp-param-region", &["a", "b"])],
        );
        check(json!({ "properties": { "a": { "items": region } } }), &[]);
        check(json!({ "anyOf": [{ "properties": { "a": region } }] }), &[]);
    }

    #[cfg(feature = "http-client")]
    #[test]
    fn an_invalid_header_is_rejected() {
        let check = |properties: Value, legal: bool| {
            let schema = json!({ "type": "object", "properties": properties });
            let checked = try_header_parameters(&schema);
            assert_eq!(checked.is_ok(), legal, "{schema}: {checked:?}");
        };
        let typed = |kind: &str, name: &str| json!({ "type": kind, "x-mcp-header": name });
        check(json!({}), true);
        check(json!({ "a": typed("string", "Region") }), true);
        check(json!({ "a": typed("integer", "R!#~") }), true);
        check(
            json!({ "a": { "properties": { "b": typed("boolean", "B") } } }),
            true,
        );
        check(json!({ "x-mcp-header": { "type": "string" } }), true);
        check(
            json!({ "a": { "type": "string", "default": { "x-mcp-header": 1 } } }),
            true,
        );
        for name in ["", "My Region", "Region:Primary", "Région", "Region\t1"] {
            check(json!({ "a": typed("string", name) }), false);
        }
        for kind in ["object", "array", "null", "number"] {
            check(json!({ "a": typed(kind, "Data") }), false);
        }
        check(json!({ "a": { "x-mcp-header": "Data" } }), false);
        check(
            json!({ "a": { "type": "string", "x-mcp-header": 7 } }),
            false,
        );
        check(
            json!({ "a": { "type": ["string", "null"], "x-mcp-header": "A" } }),
            false,
        );
        check(
            json!({ "a": typed("string", "A"), "b": typed("string", "a") }),
            false,
        );
        check(json!({ "a": { "items": typed("string", "A") } }), false);
        check(json!({ "a": { "anyOf": [typed("string", "A")] } }), false);
    }
}
