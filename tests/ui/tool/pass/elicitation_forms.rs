#![deny(warnings, missing_docs, unused_lifetimes)]
//! Types that an elicitation form can have.

use mcp_runtime::prelude::*;
use mcp_runtime::{InputRequestError, Elicited};

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

/// Wraps a type of another crate.
#[json]
pub struct Day(String);

/// Read as another type.
#[json]
#[serde(transparent)]
pub struct Name {
    /// The text.
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
    /// Is private to this module.
    #[mcp_runtime::json]
    pub(super) struct Secretly(String);
}

/// Every kind of field, and fields with another schema.
#[json]
#[serde(deny_unknown_fields)]
pub struct Trip<T> {
    /// Where.
    to: Option<Box<str>>,
    /// When.
    day: Day,
    /// How.
    way: Way,
    /// Alternatives.
    ways: Option<Vec<Way>>,
    /// How many people.
    #[arg(range(1..=9))]
    people: std::num::NonZeroU8,
    /// Anything.
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

/// A form without fields.
#[json]
struct Agreed {}

/// A tree, which is never elicited.
#[json]
pub struct Node<'a> {
    /// The children.
    below: Vec<Node<'a>>,
    /// Its name.
    name: std::borrow::Cow<'a, str>,
}

/// Asks.
#[tool]
async fn ask(ctx: &Context) -> Result<String, InputRequestError> {
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
