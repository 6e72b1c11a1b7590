//! Parses the list of keys in an attribute into a struct. The macro [`keys!`] declares this struct.

mod list;
mod quantity;
mod value;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, Path, Token, parenthesized};

use crate::errors::Errors;

pub(crate) use list::{
    Bounds, ExprList, KeyExprList, ParenthesizedString, StringList, StringOrList,
};
pub(crate) use quantity::{Bytes, Count, Millis};
pub(crate) use value::{AttributeValue, BoolFlag, Flag, TaskSupport, UnknownPolicy};

/// A key of an attribute and its parsed value.
#[derive(Clone)]
pub(crate) struct KeyValue<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// The unparsed value of a key.
pub(crate) enum RawValue {
    /// The key has no value.
    None,
    /// The value has the form `= expression`.
    Equals(Expr),
    /// The value has the form `(…)`.
    List(TokenStream),
}

/// A struct that holds the keys of one attribute.
pub(crate) trait Keys {
    /// The names of all valid keys in the order for error messages.
    const NAMES: &'static [&'static str];

    /// Parses the value of a key and stores it.
    ///
    /// # Errors
    /// Returns an error if the value does not have the type of the key.
    fn set(&mut self, key: &Ident, raw: RawValue) -> syn::Result<()>;

    /// Returns the keys in the attribute, including keys with an invalid value.
    fn present(&self) -> &[Ident];

    /// Records that the attribute contains a key.
    fn mark_present(&mut self, key: &Ident);

    /// Parses the list of keys. Reports each mistake and stores all valid keys.
    fn parse(&mut self, tokens: TokenStream, errors: &mut Errors) {
        let list = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let key = input.call(Ident::parse_any)?;
                let raw = RawValue::parse(input)?;
                self.insert(&key, raw, errors);
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(())
        };
        if let Err(error) = list.parse2(tokens) {
            errors.add(error);
        }
    }

    /// Stores one key. Reports an error if the key is unknown or occurs twice.
    fn insert(&mut self, key: &Ident, raw: RawValue, errors: &mut Errors) {
        let name = key.to_string();
        if !Self::NAMES.contains(&name.as_str()) {
            let known: Vec<String> = Self::NAMES.iter().map(|key| format!("`{key}`")).collect();
            let message = format!("unknown key `{name}`; expected one of {}", known.join(", "));
            errors.push(key, message);
        } else if self.present().contains(key) {
            errors.push(key, format!("`{name}` is given twice; remove one"));
        } else {
            self.mark_present(key);
            if let Err(error) = self.set(key, raw) {
                errors.add(error);
            }
        }
    }
}

impl RawValue {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::token::Paren) {
            let list;
            parenthesized!(list in input);
            return Ok(Self::List(list.parse()?));
        }
        if !input.peek(Token![=]) {
            return Ok(Self::None);
        }
        input.parse::<Token![=]>()?;
        // Parse a path that starts with `crate` here, because `syn` does not accept `crate` alone
        // as an expression.
        if input.peek(Token![crate]) {
            let path = input.call(Path::parse_mod_style)?;
            let (attrs, qself) = (Vec::new(), None);
            return Ok(Self::Equals(Expr::Path(syn::ExprPath {
                attrs,
                qself,
                path,
            })));
        }
        Ok(Self::Equals(input.parse()?))
    }
}

/// Declares a struct with one field for each key of an attribute and implements [`Keys`] for it.
macro_rules! keys {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$field_attribute:meta])* $field:ident $key:literal: $type:ty,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Default)]
        $visibility struct $name {
            present: Vec<syn::Ident>,
            $($(#[$field_attribute])* pub(crate) $field: Option<$crate::args::KeyValue<$type>>,)*
        }

        impl $crate::args::Keys for $name {
            const NAMES: &'static [&'static str] = &[$($key),*];

            fn set(
                &mut self,
                key: &syn::Ident,
                raw: $crate::args::RawValue,
            ) -> syn::Result<()> {
                match key.to_string().as_str() {
                    $($key => {
                        let value = $crate::args::AttributeValue::from_raw(key, raw)?;
                        self.$field = Some($crate::args::KeyValue { key: key.clone(), value });
                    })*
                    _ => {}
                }
                Ok(())
            }

            fn present(&self) -> &[syn::Ident] {
                &self.present
            }

            fn mark_present(&mut self, key: &syn::Ident) {
                self.present.push(key.clone());
            }
        }
    };
}

pub(crate) use keys;
