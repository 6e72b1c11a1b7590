//! One tool that asks two questions, in every revision of the protocol that has forms.
//!
//! The body is written once. A client with a session is asked while it waits; a
//! client of 2026-07-28 gets the question as a result and calls again, and the
//! body is run again with the answers. So the seat is chosen inside of `once`:
//! it must be the same seat when the traveller is asked whether to take it.

use std::sync::atomic::{AtomicU32, Ordering};

use mcp_runtime::Elicited;
use mcp_runtime::prelude::*;

/// Where to go and how.
#[json]
struct Trip {
    /// The name of the city.
    #[schemars(length(min = 1, max = 60))]
    destination: String,
    /// How to travel.
    #[serde(default)]
    class: Class,
}

/// How to travel.
#[json]
#[derive(Default)]
enum Class {
    /// Second class
    #[default]
    #[serde(rename = "second")]
    Second,
    /// First class
    #[serde(rename = "first")]
    First,
}

/// Whether to do it.
#[json]
struct Confirmation {
    /// Tick to book.
    book: bool,
}

/// Books a train journey, after asking where to and whether the seat suits.
#[tool(closed_world)]
async fn book_train(ctx: &Context) -> Result<String, ToolError> {
    let trip = ctx
        .elicit::<Trip>("trip", "Where do you want to go?")
        .await?;
    let Elicited::Accepted(Trip { destination, class }) = trip else {
        return Ok("Nothing was booked.".to_owned());
    };
    let seat = ctx.once("seat", async { free_seat() }).await?;
    let class = match class {
        Class::First => "first",
        Class::Second => "second",
    };
    let question = format!("Book seat {seat} in {class} class to {destination}?");
    match ctx.elicit::<Confirmation>("sure", question).await? {
        Elicited::Accepted(Confirmation { book: true }) => {
            Ok(format!("Seat {seat} to {destination} is booked."))
        }
        _ => Ok(format!("Seat {seat} to {destination} was not booked.")),
    }
}

/// Each time another one.
fn free_seat() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

mcp_runtime::main!(
    |server| server.instructions("Call `book_train`; it asks the person what it needs to know.")
);
