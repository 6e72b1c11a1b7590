//! Generates messages of which most members are valid.

use mcp_runtime::Value;
use proptest::prelude::*;
use serde_json::json;

use crate::schema_instances::anything;

/// A message whose members are valid or arbitrary.
pub(crate) fn message() -> impl Strategy<Value = Value> {
    let methods = prop::sample::select(vec![
        "initialize",
        "ping",
        "tools/list",
        "tools/call",
        "server/discover",
        "notifications/cancelled",
        "notifications/initialized",
        "notifications/progress",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "subscriptions/listen",
        "tasks/get",
        "",
    ]);
    let id =
        prop_oneof![3 => (0_i64..4).prop_map(Value::from), 1 => Just(json!("a")), 1 => anything()];
    (
        prop::option::weighted(0.9, or_anything(Just(json!("2.0")))),
        prop::option::weighted(0.9, id),
        prop::option::weighted(0.9, or_anything(methods.prop_map(Value::from))),
        prop::option::weighted(0.9, or_anything(params())),
        prop::option::weighted(0.1, anything()),
        prop::option::weighted(0.1, anything()),
    )
        .prop_map(|(version, id, method, params, result, error)| {
            object([
                ("jsonrpc", version),
                ("id", id),
                ("method", method),
                ("params", params),
                ("result", result),
                ("error", error),
            ])
        })
}

fn params() -> impl Strategy<Value = Value> {
    let one_of = |texts: &[&'static str]| {
        or_anything(prop::sample::select(texts.to_vec()).prop_map(Value::from))
    };
    let name = one_of(&[
        "of_u8", "of_tree", "soon", "of_value", "blocking", "greet", "none",
    ]);
    let uri = one_of(&[
        "note://1",
        "note://2?page=x",
        "note://9",
        "note://",
        "note://{id}{?page}",
    ]);
    let level = one_of(&["debug", "emergency", "loud"]);
    let reference = prop_oneof![
        Just(json!({ "type": "ref/prompt", "name": "greet" })),
        Just(json!({ "type": "ref/resource", "uri": "note://{id}{?page}" })),
    ];
    let argument = one_of(&["name", "id", "none"]);
    let argument = argument.prop_map(|name| json!({ "name": name, "value": "a" }));
    let optional = prop::option::of::<BoxedStrategy<Value>>;
    (
        (optional(name), optional(arguments()), optional(meta())),
        (optional(uri), optional(level), optional(anything())),
        (
            optional(or_anything(reference)),
            optional(or_anything(argument)),
        ),
        optional(or_anything(Just(json!({ "toolsListChanged": true })))),
    )
        .prop_map(
            |((name, arguments, meta), (uri, level, id), (reference, argument), filter)| {
                object([
                    ("name", name),
                    ("arguments", arguments),
                    ("_meta", meta),
                    ("uri", uri),
                    ("level", level),
                    ("requestId", id),
                    ("ref", reference),
                    ("argument", argument),
                    ("notifications", filter),
                ])
            },
        )
}

fn arguments() -> BoxedStrategy<Value> {
    let of_prompt =
        (anything(), anything()).prop_map(|(name, times)| json!({ "name": name, "times": times }));
    or_anything(prop_oneof![
        of_prompt,
        Just(json!({ "name": "Ada", "times": "3" }))
    ])
}

fn meta() -> BoxedStrategy<Value> {
    let more = (prop::option::of(anything()), prop::option::of(anything()));
    let meta = more.prop_map(|(token, level)| {
        object([
            (
                "io.modelcontextprotocol/protocolVersion",
                Some(json!("2026-07-28")),
            ),
            (
                "io.modelcontextprotocol/clientCapabilities",
                Some(json!({})),
            ),
            ("progressToken", token),
            ("io.modelcontextprotocol/logLevel", level),
            (
                "traceparent",
                Some(json!(
                    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
                )),
            ),
        ])
    });
    or_anything(meta)
}

fn or_anything(value: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    prop_oneof![5 => value, 1 => anything()].boxed()
}

fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let members = members.into_iter();
    members
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}
