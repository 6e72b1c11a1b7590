use std::fmt;

use serde_json::{Map, Value};

use crate::schema;

/// A range with optional bounds.
#[derive(Clone, Copy, Debug)]
pub struct Bounds<B> {
    pub(super) start: Option<B>,
    pub(super) end: Option<B>,
    pub(super) inclusive: bool,
}

/// Returns a range without bounds.
#[must_use]
pub const fn unbounded<B: Copy>() -> Bounds<B> {
    Bounds {
        start: None,
        end: None,
        inclusive: true,
    }
}

impl<B: Copy> Bounds<B> {
    /// Sets the lower bound.
    #[must_use]
    pub const fn from(mut self, start: B) -> Self {
        self.start = Some(start);
        self
    }

    /// Sets the inclusive upper bound.
    #[must_use]
    pub const fn to(mut self, end: B) -> Self {
        self.end = Some(end);
        self
    }

    /// Sets the exclusive upper bound.
    #[must_use]
    pub const fn before(mut self, end: B) -> Self {
        self.inclusive = false;
        self.to(end)
    }
}

impl<B: PartialOrd> Bounds<B> {
    pub(super) fn contains(&self, value: &B) -> bool {
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
    /// Adds the bounds of a count to the schema, under the keywords `min` and `max`.
    pub(super) fn write_schema(&self, schema: &mut Map<String, Value>, min: &str, max: &str) {
        if let Some(start) = self.start.filter(|start| *start > 0) {
            tighten(schema, min, start.into());
        }
        if let Some(end) = self.end {
            let end = if self.inclusive {
                end
            } else {
                end.saturating_sub(1)
            };
            tighten(schema, max, end.into());
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

/// Sets a bound in the schema unless the schema already has a narrower one.
pub(crate) fn tighten(schema: &mut Map<String, Value>, keyword: &str, bound: Value) {
    let wider = match (schema.get(keyword), &bound) {
        (Some(Value::Number(current)), Value::Number(bound)) => {
            let order = schema::compare(bound, current);
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
