use std::borrow::Cow;

use data_encoding::BASE64URL_NOPAD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One page of a long list, and where the next one begins.
///
/// On the wire it is `{"items": […], "nextCursor": "…"}`; the last page has no
/// `nextCursor`. A [`Cursor`] parameter makes it.
///
/// By a key, where the list may change between two pages; `rest` is whatever
/// follows the key, and no more of it is taken than one page and one item:
///
/// ```
/// use mcp_runtime::{Cursor, Page, prelude::*};
///
/// /// Lists the even numbers.
/// #[tool(read_only)]
/// fn even_numbers(cursor: Cursor<u64>) -> Page<u64, u64> {
///     let first = cursor.position().map_or(0, |last| last + 2);
///     cursor.page_by(50, (first..).step_by(2), |number| *number)
/// }
///
/// let page = even_numbers(Cursor::first());
/// assert_eq!(page.items.len(), 50);
/// assert_eq!(even_numbers(page.next_cursor.unwrap()).items[0], 100);
/// ```
///
/// By counting, where the list stays as it is:
///
/// ```
/// use mcp_runtime::{Cursor, Page, prelude::*};
///
/// /// Lists the words.
/// #[tool(read_only)]
/// fn words(cursor: Cursor) -> Page<String> {
///     cursor.page(2, ["one", "two", "three"].map(str::to_owned))
/// }
///
/// let page = words(Cursor::first());
/// assert_eq!(words(page.next_cursor.unwrap()).items, ["three"]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    bound(deserialize = "T: DeserializeOwned, K: DeserializeOwned")
)]
pub struct Page<T, K = usize> {
    /// What is on this page.
    pub items: Vec<T>,
    /// Where the next page begins; `None` on the last one.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        bound(serialize = "K: Serialize")
    )]
    pub next_cursor: Option<Cursor<K>>,
}

/// The parameter that says where a [`Page`] begins; optional for the caller.
///
/// `K` is what the author goes on from: how many items were shown, or the key
/// of the last one. Clients see an opaque string (base64 of its JSON).
/// It is neither secret nor signed: a caller can make one that no page gave, so
/// it must not decide what the caller may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor<K = usize>(Option<K>);

impl<K> Default for Cursor<K> {
    fn default() -> Self {
        Self::first()
    }
}

impl<K> Cursor<K> {
    /// The beginning of the list.
    #[must_use]
    pub const fn first() -> Self {
        Self(None)
    }

    /// The place behind `position`.
    pub const fn after(position: K) -> Self {
        Self(Some(position))
    }

    /// Behind what the page begins; `None` for the first one.
    pub const fn position(&self) -> Option<&K> {
        self.0.as_ref()
    }

    /// The first `size` items of `rest`, which begins behind this cursor.
    ///
    /// If there are more, the key of the last one shown becomes the next cursor.
    /// A `size` of 0 counts as 1, so that a client gets on.
    pub fn page_by<T>(
        &self,
        size: usize,
        rest: impl IntoIterator<Item = T>,
        key: impl FnOnce(&T) -> K,
    ) -> Page<T, K> {
        let mut rest = rest.into_iter();
        let items: Vec<T> = rest.by_ref().take(size.max(1)).collect();
        let more = rest.next().is_some();
        let last = items.last().filter(|_| more);
        let next_cursor = last.map(|last| Self::after(key(last)));
        Page { items, next_cursor }
    }
}

impl Cursor {
    /// The `size` items of `all` that are not shown yet.
    ///
    /// A `size` of 0 counts as 1, so that a client gets on.
    pub fn page<T>(&self, size: usize, all: impl IntoIterator<Item = T>) -> Page<T> {
        let shown = self.0.unwrap_or(0);
        let through = shown.saturating_add(size.max(1));
        self.page_by(size, all.into_iter().skip(shown), |_| through)
    }
}

impl<K: Serialize> Serialize for Cursor<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(position) = &self.0 else {
            return serializer.serialize_none();
        };
        let json = serde_json::to_vec(position).map_err(S::Error::custom)?;
        serializer.serialize_str(&BASE64URL_NOPAD.encode(&json))
    }
}

impl<'de, K: DeserializeOwned> Deserialize<'de> for Cursor<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else {
            return Ok(Self::first());
        };
        let json = BASE64URL_NOPAD.decode(text.as_bytes()).ok();
        let position = json.and_then(|json| serde_json::from_slice(&json).ok());
        match position {
            Some(position) => Ok(Self(Some(position))),
            None => Err(D::Error::custom(
                "not a cursor of this tool; pass `nextCursor` of a page on as it is, or leave it out",
            )),
        }
    }
}

impl<K> JsonSchema for Cursor<K> {
    fn schema_name() -> Cow<'static, str> {
        "Cursor".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "null"],
            "description": "The `nextCursor` of the page before; leave it out for the first page.",
        })
    }
}

impl<T: JsonSchema, K> JsonSchema for Page<T, K> {
    fn schema_name() -> Cow<'static, str> {
        format!("Page_of_{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": {
                "items": { "type": "array", "items": generator.subschema_for::<T>() },
                "nextCursor": {
                    "type": "string",
                    "description": "Where the next page begins; absent on the last one.",
                },
            },
            "required": ["items"],
        })
    }
}
