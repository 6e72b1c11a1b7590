use std::borrow::Cow;

use data_encoding::BASE64URL_NOPAD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One page of a long list, and the cursor of the next page.
///
/// Serializes to `{"items": […], "nextCursor": "…"}`; the last page has no
/// `nextCursor`. Create it with a [`Cursor`] parameter.
///
/// If the list may change between two pages, paginate by a key. The iterator starts
/// after the key, and at most one item more than the page is taken from it:
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
/// If the list does not change, paginate by position:
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
    /// The items on this page.
    pub items: Vec<T>,
    /// The cursor of the next page; `None` on the last page.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        bound(serialize = "K: Serialize")
    )]
    pub next_cursor: Option<Cursor<K>>,
}

/// The parameter that says where a [`Page`] starts; optional for the client.
///
/// `K` is the number of items on the pages before, or the key of the last item on them.
/// Clients see an opaque string (base64 of its JSON), which is neither encrypted nor
/// signed. A client can forge a cursor, so do not use it for authorization.
///
/// See [`Page`] for examples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor<K = usize>(Option<K>);

impl<K> Default for Cursor<K> {
    fn default() -> Self {
        Self::first()
    }
}

impl<K> Cursor<K> {
    /// The start of the list.
    #[must_use]
    pub const fn first() -> Self {
        Self(None)
    }

    /// The position after `position`.
    pub const fn after(position: K) -> Self {
        Self(Some(position))
    }

    /// The position after which the page starts; `None` for the first page.
    pub const fn position(&self) -> Option<&K> {
        self.0.as_ref()
    }

    /// Takes a page of `size` items from `rest`, which starts after this cursor.
    ///
    /// If `rest` has more items, the key of the last item on the page becomes the next
    /// cursor. A `size` of 0 counts as 1, so that a client makes progress.
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
    /// Takes a page of `size` items from `all`, after those of the pages before.
    ///
    /// A `size` of 0 counts as 1, so that a client makes progress.
    pub fn page<T>(&self, size: usize, all: impl IntoIterator<Item = T>) -> Page<T> {
        let start = self.0.unwrap_or(0);
        let end = start.saturating_add(size.max(1));
        self.page_by(size, all.into_iter().skip(start), |_| end)
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
                "not a cursor of this tool; pass the `nextCursor` of a page unchanged, or leave it out",
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
            "description": "The `nextCursor` of the previous page; leave it out for the first page.",
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
                    "description": "The cursor of the next page; absent on the last one.",
                },
            },
            "required": ["items"],
        })
    }
}
