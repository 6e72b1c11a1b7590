//! One tool that shows two forms, in every revision of the protocol that has forms.
//!
//! The handler is written once. In a session, the server sends the form in a request while
//! the handler waits. In 2026-07-28 the call returns the form as its result; the client
//! calls again with the answer, and the handler runs again from its start. The seat is
//! therefore chosen in `once`, so that it stays the same in every run.

use std::sync::atomic::{AtomicU32, Ordering};

use mcp_runtime::Elicited;
use mcp_runtime::prelude::*;

/// The destination and the class.
#[json]
struct Trip {
    /// The name of the city.
    #[schemars(length(min = 1, max = 60))]
    destination: String,
    /// The class to travel in.
    #[serde(default)]
    class: Class,
}

/// The class to travel in.
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

/// Whether to book the seat.
#[json]
struct Confirmation {
    /// Tick to book.
    book: bool,
}

/// Books a train journey, after asking for the destination and a confirmation.
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
    let message = format!("Book seat {seat} in {class} class to {destination}?");
    match ctx.elicit::<Confirmation>("confirmation", message).await? {
        Elicited::Accepted(Confirmation { book: true }) => {
            Ok(format!("Seat {seat} to {destination} is booked."))
        }
        _ => Ok(format!("Seat {seat} to {destination} was not booked.")),
    }
}

/// Returns a different seat each time.
fn free_seat() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

mcp_runtime::main!(
    |server| server.instructions("Call `book_train`; it asks the user for everything it needs.")
);
