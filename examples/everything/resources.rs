//! Resources, one of them with a template.

use mcp_runtime::prelude::*;

use crate::content::PIXEL;

/// A constant text.
#[resource("test://static-text", mime_type = "text/plain", inline)]
fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// A constant image.
#[resource("test://static-binary", mime_type = "image/png", inline)]
fn static_binary() -> &'static [u8] {
    PIXEL
}

/// A text that clients can subscribe to.
#[resource("test://watched-resource", mime_type = "text/plain", subscribe, inline)]
fn watched_resource() -> &'static str {
    "Watched resource content"
}

/// The data for an id.
#[resource("test://template/{id}/data", mime_type = "application/json", inline)]
fn template(
    /// The id.
    id: String,
) -> String {
    let (id, data) = (quoted(&id), quoted(&format!("Data for ID: {id}")));
    format!(r#"{{"id":{id},"templateTest":true,"data":{data}}}"#)
}

fn quoted(text: &str) -> String {
    mcp_runtime::Value::from(text).to_string()
}
