//! Tools that differ in what they return and take.

use mcp_runtime::prelude::*;
use mcp_runtime::{Audio, Embedded, Image, Text, Value};

pub(crate) const PIXEL: &[u8] = include_bytes!("pixel.png");
const SILENCE: &[u8] = include_bytes!("silence.wav");

/// Returns one text.
#[tool(read_only, inline)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Returns a picture.
#[tool(read_only, inline)]
fn test_image_content() -> Image {
    Image::png(PIXEL)
}

/// Returns a sound.
#[tool(read_only, inline)]
fn test_audio_content() -> Audio {
    Audio::wav(SILENCE)
}

/// Returns a resource with its contents.
#[tool(read_only, inline)]
fn test_embedded_resource() -> Embedded {
    Embedded::text(
        "test://embedded-resource",
        "This is an embedded resource content.",
    )
    .mime_type("text/plain")
}

/// Returns a text, a picture and a resource.
#[tool(read_only, inline)]
fn test_multiple_content_types() -> (Text, Image, Embedded) {
    let resource = r#"{"test":"data","value":123}"#;
    (
        Text::new("Multiple content types test:"),
        Image::png(PIXEL),
        Embedded::text("test://mixed-content-resource", resource).mime_type("application/json"),
    )
}

/// Always fails.
#[tool(read_only, inline)]
fn test_error_handling() -> Result<String, &'static str> {
    Err("This tool intentionally returns an error for testing")
}

/// Has a schema with everything that JSON Schema 2020-12 can say.
#[tool(read_only, inline, input_schema = address_schema())]
fn json_schema_2020_12_tool(name: Option<String>, address: Option<Value>) -> String {
    format!("{name:?} lives at {address:?}")
}

fn address_schema() -> Value {
    json_schema(include_str!("address.json"))
}

/// A file of this crate, so it is JSON.
fn json_schema(text: &str) -> Value {
    text.parse().unwrap_or_default()
}
