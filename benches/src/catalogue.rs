//! The generated tools as the floor lists them, in plain structs.

use serde::Serialize;

/// A result of `tools/list`.
#[derive(Debug, Serialize)]
pub struct Catalogue {
    tools: Vec<Tool>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    name: String,
    description: String,
    input_schema: Object,
    annotations: Annotations,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    r#type: &'static str,
    properties: Properties,
    required: [&'static str; 2],
    additional_properties: bool,
}

#[derive(Debug, Serialize)]
struct Properties {
    query: Property,
    limit: Property,
    archived: Property,
}

#[derive(Debug, Serialize)]
struct Property {
    description: &'static str,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimum: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    maximum: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    read_only_hint: bool,
}

impl Catalogue {
    /// Creates a list of `count` tools.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self {
            tools: (0..count).map(tool).collect(),
        }
    }
}

fn tool(index: usize) -> Tool {
    let property = |description, r#type| Property {
        description,
        r#type,
        minimum: None,
        maximum: None,
    };
    let limit = Property {
        minimum: Some(0),
        maximum: Some(u32::MAX),
        ..property("How many entries to give at most.", "integer")
    };
    Tool {
        name: format!("look_up_{index:04}"),
        description: format!("Looks up entry {index} of the catalogue and says what it found."),
        input_schema: Object {
            r#type: "object",
            properties: Properties {
                query: property("What to look for, in plain words.", "string"),
                limit,
                archived: property("Whether to look into old entries too.", "boolean"),
            },
            required: ["query", "limit"],
            additional_properties: false,
        },
        annotations: Annotations {
            read_only_hint: true,
        },
    }
}
