#![deny(warnings, missing_docs, unused_lifetimes)]
//! Types that a form can have, wherever they stand.

use mcp_runtime::prelude::*;
use mcp_runtime::{AskError, Elicited};

/// A choice.
#[json]
#[derive(Debug)]
pub enum Way {
    /// By train.
    Train,
    /// By plane.
    #[serde(rename = "plane")]
    Plane,
}

/// Something of another crate.
#[json]
pub struct Day(String);

/// Read as another type.
#[json]
#[serde(transparent)]
pub struct Name {
    /// As it is.
    inner: String,
}

/// Read through another type.
#[json]
#[serde(try_from = "String")]
pub struct Email {
    text: String,
}

impl TryFrom<String> for Email {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.contains('@') {
            true => Ok(Self { text }),
            false => Err("no address"),
        }
    }
}

mod private {
    /// Seen from here only.
    #[mcp_runtime::json]
    pub(super) struct Secretly(String);
}

/// Everything, and what says by itself what it is.
#[json]
#[serde(deny_unknown_fields)]
pub struct Trip<T> {
    /// Where.
    to: Option<Box<str>>,
    /// When.
    day: Day,
    /// How.
    way: Way,
    /// How otherwise.
    ways: Option<Vec<Way>>,
    /// For how many.
    #[arg(range(1..=9))]
    people: std::num::NonZeroU8,
    /// More.
    more: T,
    name: Name,
    email: Email,
    count: std::num::NonZeroUsize,
    title: std::borrow::Cow<'static, str>,
    #[schemars(with = "String")]
    other: Vec<u8>,
    #[serde(skip)]
    #[allow(dead_code)]
    skipped: std::collections::BTreeMap<String, u32>,
    #[cfg(any())]
    absent: Missing,
    secretly: private::Secretly,
}

/// Nothing to fill in: only whether.
#[json]
struct Agreed {}

/// A tree, which is never asked for.
#[json]
pub struct Node<'a> {
    /// Below.
    below: Vec<Node<'a>>,
    /// Its name.
    name: std::borrow::Cow<'a, str>,
}

/// Asks.
#[tool]
async fn ask(ctx: &Context) -> Result<String, AskError> {
    #[json]
    struct Local {
        way: Way,
    }
    let local: Elicited<Local> = ctx.elicit("local", "How?").await?;
    if let (Elicited::Accepted(local), Elicited::Accepted(_)) =
        (local, ctx.elicit::<Agreed>("agreed", "Yes?").await?)
    {
        return Ok(format!("{:?}", local.way));
    }
    let trip = ctx.elicit::<Trip<bool>>("trip", "Where?").await?;
    Ok(trip.accepted().map(|trip| trip.email.text + &trip.day.0).unwrap_or_default())
}

fn main() {}
