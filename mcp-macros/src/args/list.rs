use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Error, Expr, ExprRange, Ident, LitStr, RangeLimits, Token};

use super::value::wrong;
use super::{Value, Written};

/// `("…", "…")`: at least one text.
pub(crate) struct Texts(pub(crate) Vec<LitStr>);

/// `= "…"` or `("…", "…")`.
pub(crate) struct Names(pub(crate) Vec<LitStr>);

/// `(expression, …)`: at least one.
pub(crate) struct Exprs(pub(crate) Vec<Expr>);

/// `("key" = expression, …)`: at least one.
pub(crate) struct Pairs(pub(crate) Vec<(LitStr, Expr)>);

/// `(start..=end)`, each end optional.
pub(crate) struct Bounds {
    pub(crate) start: Option<Expr>,
    pub(crate) end: Option<Expr>,
    pub(crate) inclusive: bool,
    pub(crate) tokens: TokenStream,
}

/// `("…")`.
pub(crate) struct Text(pub(crate) LitStr);

impl Value for Texts {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        let parser = Punctuated::<LitStr, Token![,]>::parse_terminated;
        list(key, written, parser, "string literals", "\"...\"").map(Self)
    }
}

impl Value for Names {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        match written {
            Written::List(_) => Texts::read(key, written).map(|texts| Self(texts.0)),
            written => LitStr::read(key, written).map(|name| Self(vec![name])),
        }
    }
}

impl Value for Exprs {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
        list(key, written, parser, "values", "..., ...").map(Self)
    }
}

impl Value for Pairs {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        let pair = |input: syn::parse::ParseStream<'_>| {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            Ok((name, input.parse()?))
        };
        let parser = |input: syn::parse::ParseStream<'_>| {
            Punctuated::<_, Token![,]>::parse_terminated_with(input, pair)
        };
        list(key, written, parser, "keys with values", "\"key\" = ...").map(Self)
    }
}

impl Value for Text {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        let mut texts = Texts::read(key, written)?.0;
        if let Some(second) = texts.get(1) {
            let message = format!("`{key}` takes one text; remove the others");
            return Err(Error::new_spanned(second, message));
        }
        // `Texts` holds at least one.
        let first = texts.pop();
        first
            .map(Self)
            .ok_or_else(|| Error::new(key.span(), format!("`{key}` is empty")))
    }
}

impl Value for Bounds {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        let range = match &written {
            Written::List(tokens) => syn::parse2::<ExprRange>(tokens.clone()).ok(),
            Written::Nothing | Written::Equals(_) => None,
        };
        match range {
            Some(range) if range.start.is_some() || range.end.is_some() => Ok(Self {
                tokens: range.to_token_stream(),
                start: range.start.map(|start| *start),
                end: range.end.map(|end| *end),
                inclusive: matches!(range.limits, RangeLimits::Closed(_)),
            }),
            _ => Err(wrong(
                key,
                &written,
                &format!("takes a range: `{key}(1..=100)`"),
            )),
        }
    }
}

/// The elements of a list that is not empty.
fn list<T, P>(
    key: &Ident,
    written: Written,
    parser: impl FnOnce(syn::parse::ParseStream<'_>) -> syn::Result<Punctuated<T, P>>,
    kind: &str,
    example: &str,
) -> syn::Result<Vec<T>> {
    let needed = || format!("takes {kind}: `{key}({example})`");
    match &written {
        Written::List(tokens) if !tokens.is_empty() => match parser.parse2(tokens.clone()) {
            Ok(list) => Ok(list.into_iter().collect()),
            Err(_) => Err(wrong(key, &written, &needed())),
        },
        Written::Nothing => Err(expected_list(key, example)),
        _ => Err(wrong(key, &written, &needed())),
    }
}

fn expected_list(key: &Ident, example: &str) -> Error {
    Error::new(
        key.span(),
        format!("`{key}` needs a value: `{key}({example})`"),
    )
}
