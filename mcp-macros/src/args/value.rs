use quote::ToTokens;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitStr, Path};

use super::RawValue;

/// A type that can be parsed from the value of a key.
pub(crate) trait AttributeValue: Sized {
    /// Parses the value of `key`.
    ///
    /// # Errors
    /// Returns an error with a valid example if the value is invalid.
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self>;
}

/// A key without a value.
pub(crate) struct Flag;

/// A key without a value, which means `true`, or with `= false`.
pub(crate) struct BoolFlag(pub(crate) bool);

/// The value of the key `unknown`, which is `= "ignore"` or `= "reject"`.
pub(crate) enum UnknownPolicy {
    Ignore,
    Reject,
}

impl AttributeValue for UnknownPolicy {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        let text = match &raw {
            RawValue::Equals(Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            })) => text.value(),
            _ => String::new(),
        };
        match text.as_str() {
            "ignore" => Ok(Self::Ignore),
            "reject" => Ok(Self::Reject),
            _ => Err(type_error(
                key,
                &raw,
                "`\"ignore\"` or `\"reject\"`",
                "\"ignore\"",
            )),
        }
    }
}

/// The value of the key `task`. Without a value, task support is optional. With `= "required"`, it
/// is required.
pub(crate) enum TaskSupport {
    Optional,
    Required,
}

impl AttributeValue for TaskSupport {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        match &raw {
            RawValue::None => Ok(Self::Optional),
            RawValue::Equals(Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            })) if text.value() == "required" => Ok(Self::Required),
            _ => Err(type_error(
                key,
                &raw,
                "nothing or `\"required\"`",
                "\"required\"",
            )),
        }
    }
}

impl AttributeValue for Flag {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        match raw {
            RawValue::None => Ok(Self),
            raw => Err(value_error(
                key,
                &raw,
                &format!("takes no value; write just `{key}`"),
            )),
        }
    }
}

impl AttributeValue for BoolFlag {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        match &raw {
            RawValue::None => Ok(Self(true)),
            RawValue::Equals(Expr::Lit(ExprLit {
                lit: Lit::Bool(value),
                ..
            })) => Ok(Self(value.value)),
            _ => Err(value_error(
                key,
                &raw,
                &format!("takes no value except `false`; write just `{key}`"),
            )),
        }
    }
}

impl AttributeValue for LitStr {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        match raw {
            RawValue::Equals(Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            })) => Ok(text),
            raw => Err(type_error(key, &raw, "a string literal", "\"...\"")),
        }
    }
}

impl AttributeValue for Expr {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        match raw {
            RawValue::Equals(value) => Ok(value),
            raw => Err(type_error(key, &raw, "an expression", "...")),
        }
    }
}

impl AttributeValue for Path {
    fn from_raw(key: &Ident, raw: RawValue) -> syn::Result<Self> {
        match raw {
            RawValue::Equals(Expr::Path(path)) if path.qself.is_none() => Ok(path.path),
            raw => Err(type_error(key, &raw, "a path", "my_crate")),
        }
    }
}

/// Returns the error for a value that is missing or does not have the type `kind`.
pub(super) fn type_error(key: &Ident, raw: &RawValue, kind: &str, example: &str) -> Error {
    let problem = match raw {
        RawValue::None => "needs a value".to_owned(),
        RawValue::Equals(_) | RawValue::List(_) => format!("takes {kind}"),
    };
    value_error(key, raw, &format!("{problem}: `{key} = {example}`"))
}

/// Returns an error at the value, or at the key if there is no value.
pub(super) fn value_error(key: &Ident, raw: &RawValue, message: &str) -> Error {
    let tokens = match raw {
        RawValue::Equals(value) => value.to_token_stream(),
        RawValue::List(list) if !list.is_empty() => list.clone(),
        RawValue::None | RawValue::List(_) => key.to_token_stream(),
    };
    Error::new_spanned(tokens, format!("`{key}` {message}"))
}
