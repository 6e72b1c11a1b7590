use std::borrow::Cow;

use data_encoding::BASE64URL_NOPAD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One page of a long list and the cursor of the next page.
///
/// A page is serialized as `{"items": […], "nextCursor": "…"}`. The last page has no `nextCursor`.
/// To create a page, add a [`Cursor`] parameter to the tool and call [`Cursor::page`] or
/// [`Cursor::page_by`].
///
/// If the list may change between two requests, paginate by a key. Pass an iterator over the items
/// after the key. At most `size + 1` items are taken from the iterator.
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
/// If the list does not change, paginate by position.
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
    /// The cursor of the next page, or `None` on the last page.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        bound(serialize = "K: Serialize")
    )]
    pub next_cursor: Option<Cursor<K>>,
}

/// A tool parameter that selects the start of a [`Page`]. The client may omit it.
///
/// For pagination by position, `K` is the number of items on all previous pages. For pagination by
/// key, `K` is the key of the last item on the previous page. Clients receive the cursor as a
/// base64 string of the JSON of `K`, which is not encrypted and not signed. A client can forge a
/// cursor, so do not use it for authorization.
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
    /// Returns a cursor for the start of the list.
    #[must_use]
    pub const fn first() -> Self {
        Self(None)
    }

    /// Returns a cursor for the items after `position`.
    pub const fn after(position: K) -> Self {
        Self(Some(position))
    }

    /// Returns the position or key after which the page starts. Returns `None` for the first page.
    pub const fn position(&self) -> Option<&K> {
        self.0.as_ref()
    }

    /// Returns a page with the first `size` items of `rest`. `rest` must start after this cursor.
    ///
    /// If `rest` has more than `size` items, `next_cursor` contains the key of the last item on the
    /// page. A `size` of 0 is treated as 1, because an empty page would make clients request the
    /// same page forever.
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
    /// Returns a page of `size` items from `all`. The items of the previous pages are skipped.
    ///
    /// A `size` of 0 is treated as 1, because an empty page would make clients request the same
    /// page forever.
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
