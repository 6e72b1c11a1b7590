//! The table: what is refused by whom.

use super::{Place, Side};
use crate::schema::keyword::{each_child, target};
use crate::schema::normalise::STANDARD_FORMATS;
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) struct NameRule {
    pub(super) client: &'static str,
    pub(super) reason: &'static str,
    pub(super) refuses: fn(&str) -> bool,
}

pub(super) const NAME_RULES: [NameRule; 3] = [
    NameRule {
        client: "OpenAI, Anthropic and Gemini APIs",
        reason: "a tool name may hold only letters, digits, `_` and `-`",
        refuses: |name| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            name.is_empty() || !name.chars().all(allowed)
        },
    },
    NameRule {
        client: "OpenAI, Anthropic and Gemini APIs",
        reason: "a tool name may have at most 64 characters",
        refuses: |name| name.chars().count() > 64,
    },
    NameRule {
        client: "Claude Code and other hosts that add a prefix",
        reason: "with the host's prefix the name may exceed 64 characters; use at most 40",
        refuses: |name| (41..=64).contains(&name.chars().count()),
    },
];

pub(super) struct SchemaRule {
    pub(super) client: &'static str,
    pub(super) reason: &'static str,
    /// The schemas it is for; `None` for both.
    side: Option<Side>,
    /// The pointer below the place to what is refused, if something is.
    pub(super) refuses: fn(&Place<'_>) -> Option<String>,
}

impl SchemaRule {
    pub(super) fn concerns(&self, side: Side) -> bool {
        self.side.is_none_or(|only| only == side)
    }
}

const INPUT: Option<Side> = Some(Side::Input);
const OUTPUT: Option<Side> = Some(Side::Output);

pub(super) const SCHEMA_RULES: [SchemaRule; 16] = [
    SchemaRule {
        client: "every client",
        reason: "the root must be a schema with `\"type\": \"object\"`",
        side: INPUT,
        refuses: |place| at_root(place, place.schema["type"] != "object", ""),
    },
    SchemaRule {
        client: "clients built on Pydantic, OpenAI API",
        reason: "the root needs `properties`, if only an empty one",
        side: INPUT,
        refuses: |place| at_root(place, !place.schema["properties"].is_object(), ""),
    },
    SchemaRule {
        client: "Anthropic API, Claude Code",
        reason: "the root may not be a union; put it under a property",
        side: INPUT,
        refuses: |place| {
            let unions = ["anyOf", "oneOf", "allOf"];
            let found = unions
                .into_iter()
                .find(|union| place.schema.get(union).is_some())?;
            at_root(place, true, &format!("/{found}"))
        },
    },
    SchemaRule {
        client: "clients built on the TypeScript SDK, before revision 2026-07-28",
        reason: "the root must have `\"type\": \"object\"`, or the whole list is refused",
        side: OUTPUT,
        refuses: |place| at_root(place, place.schema["type"] != "object", ""),
    },
    SchemaRule {
        client: "Gemini CLI, Claude desktop",
        reason: "`$schema` is not understood; leave it out",
        side: None,
        refuses: |place| keyword(place, "$schema"),
    },
    SchemaRule {
        client: "every client",
        reason: "the reference leads nowhere",
        side: None,
        refuses: |place| {
            let reference = place.schema.get("$ref")?.as_str()?;
            when(target(place.root, reference).is_none(), "/$ref")
        },
    },
    SchemaRule {
        client: "clients that know `#/$defs/` only",
        reason: "a reference must point below `#/$defs/`",
        side: None,
        refuses: |place| {
            let reference = place.schema.get("$ref")?.as_str()?;
            let known = reference.starts_with("#/$defs/");
            when(!known && target(place.root, reference).is_some(), "/$ref")
        },
    },
    SchemaRule {
        client: "Claude Code, Copilot CLI, Kiro and other clients that drop `$defs`",
        reason: "a reference loses its target; inline the schema unless it is recursive",
        side: INPUT,
        refuses: |place| {
            let reference = place.schema.get("$ref")?.as_str()?;
            target(place.root, reference)?;
            when(!is_recursive(place.root, reference), "/$ref")
        },
    },
    SchemaRule {
        client: "Gemini API",
        reason: "a list of types is refused; leave `null` out or use `anyOf`",
        side: INPUT,
        refuses: |place| when(place.schema["type"].is_array(), "/type"),
    },
    SchemaRule {
        client: "VS Code, Gemini API",
        reason: "a boolean is no schema; use `{}`",
        side: None,
        refuses: |place| when(place.schema.is_boolean() && place.depth > 0, ""),
    },
    SchemaRule {
        client: "VS Code, OpenAI API",
        reason: "an array must say what its items are, if only `{}`",
        side: INPUT,
        refuses: |place| {
            let is_array = place.schema["type"] == "array";
            when(is_array && place.schema.get("items").is_none(), "")
        },
    },
    SchemaRule {
        client: "Gemini API",
        reason: "`const` is not understood; use `enum` with one value",
        side: INPUT,
        refuses: |place| keyword(place, "const"),
    },
    SchemaRule {
        client: "clients built on Ajv",
        reason: "the format is not one of JSON Schema's; use bounds, or leave it out",
        side: None,
        refuses: |place| {
            let format = place.schema.get("format")?.as_str()?;
            when(!STANDARD_FORMATS.contains(&format), "/format")
        },
    },
    SchemaRule {
        client: "Gemini API, VS Code",
        reason: "a property of any type is refused or misused; declare a type",
        side: INPUT,
        refuses: |place| {
            let parent = place.pointer.rsplit('/').nth(1);
            let telling = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];
            let told = telling
                .iter()
                .any(|keyword| place.schema.get(keyword).is_some());
            when(
                parent == Some("properties") && place.schema.is_object() && !told,
                "",
            )
        },
    },
    SchemaRule {
        client: "models",
        reason: "a list of unions is often sent as a string; prefer a flat object or an enum",
        side: INPUT,
        refuses: |place| {
            let items = place.schema.get("items")?;
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
        reason: "the schema has more than 16384 bytes; take smaller types or split the tool",
        side: INPUT,
        refuses: |place| at_root(place, place.schema.to_string().len() > 16_384, ""),
    },
];

fn when(refused: bool, below: &str) -> Option<String> {
    refused.then(|| below.to_owned())
}

fn at_root(place: &Place<'_>, refused: bool, below: &str) -> Option<String> {
    when(refused && place.depth == 0, below)
}

fn keyword(place: &Place<'_>, keyword: &str) -> Option<String> {
    when(place.schema.get(keyword).is_some(), &format!("/{keyword}"))
}

/// Whether the schema it leads to leads back to it, as a recursive type does.
fn is_recursive(root: &Value, reference: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![reference.to_owned()];
    while let Some(next) = open.pop() {
        let mut found = Vec::new();
        if let Some(schema) = target(root, &next) {
            collect_references(schema, &mut found);
        }
        if found.iter().any(|found| found == reference) {
            return true;
        }
        open.extend(found.into_iter().filter(|found| seen.insert(found.clone())));
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
    each_child(keywords, |_, _, child| collect_references(child, found));
}
