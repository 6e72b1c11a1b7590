//! Tools that are told a secret, and panic with it.

use mcp_runtime::prelude::*;

/// A pin that panics when it is read, as a careless type does.
#[json]
#[serde(try_from = "String")]
struct Pin(String);

impl TryFrom<String> for Pin {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.starts_with("PLANTED") {
            true => Ok(Self(text)),
            false => panic!("`{text}` is no pin"),
        }
    }
}

/// Panics on a thread that may block.
#[tool]
fn spill(#[arg(secret)] pin: Pin) {
    panic!("the pin was {}", pin.0);
}

/// Panics where it is.
#[tool(inline)]
fn spill_inline(#[arg(secret)] pin: Pin) {
    panic!("the pin was {}", pin.0);
}

/// Panics after a while.
#[tool]
async fn spill_later(#[arg(secret)] pin: Pin) {
    tokio::task::yield_now().await;
    panic!("the pin was {}", pin.0);
}

/// Panics on a thread that is given a time.
#[tool(timeout = "10s")]
fn spill_in_time(#[arg(secret)] pin: Pin) {
    panic!("the pin was {}", pin.0);
}

/// Panics while somebody waits for its place.
#[tool(serial)]
async fn spill_in_turn(#[arg(secret)] pin: Pin) {
    panic!("the pin was {}", pin.0);
}

/// Panics, and has nothing to hide.
#[tool]
fn stumble(over: String) {
    panic!("fell over {over}");
}
