use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Error, Expr, ExprRange, Ident, LitStr, RangeLimits, Token};

use super::value::value_error;
use super::{AttributeValue, RawValue};

/// A value `("…", "…")` with at least one string.
pub(crate) struct StringList(pub(crate) Vec<LitStr>);

/// A value `= "…"` or `("…", "…")`.
pub(crate) struct StringOrList(pub(crate) Vec<LitStr>);

/// A value `(expression, …)` with at least one expression.
pub(crate) struct ExprList(pub(crate) Vec<Expr>);

/// A value `("key" = expression, …)` with at least one pair.
pub(crate) struct KeyExprList(pub(crate) Vec<(LitStr, Expr)>);

/// A value `(start..=end)` with at least one of the two bounds.
pub(crate) struct Bounds {
    pub(crate) start: Option<Expr>,
    pub(crate) end: Option<Expr>,
    pub(crate) inclusive: bool,
    pub(crate) tokens: TokenStream,
}

/// A value `("…")` with exactly one string.
pub(crate) struct ParenthesizedString(pub(crate) LitStr);

impl AttributeValue for StringList {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        let parser = Punctuated::<LitStr, Token![,]>::parse_terminated;
        list(key, raw, parser, "string literals", "\"...\"").map(Self)
    }
}

impl AttributeValue for StringOrList {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        match raw {
            RawValue::List(_) => StringList::from_raw(key, raw).map(|list| Self(list.0)),
            raw => LitStr::from_raw(key, raw).map(|name| Self(vec![name])),
        }
    }
}

impl AttributeValue for ExprList {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        list(key, raw, parser, "values", "..., ...").map(Self)
    }
}

impl AttributeValue for KeyExprList {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        let pair = |input: syn::parse::ParseStream<'_>| {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            Ok((name, input.parse()?))
        };
        let parser = |input: syn::parse::ParseStream<'_>| {
            Punctuated::<_, Token![,]>::parse_terminated_with(input, pair)
        };
        list(key, raw, parser, "key-value pairs", "\"key\" = ...").map(Self)
    }
}

impl AttributeValue for ParenthesizedString {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        let mut strings = StringList::from_raw(key, raw)?.0;
        if let Some(second) = strings.get(1) {
            let message = format!("`{key}` takes one string; remove the others");
            return Err(Error::new_spanned(second, message));
        }
        // `pop` always returns a string, because a `StringList` is never empty.
        let first = strings.pop();
        first
            .map(Self)
            .ok_or_else(|| Error::new(key.span(), format!("`{key}` is empty")))
    }
}

impl AttributeValue for Bounds {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        let range = match &raw {
            RawValue::List(tokens) => syn::parse2::<ExprRange>(tokens.clone()).ok(),
            RawValue::None | RawValue::Equals(_) => None,
        };
        match range {
            Some(range) if range.start.is_some() || range.end.is_some() => Ok(Self {
                tokens: range.to_token_stream(),
                start: range.start.map(|start| *start),
                end: range.end.map(|end| *end),
                inclusive: matches!(range.limits, RangeLimits::Closed(_)),
            }),
            _ => Err(value_error(
                key,
                &raw,
                &format!("takes a range: `{key}(1..=100)`"),
            )),
        }
    }
}

/// Parses the elements of a list. Returns an error if the list is empty.
fn list<T, P>(
    key: &Ident,
    raw: RawValue,
    parser: impl FnOnce(syn::parse::ParseStream<'_>) -> syn::Result<Punctuated<T, P>>,
    kind: &str,
    example: &str,
) -> syn::Result<Vec<T>> {
    let message = || format!("takes {kind}: `{key}({example})`");
    match &raw {
        RawValue::List(tokens) if !tokens.is_empty() => match parser.parse2(tokens.clone()) {
            Ok(list) => Ok(list.into_iter().collect()),
            Err(_) => Err(value_error(key, &raw, &message())),
        },
        RawValue::None => Err(missing_list(key, example)),
        _ => Err(value_error(key, &raw, &message())),
    }
}

fn missing_list(key: &Ident, example: &str) -> Error {
    Error::new(
        key.span(),
        format!("`{key}` needs a value: `{key}({example})`"),
    )
}
