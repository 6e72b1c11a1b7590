//! Result types of handlers, and what clients of each revision receive.

use mcp_runtime::output::schema_of;
use mcp_runtime::prelude::*;
use mcp_runtime::protocol::{CallToolResult, ContentBlock};
use mcp_runtime::{
    Audio, Cursor, Embedded, Id64, Image, Page, ResourceLink, Role, Server, Structured, Text,
    ToolOutput, Value,
};
use serde_json::json;
use support::wire::Revision;

use support::dispatcher_client::{DispatcherClient, assert_contains};

/// Draws one pixel.
#[tool(inline)]
fn picture() -> Image {
    Image::png([1, 2, 3, 4])
        .audience([Role::User])
        .priority(2.0)
}

/// Returns a sound or nothing.
#[tool(inline)]
fn perhaps_sound(play: bool) -> Option<Audio> {
    play.then(|| Audio::wav(b"RIFF"))
}

/// Returns content of several types.
#[tool(inline)]
fn mixed() -> (Text, Embedded, ResourceLink) {
    let link = ResourceLink::new("file:///a.txt", "a").title("A").size(2);
    (
        Text::new("Here:").priority(f64::NAN),
        Embedded::text("file:///a.txt", "hi").mime_type("text/plain"),
        link.last_modified("2026-01-01T00:00:00Z"),
    )
}

/// Returns a list of content blocks.
#[tool(inline)]
fn mixed_list() -> Result<Vec<ContentBlock>, ToolError> {
    let bytes = Embedded::bytes("file:///b", [255]).audience([Role::Assistant]);
    Ok(vec!["first".into(), bytes.into()])
}

/// Returns several images.
#[tool(inline)]
fn pictures() -> [Image; 2] {
    [Image::jpeg("a"), Image::new("image/avif", "bc")]
}

#[json]
struct Weather {
    celsius: f64,
}

/// Returns raw JSON that contains newlines.
#[tool(inline)]
fn pretty() -> CallToolResult {
    let json = "{\n  \"text\": \"a\\nb\",\r\n  \"rest\": [\r1]\n}";
    let result = format!("{{\"structuredContent\":{json}}}");
    serde_json::from_str(&result).unwrap()
}

#[test]
fn newlines_in_raw_json_are_removed() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::connect(Server::new("tests", "1"), revision);
        // The client checks that every response is one line.
        let reply = client.call("pretty", json!({}));
        if revision >= Revision::V2025_06_18 {
            let structured = &reply["result"]["structuredContent"];
            assert_eq!(structured, &json!({ "text": "a\nb", "rest": [1] }));
        }
    }
}

/// Returns the weather with a text summary.
#[tool(inline)]
fn weather() -> Structured<Weather> {
    let value = Weather { celsius: 20.5 };
    Structured {
        value,
        text: "mild".to_owned(),
    }
}

/// Returns a number with a text summary.
#[tool(inline)]
fn count_in_words() -> Structured<u8> {
    Structured {
        value: 2,
        text: "two".to_owned(),
    }
}

/// Lists numbers, with a typed cursor.
#[tool(inline)]
fn numbers_after(cursor: Cursor<u64>) -> Page<u64, u64> {
    let first = cursor.position().map_or(0, |last| last + 1);
    cursor.page_by(2, first..5, |number| *number)
}

/// Lists words, with an untyped cursor.
#[tool(inline)]
fn words_by_page(cursor: Cursor) -> Result<Page<String>, ToolError> {
    Ok(cursor.page(2, ["one", "two", "three"].map(str::to_owned)))
}

/// Returns ids.
#[tool(inline)]
fn next_id(id: Id64, signed: Option<Id64<i64>>) -> Vec<Id64<i64>> {
    let after = i64::try_from(id.0).unwrap_or(i64::MAX);
    signed.into_iter().chain([Id64(after)]).collect()
}

/// Takes an id beside an argument that is checked against its schema.
#[tool(inline)]
fn checked_id(
    id: Id64,
    #[arg(default = std::num::NonZeroU8::MIN)] step: std::num::NonZeroU8,
) -> String {
    format!("{id} {step}")
}

struct Celsius(f64);

impl ToolOutput for Celsius {
    fn into_result(self) -> Result<CallToolResult, ToolError> {
        let mut result = CallToolResult::structured(&self.0)?;
        result
            .content
            .push(Text::new(format!("{} °C", self.0)).into());
        Ok(result)
    }

    fn schema() -> Option<Value> {
        Some(schema_of::<f64>())
    }
}

/// Returns a type with its own conversion.
#[tool(inline)]
fn measure() -> Celsius {
    Celsius(20.5)
}

/// Fails with a public context.
#[tool(inline)]
fn fail_with_context() -> Result<i64, ToolError> {
    "secret".parse::<i64>().context_public("no number was set")
}

/// Fails with a public context for `None`.
#[tool(inline)]
fn fail_without_value() -> Result<i64, ToolError> {
    None.with_context_public(|| "nothing is set")
}

/// Fails with an internal error.
#[tool(inline)]
fn fail_internally_by_context() -> Result<i64, ToolError> {
    "secret".parse::<i64>().internal()
}

fn check_content(tool: &str, arguments: Value, expected: impl Fn(Revision) -> Value) {
    for revision in Revision::ALL {
        let response = DispatcherClient::in_revision(revision).call(tool, arguments.clone());
        assert_eq!(
            response["result"]["content"],
            expected(revision),
            "{tool} in {revision}"
        );
        assert_eq!(response["result"].get("structuredContent"), None);
    }
}

#[test]
fn content_types_become_content_blocks() {
    check_content("picture", json!({}), |_| {
        let annotations = json!({ "audience": ["user"], "priority": 1.0 });
        json!([{ "type": "image", "data": "AQIDBA==", "mimeType": "image/png", "annotations": annotations }])
    });
    check_content(
        "perhaps_sound",
        json!({ "play": false }),
        |_| json!([{ "type": "text", "text": "No content." }]),
    );
    check_content("perhaps_sound", json!({ "play": true }), |revision| {
        if revision == Revision::V2024_11_05 {
            return json!([{ "type": "text", "text": "[audio, audio/wav]" }]);
        }
        json!([{ "type": "audio", "data": "UklGRg==", "mimeType": "audio/wav" }])
    });
    check_content("pictures", json!({}), |_| {
        json!([
            { "type": "image", "data": "YQ==", "mimeType": "image/jpeg" },
            { "type": "image", "data": "YmM=", "mimeType": "image/avif" },
        ])
    });
}

#[test]
fn mixed_content_blocks_keep_their_order() {
    check_content("mixed", json!({}), |revision| {
        let link = if revision < Revision::V2025_06_18 {
            json!({ "type": "text", "text": "a: file:///a.txt" })
        } else {
            json!({
                "type": "resource_link", "uri": "file:///a.txt", "name": "a", "title": "A", "size": 2,
                "annotations": { "lastModified": "2026-01-01T00:00:00Z" },
            })
        };
        let resource = json!({ "uri": "file:///a.txt", "mimeType": "text/plain", "text": "hi" });
        json!([
            { "type": "text", "text": "Here:", "annotations": { "priority": 0.0 } },
            { "type": "resource", "resource": resource },
            link,
        ])
    });
    check_content("mixed_list", json!({}), |_| {
        let resource = json!({ "uri": "file:///b", "blob": "/w==" });
        json!([
            { "type": "text", "text": "first" },
            { "type": "resource", "resource": resource, "annotations": { "audience": ["assistant"] } },
        ])
    });
}

fn check_structured(tool: &str, arguments: Value, text: &str, value: &Value) {
    for revision in Revision::ALL {
        let response = DispatcherClient::in_revision(revision).call(tool, arguments.clone());
        let expected = json!([{ "type": "text", "text": text }]);
        assert_eq!(
            response["result"]["content"], expected,
            "{tool} in {revision}"
        );
        let wrapped = revision.is_legacy() && !value.is_object();
        let expected = match revision {
            Revision::V2024_11_05 | Revision::V2025_03_26 => None,
            _ if wrapped => Some(json!({ "result": value })),
            _ => Some(value.clone()),
        };
        assert_eq!(
            response["result"].get("structuredContent"),
            expected.as_ref(),
            "{tool} in {revision}"
        );
    }
}

#[test]
fn structured_output_can_have_its_own_text() {
    check_structured("weather", json!({}), "mild", &json!({ "celsius": 20.5 }));
    check_structured("count_in_words", json!({}), "two", &json!(2));
    check_structured("measure", json!({}), "20.5 °C", &json!(20.5));
}

fn schemas(tool: &str) -> (Value, Value) {
    let response =
        DispatcherClient::in_revision(Revision::V2026_07_28).request("tools/list", json!({}));
    let tools = response["result"]["tools"].as_array().unwrap();
    let tool = tools.iter().find(|listed| listed["name"] == tool).unwrap();
    (tool["inputSchema"].clone(), tool["outputSchema"].clone())
}

#[test]
fn structured_output_has_the_schema_of_its_value() {
    let (_, weather) = schemas("weather");
    assert_contains(
        &weather,
        &json!({ "type": "object", "properties": { "celsius": { "type": "number" } } }),
    );
    assert_contains(&schemas("measure").1, &json!({ "type": "number" }));
    assert_eq!(schemas("picture").1, Value::Null);
}

#[test]
fn tool_results_can_be_paginated() {
    let pages = |tool: &str| {
        let mut client = DispatcherClient::in_revision(Revision::V2026_07_28);
        let mut arguments = json!({});
        let mut pages = Vec::new();
        loop {
            let page = client.call(tool, arguments)["result"]["structuredContent"].clone();
            pages.push(page["items"].clone());
            let Some(cursor) = page.get("nextCursor") else {
                break pages;
            };
            arguments = json!({ "cursor": cursor });
        }
    };
    assert_eq!(
        pages("numbers_after"),
        [json!([0, 1]), json!([2, 3]), json!([4])]
    );
    assert_eq!(
        pages("words_by_page"),
        [json!(["one", "two"]), json!(["three"])]
    );
}

#[test]
fn cursor_argument_is_an_optional_string() {
    let (input, output) = schemas("numbers_after");
    assert_eq!(input.get("required"), None);
    assert_eq!(input["properties"]["cursor"]["type"], "string");
    assert_eq!(output["required"], json!(["items"]));
    assert_eq!(output["properties"]["nextCursor"]["type"], "string");
}

#[test]
fn invalid_cursor_argument_is_explained() {
    for cursor in ["", "x", "!", "AAAA", "LTE"] {
        let text = DispatcherClient::in_revision(Revision::V2025_11_25)
            .call_text("words_by_page", json!({ "cursor": cursor }));
        assert!(
            text.contains("/cursor") && text.contains("`nextCursor`"),
            "{text}"
        );
    }
}

#[test]
fn id64_is_a_string_and_accepts_integers() {
    let big = 9_007_199_254_740_993_u64;
    for id in [json!(big), json!(big.to_string())] {
        let value = json!([big.to_string()]);
        check_structured("next_id", json!({ "id": id }), &value.to_string(), &value);
    }
    let value = json!(["-1", "0"]);
    for signed in [json!(-1), json!("-1")] {
        check_structured(
            "next_id",
            json!({ "id": "0", "signed": signed }),
            &value.to_string(),
            &value,
        );
    }
    let (input, output) = schemas("next_id");
    let digits = json!({ "type": "string", "pattern": "^[0-9]{1,20}$" });
    assert_contains(&input["properties"]["id"], &digits);
    assert_eq!(
        output["items"],
        json!({ "type": "string", "pattern": "^-?[0-9]{1,19}$" })
    );
}

#[test]
fn id64_accepts_integers_beside_schema_checked_arguments() {
    for id in [json!(7), json!("7")] {
        let text = DispatcherClient::in_revision(Revision::V2025_06_18)
            .call_text("checked_id", json!({ "id": id, "step": 3 }));
        assert_eq!(text, "7 3");
    }
}

#[test]
fn invalid_id64_is_rejected() {
    let check = |arguments: Value| {
        let response =
            DispatcherClient::in_revision(Revision::V2025_06_18).call("next_id", arguments.clone());
        assert_eq!(response["result"]["isError"], true, "{arguments}");
    };
    for id in [
        json!("x"),
        json!(""),
        json!("+1"),
        json!(-1),
        json!("-1"),
        json!(1.5),
        json!(true),
    ] {
        check(json!({ "id": id }));
    }
    check(json!({ "id": "18446744073709551616" }));
    check(json!({ "id": 1, "signed": u64::MAX }));
}

#[test]
fn public_error_context_is_shown_and_its_cause_is_not() {
    for masked in [false, true] {
        let server = || match masked {
            true => Server::new("tests", "1").mask_errors(),
            false => Server::new("tests", "1"),
        };
        let text = |tool: &str| {
            DispatcherClient::connect(server(), Revision::V2025_11_25).call_text(tool, json!({}))
        };
        assert_eq!(text("fail_with_context"), "no number was set");
        assert_eq!(text("fail_without_value"), "nothing is set");
        let hidden = text("fail_internally_by_context");
        assert!(
            hidden.contains("not shown") && !hidden.contains("digit"),
            "{hidden}"
        );
    }
}
