//! Tools that panic with a secret argument in the message.

use mcp_runtime::prelude::*;

/// A PIN whose deserialization panics.
#[json]
#[serde(try_from = "String")]
struct Pin(String);

impl TryFrom<String> for Pin {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.starts_with("PLANTED") {
            true => Ok(Self(text)),
            false => panic!("`{text}` is not a PIN"),
        }
    }
}

/// Panics on a blocking thread.
#[tool]
fn spill(#[arg(secret)] pin: Pin) {
    panic!("the pin was {}", pin.0);
}

/// Panics on the reading thread.
#[tool(inline)]
fn spill_inline(#[arg(secret)] pin: Pin) {
    panic!("the pin was {}", pin.0);
}

/// Panics after yielding.
#[tool]
async fn spill_later(#[arg(secret)] pin: Pin) {
    tokio::task::yield_now().await;
    panic!("the pin was {}", pin.0);
}

/// Panics on a blocking thread with a timeout.
#[tool(timeout = "10s")]
fn spill_in_time(#[arg(secret)] pin: Pin) {
    panic!("the pin was {}", pin.0);
}

/// Panics while holding the permit of a serial tool.
#[tool(serial)]
async fn spill_in_turn(#[arg(secret)] pin: Pin) {
    panic!("the pin was {}", pin.0);
}

/// Panics without a secret.
#[tool]
fn stumble(over: String) {
    panic!("fell over {over}");
}
