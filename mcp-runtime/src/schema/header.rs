use serde_json::Value;

/// An argument that clients over HTTP repeat in a header
/// (specification of 2026-07-28, *Tools*, *x-mcp-header*).
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderParameter {
    /// The name of the header, in lower case.
    pub(crate) header: String,
    /// Where the argument is, from the root of the arguments.
    pub(crate) path: Vec<String>,
}

/// Every property that says so and can be reached through `properties` alone.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_properties_lead_to_is_mirrored() {
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
}
