use quote::ToTokens;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitStr, Path};

use super::Written;

/// A type that the value of a key can have.
pub(crate) trait Value: Sized {
    /// The value behind `key`.
    ///
    /// # Errors
    /// What is wrong with it, marked where it stands, and what to write.
    fn read(key: &Ident, written: Written) -> syn::Result<Self>;
}

/// A key that stands alone.
pub(crate) struct Flag;

/// A key that stands alone, or says `= false`.
pub(crate) struct Hint(pub(crate) bool);

/// `= "ignore"` or `= "refuse"`.
pub(crate) enum Choice {
    Ignore,
    Refuse,
}

impl Value for Choice {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        let text = match &written {
            Written::Equals(Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            })) => text.value(),
            _ => String::new(),
        };
        match text.as_str() {
            "ignore" => Ok(Self::Ignore),
            "refuse" => Ok(Self::Refuse),
            _ => Err(expected(
                key,
                &written,
                "`\"ignore\"` or `\"refuse\"`",
                "\"ignore\"",
            )),
        }
    }
}

/// Alone, or `= "required"`.
pub(crate) enum Task {
    Optional,
    Required,
}

impl Value for Task {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        match &written {
            Written::Nothing => Ok(Self::Optional),
            Written::Equals(Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            })) if text.value() == "required" => Ok(Self::Required),
            _ => Err(expected(
                key,
                &written,
                "nothing or `\"required\"`",
                "\"required\"",
            )),
        }
    }
}

impl Value for Flag {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        match written {
            Written::Nothing => Ok(Self),
            written => Err(wrong(
                key,
                &written,
                &format!("takes no value; write just `{key}`"),
            )),
        }
    }
}

impl Value for Hint {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        match &written {
            Written::Nothing => Ok(Self(true)),
            Written::Equals(Expr::Lit(ExprLit {
                lit: Lit::Bool(value),
                ..
            })) => Ok(Self(value.value)),
            _ => Err(wrong(
                key,
                &written,
                &format!("takes no value but `false`; write just `{key}`"),
            )),
        }
    }
}

impl Value for LitStr {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        match written {
            Written::Equals(Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            })) => Ok(text),
            written => Err(expected(key, &written, "a string literal", "\"...\"")),
        }
    }
}

impl Value for Expr {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        match written {
            Written::Equals(value) => Ok(value),
            written => Err(expected(key, &written, "an expression", "...")),
        }
    }
}

impl Value for Path {
    fn read(key: &Ident, written: Written) -> syn::Result<Self> {
        match written {
            Written::Equals(Expr::Path(path)) if path.qself.is_none() => Ok(path.path),
            written => Err(expected(key, &written, "a path", "my_crate")),
        }
    }
}

/// An error for a key that is followed by `= value`.
pub(super) fn expected(key: &Ident, written: &Written, kind: &str, example: &str) -> Error {
    let verb = match written {
        Written::Nothing => "needs a value",
        Written::Equals(_) | Written::List(_) => {
            return wrong(key, written, &format!("takes {kind}: `{key} = {example}`"));
        }
    };
    wrong(key, written, &format!("{verb}: `{key} = {example}`"))
}

/// An error on the value, or on the key where there is none.
pub(super) fn wrong(key: &Ident, written: &Written, message: &str) -> Error {
    let tokens = match written {
        Written::Equals(value) => value.to_token_stream(),
        Written::List(list) if !list.is_empty() => list.clone(),
        Written::Nothing | Written::List(_) => key.to_token_stream(),
    };
    Error::new_spanned(tokens, format!("`{key}` {message}"))
}
