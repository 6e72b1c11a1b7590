//! The rules of known clients and model APIs for tools.

use super::location::{SchemaKind, SchemaLocation};
use crate::schema::keyword::{escape, for_each_subschema, resolve_reference};
use crate::schema::normalize::STANDARD_FORMATS;
use serde_json::Value;
use std::collections::BTreeSet;

/// A rule of a client for the name of a tool.
pub(super) struct NameRule {
    pub(super) client: &'static str,
    pub(super) reason: &'static str,
    pub(super) is_rejected: fn(&str) -> bool,
}

pub(super) const NAME_RULES: [NameRule; 3] = [
    NameRule {
        client: "OpenAI, Anthropic and Gemini APIs",
        reason: "a tool name may contain only letters, digits, `_` and `-`",
        is_rejected: |name| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            name.is_empty() || !name.chars().all(allowed)
        },
    },
    NameRule {
        client: "OpenAI, Anthropic and Gemini APIs",
        reason: "a tool name may have at most 64 characters",
        is_rejected: |name| name.chars().count() > 64,
    },
    NameRule {
        client: "Claude Code and other hosts that add a prefix",
        reason: "with the host's prefix the name may exceed 64 characters; use at most 40",
        is_rejected: |name| (41..=64).contains(&name.chars().count()),
    },
];

/// A rule of a client for the length of a tool's description.
pub(super) struct DescriptionRule {
    pub(super) client: &'static str,
    pub(super) reason: &'static str,
    pub(super) max_chars: usize,
}

pub(super) const DESCRIPTION_RULES: [DescriptionRule; 2] = [
    DescriptionRule {
        client: "OpenAI API (since 2025)",
        reason: "a description may have at most 1024 characters, or every request is rejected",
        max_chars: 1024,
    },
    DescriptionRule {
        client: "Claude Code (since 2026)",
        reason: "a description is truncated after 2048 characters",
        max_chars: 2048,
    },
];

/// A rule of a client for a schema of a tool.
pub(super) struct SchemaRule {
    pub(super) client: &'static str,
    pub(super) reason: &'static str,
    /// The schema that the rule applies to. `None` means both schemas.
    kind: Option<SchemaKind>,
    /// Returns the JSON Pointer to the rejected part, relative to the location, if there is such a
    /// part.
    pub(super) find_rejected: fn(&SchemaLocation<'_>) -> Option<String>,
}

impl SchemaRule {
    pub(super) fn applies_to(&self, kind: SchemaKind) -> bool {
        self.kind.is_none_or(|only| only == kind)
    }
}

const INPUT: Option<SchemaKind> = Some(SchemaKind::Input);
const OUTPUT: Option<SchemaKind> = Some(SchemaKind::Output);

pub(super) const SCHEMA_RULES: [SchemaRule; 25] = [
    SchemaRule {
        client: "every client",
        reason: "the root must be a schema with `\"type\": \"object\"`",
        kind: INPUT,
        find_rejected: |location| at_root(location, location.schema["type"] != "object", ""),
    },
    SchemaRule {
        client: "clients built on Pydantic, OpenAI API",
        reason: "the root needs `properties`, which may be empty",
        kind: INPUT,
        find_rejected: |location| at_root(location, !location.schema["properties"].is_object(), ""),
    },
    SchemaRule {
        client: "Anthropic API, Claude Code",
        reason: "the root may not be a union; put it under a property",
        kind: INPUT,
        find_rejected: |location| {
            let unions = ["anyOf", "oneOf", "allOf"];
            let found = unions
                .into_iter()
                .find(|union| location.schema.get(union).is_some())?;
            at_root(location, true, &format!("/{found}"))
        },
    },
    SchemaRule {
        client: "clients built on the TypeScript SDK, before revision 2026-07-28",
        reason: "the root must have `\"type\": \"object\"`, or the whole list is rejected",
        kind: OUTPUT,
        find_rejected: |location| at_root(location, location.schema["type"] != "object", ""),
    },
    SchemaRule {
        client: "Gemini CLI, Claude desktop",
        reason: "`$schema` is not supported; remove it",
        kind: None,
        find_rejected: |location| has_keyword(location, "$schema"),
    },
    SchemaRule {
        client: "every client",
        reason: "the reference has no target",
        kind: None,
        find_rejected: |location| {
            let reference = location.schema.get("$ref")?.as_str()?;
            when(
                resolve_reference(location.root, reference).is_none(),
                "/$ref",
            )
        },
    },
    SchemaRule {
        client: "clients that support only `#/$defs/`",
        reason: "a reference must start with `#/$defs/`",
        kind: None,
        find_rejected: |location| {
            let reference = location.schema.get("$ref")?.as_str()?;
            let known = reference.starts_with("#/$defs/");
            when(
                !known && resolve_reference(location.root, reference).is_some(),
                "/$ref",
            )
        },
    },
    SchemaRule {
        client: "Claude Code, Copilot CLI, Kiro and other clients that drop `$defs`",
        reason: "a reference loses its target; inline the schema unless it is recursive",
        kind: INPUT,
        find_rejected: |location| {
            let reference = location.schema.get("$ref")?.as_str()?;
            resolve_reference(location.root, reference)?;
            when(!is_recursive(location.root, reference), "/$ref")
        },
    },
    SchemaRule {
        client: "Gemini API",
        reason: "a list of types is rejected; remove `null` or use `anyOf`",
        kind: INPUT,
        find_rejected: |location| when(location.schema["type"].is_array(), "/type"),
    },
    SchemaRule {
        client: "VS Code, Gemini API",
        reason: "a boolean is rejected as a schema; use `{}`",
        kind: None,
        find_rejected: |location| when(location.schema.is_boolean() && location.depth > 0, ""),
    },
    SchemaRule {
        client: "VS Code, OpenAI API",
        reason: "an array must have `items`, which may be `{}`",
        kind: INPUT,
        find_rejected: |location| {
            let is_array = location.schema["type"] == "array";
            when(is_array && location.schema.get("items").is_none(), "")
        },
    },
    SchemaRule {
        client: "Gemini API",
        reason: "`const` is not supported; use `enum` with one value",
        kind: INPUT,
        find_rejected: |location| has_keyword(location, "const"),
    },
    SchemaRule {
        client: "clients built on Ajv",
        reason: "the format is not one that JSON Schema defines; use bounds or remove it",
        kind: None,
        find_rejected: |location| {
            let format = location.schema.get("format")?.as_str()?;
            when(!STANDARD_FORMATS.contains(&format), "/format")
        },
    },
    SchemaRule {
        client: "Gemini API, VS Code",
        reason: "a property of any type is rejected or misused; declare a type",
        kind: INPUT,
        find_rejected: |location| {
            let parent = location.pointer.rsplit('/').nth(1);
            let type_keywords = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];
            let has_type = type_keywords
                .iter()
                .any(|keyword| location.schema.get(keyword).is_some());
            when(
                parent == Some("properties") && location.schema.is_object() && !has_type,
                "",
            )
        },
    },
    SchemaRule {
        client: "models",
        reason: "a list of unions is often sent as a string; prefer a flat object or an enum",
        kind: INPUT,
        find_rejected: |location| {
            let items = location.schema.get("items")?;
            let unions = ["anyOf", "oneOf"];
            let branches = unions.iter().find_map(|union| items.get(union)?.as_array());
            let objects = branches?
                .iter()
                .filter(|branch| branch["type"] == "object")
                .count();
            when(objects > 1, "/items")
        },
    },
    SchemaRule {
        client: "hosts with a token budget",
        reason: "the schema has more than 16384 bytes; use smaller types or split the tool",
        kind: INPUT,
        find_rejected: |location| at_root(location, location.schema.to_string().len() > 16_384, ""),
    },
    // The Anthropic API and Amazon Bedrock check only the property names of the root schema.
    SchemaRule {
        client: "Anthropic API, Amazon Bedrock (since 2025)",
        reason: "a property name must match `[a-zA-Z0-9_.-]{1,64}`, or every request is rejected",
        kind: INPUT,
        find_rejected: |location| {
            let names = location.schema.get("properties")?.as_object()?.keys();
            let mut rejected = names.filter(|name| !is_portable_name(name));
            let suffix = format!("/properties/{}", escape(rejected.next()?));
            at_root(location, true, &suffix)
        },
    },
    SchemaRule {
        client: "Gemini API (since 2025)",
        reason: "an enum may contain only strings, or every request is rejected",
        kind: INPUT,
        find_rejected: |location| {
            let values = location.schema.get("enum")?.as_array()?;
            when(values.iter().any(|value| !value.is_string()), "/enum")
        },
    },
    SchemaRule {
        client: "Gemini API (since 2025)",
        reason: "an enum value may not be empty, or every request is rejected",
        kind: INPUT,
        find_rejected: |location| {
            let values = location.schema.get("enum")?.as_array()?;
            when(values.iter().any(|value| value == ""), "/enum")
        },
    },
    SchemaRule {
        client: "Gemini API (since 2025)",
        reason: "exclusive bounds are not supported; use `minimum` or `maximum`",
        kind: INPUT,
        find_rejected: |location| {
            has_keyword(location, "exclusiveMinimum")
                .or_else(|| has_keyword(location, "exclusiveMaximum"))
        },
    },
    SchemaRule {
        client: "Gemini API, OpenAI API with `strict` (since 2024)",
        reason: "`prefixItems` is not supported; use an object instead of a tuple",
        kind: INPUT,
        find_rejected: |location| has_keyword(location, "prefixItems"),
    },
    SchemaRule {
        client: "Gemini API, OpenAI API with `strict` (since 2024)",
        reason: "`uniqueItems` is not supported; accept a list and remove duplicates",
        kind: INPUT,
        find_rejected: |location| has_keyword(location, "uniqueItems"),
    },
    SchemaRule {
        client: "Gemini API, OpenAI API with `strict` (since 2024)",
        reason: "`propertyNames` is not supported; describe the names in words",
        kind: INPUT,
        find_rejected: |location| has_keyword(location, "propertyNames"),
    },
    SchemaRule {
        client: "OpenAI API with `strict` (since 2024)",
        reason: "the format is not supported; describe it in words",
        kind: INPUT,
        find_rejected: |location| {
            let format = location.schema.get("format")?.as_str()?;
            let is_standard = STANDARD_FORMATS.contains(&format);
            when(is_standard && !STRICT_FORMATS.contains(&format), "/format")
        },
    },
    SchemaRule {
        client: "llama.cpp, Ollama, LM Studio (since 2025)",
        reason: "a pattern must start with `^` and end with `$`, or every request is rejected",
        kind: INPUT,
        find_rejected: |location| {
            let pattern = location.schema.get("pattern")?.as_str()?;
            let is_anchored = pattern.starts_with('^') && pattern.ends_with('$');
            when(!is_anchored, "/pattern")
        },
    },
];

/// The formats that the OpenAI API supports in its `strict` mode.
const STRICT_FORMATS: [&str; 9] = [
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "time",
    "uuid",
];

/// Whether every known model API accepts this property name.
fn is_portable_name(name: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(is_allowed)
}

fn when(rejected: bool, suffix: &str) -> Option<String> {
    rejected.then(|| suffix.to_owned())
}

fn at_root(location: &SchemaLocation<'_>, rejected: bool, suffix: &str) -> Option<String> {
    when(rejected && location.depth == 0, suffix)
}

fn has_keyword(location: &SchemaLocation<'_>, keyword: &str) -> Option<String> {
    when(
        location.schema.get(keyword).is_some(),
        &format!("/{keyword}"),
    )
}

/// Whether the target of a reference contains a reference to itself, as in a recursive type.
fn is_recursive(root: &Value, reference: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut queue = vec![reference.to_owned()];
    while let Some(next) = queue.pop() {
        let mut found = Vec::new();
        if let Some(schema) = resolve_reference(root, &next) {
            collect_references(schema, &mut found);
        }
        if found.iter().any(|found| found == reference) {
            return true;
        }
        queue.extend(found.into_iter().filter(|found| seen.insert(found.clone())));
    }
    false
}

fn collect_references(schema: &Value, found: &mut Vec<String>) {
    let Value::Object(keywords) = schema else {
        return;
    };
    found.extend(
        keywords
            .get("$ref")
            .and_then(Value::as_str)
            .map(str::to_owned),
    );
    for_each_subschema(keywords, |_, _, child| collect_references(child, found));
}
