//! Tools with various kinds of results and arguments.

use mcp_runtime::prelude::*;
use mcp_runtime::{Audio, Embedded, Image, Text, Value};

pub(crate) const PIXEL: &[u8] = include_bytes!("pixel.png");
const SILENCE: &[u8] = include_bytes!("silence.wav");

/// Returns text.
#[tool(read_only, inline)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Returns an image.
#[tool(read_only, inline)]
fn test_image_content() -> Image {
    Image::png(PIXEL)
}

/// Returns audio.
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

/// Returns text, an image and a resource.
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

/// Has a schema with the keywords of JSON Schema 2020-12.
#[tool(read_only, inline, input_schema = address_schema())]
fn json_schema_2020_12_tool(name: Option<String>, address: Option<Value>) -> String {
    format!("{name:?} lives at {address:?}")
}

fn address_schema() -> Value {
    // The file is valid JSON.
    include_str!("address.json").parse().unwrap_or_default()
}
