//! A typed value that has 15 KB as JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An order with its lines.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The id of the order.
    pub id: u64,
    /// The customer.
    pub customer: Customer,
    /// The ordered items.
    pub lines: Vec<Line>,
    /// A note for the delivery.
    pub note: Option<String>,
}

/// The customer of an order.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Customer {
    /// The full name.
    pub name: String,
    /// The email address.
    pub email: String,
    /// The lines of the address.
    pub address: Vec<String>,
}

/// One line of an order.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The article number.
    pub sku: String,
    /// The name of the article.
    pub title: String,
    /// The quantity.
    pub quantity: u32,
    /// The price of one item.
    pub price: f64,
    /// Search tags.
    pub tags: Vec<String>,
}

/// Returns an order of about 15 KB.
#[must_use]
pub fn sample() -> Order {
    let line = |index: u32| Line {
        sku: format!("SKU-{index:06}"),
        title: format!("A \"useful\" thing, number {index}, in blue"),
        quantity: index % 7 + 1,
        price: f64::from(index) * 1.25 + 0.99,
        tags: vec![
            "blue".to_owned(),
            "useful".to_owned(),
            format!("shelf-{}", index % 10),
        ],
    };
    Order {
        id: 9_001,
        customer: Customer {
            name: "Ada Lovelace".to_owned(),
            email: "ada@example.com".to_owned(),
            address: vec!["12 St James's Square".to_owned(), "London".to_owned()],
        },
        lines: (0..103).map(line).collect(),
        note: Some("Leave it at the door.".to_owned()),
    }
}
