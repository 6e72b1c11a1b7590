use std::fmt;

use serde_json::{Map, Value};

use crate::schema;

/// A range with optional ends.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<B> {
    pub(super) start: Option<B>,
    pub(super) end: Option<B>,
    pub(super) inclusive: bool,
}

/// The range without ends.
#[must_use]
pub const fn unbounded<B: Copy>() -> Bounds<B> {
    Bounds {
        start: None,
        end: None,
        inclusive: true,
    }
}

impl<B: Copy> Bounds<B> {
    /// The range that starts with this value.
    #[must_use]
    pub const fn from(mut self, start: B) -> Self {
        self.start = Some(start);
        self
    }

    /// The range that ends with this value.
    #[must_use]
    pub const fn to(mut self, end: B) -> Self {
        self.end = Some(end);
        self
    }

    /// The range that ends before this value.
    #[must_use]
    pub const fn before(mut self, end: B) -> Self {
        self.inclusive = false;
        self.to(end)
    }
}

impl<B: PartialOrd> Bounds<B> {
    pub(super) fn contain(&self, value: &B) -> bool {
        let above = self.start.as_ref().is_none_or(|start| value >= start);
        let below = self.end.as_ref().is_none_or(|end| match self.inclusive {
            true => value <= end,
            false => value < end,
        });
        above && below
    }

    pub(super) fn is_empty(&self) -> bool {
        match (&self.start, &self.end) {
            (Some(start), Some(end)) if self.inclusive => start > end,
            (Some(start), Some(end)) => start >= end,
            _ => false,
        }
    }
}

impl Bounds<usize> {
    /// Writes the bounds of a count under the names of its two keywords.
    pub(super) fn advertise(&self, schema: &mut Map<String, Value>, least: &str, most: &str) {
        if let Some(start) = self.start.filter(|start| *start > 0) {
            tighten(schema, least, start.into());
        }
        if let Some(end) = self.end {
            let end = if self.inclusive {
                end
            } else {
                end.saturating_sub(1)
            };
            tighten(schema, most, end.into());
        }
    }
}

impl<B: fmt::Debug> fmt::Display for Bounds<B> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(start) = &self.start {
            write!(formatter, "{start:?}")?;
        }
        formatter.write_str(if self.inclusive { "..=" } else { ".." })?;
        match &self.end {
            Some(end) => write!(formatter, "{end:?}"),
            None => Ok(()),
        }
    }
}

/// Sets a bound unless the type itself sets a narrower one.
pub(crate) fn tighten(schema: &mut Map<String, Value>, keyword: &str, bound: Value) {
    let wider = match (schema.get(keyword), &bound) {
        (Some(Value::Number(held)), Value::Number(bound)) => {
            let order = schema::compare(bound, held);
            if keyword.starts_with("min") {
                order.is_le()
            } else {
                order.is_ge()
            }
        }
        _ => false,
    };
    if !wider {
        schema.insert(keyword.to_owned(), bound);
    }
}
