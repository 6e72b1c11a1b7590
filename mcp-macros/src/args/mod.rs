//! What stands between the parentheses of an attribute, typed by [`keys!`].

mod list;
mod quantity;
mod value;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Ident, Path, Token, parenthesized};

use crate::errors::Errors;

pub(crate) use list::{Bounds, Exprs, Names, Pairs, Text, Texts};
pub(crate) use quantity::{Bytes, Count, Millis};
pub(crate) use value::{Choice, Flag, Hint, Task, Value};

/// A key as the user wrote it, and its value.
#[derive(Clone)]
pub(crate) struct Given<T> {
    pub(crate) key: Ident,
    pub(crate) value: T,
}

/// What stands behind a key, before it is held against the key's type.
pub(crate) enum Written {
    /// Nothing.
    Nothing,
    /// `= expression`.
    Equals(Expr),
    /// `(…)`.
    List(TokenStream),
}

/// The typed keys of one attribute.
pub(crate) trait Keys {
    /// The keys in the order in which messages list them.
    const KNOWN: &'static [&'static str];

    /// Takes a known key; an error stands where the value does not fit.
    fn set(&mut self, key: &Ident, written: Written) -> syn::Result<()>;

    /// The keys that were named, whether their values were any good or not.
    fn named(&self) -> &[Ident];

    /// Notes that a key was named.
    fn name(&mut self, key: &Ident);

    /// Reads a list; every mistake in it is reported, and what is good is kept.
    fn read(&mut self, tokens: TokenStream, errors: &mut Errors) {
        let list = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let key = input.call(Ident::parse_any)?;
                let written = Written::parse(input)?;
                self.admit(&key, written, errors);
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

    fn admit(&mut self, key: &Ident, written: Written, errors: &mut Errors) {
        let name = key.to_string();
        if !Self::KNOWN.contains(&name.as_str()) {
            let known: Vec<String> = Self::KNOWN.iter().map(|key| format!("`{key}`")).collect();
            let message = format!("unknown key `{name}`; expected one of {}", known.join(", "));
            errors.push(key, message);
        } else if self.named().contains(key) {
            errors.push(key, format!("`{name}` is given twice; remove one"));
        } else {
            self.name(key);
            if let Err(error) = self.set(key, written) {
                errors.add(error);
            }
        }
    }
}

impl Written {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(syn::token::Paren) {
            let list;
            parenthesized!(list in input);
            return Ok(Self::List(list.parse()?));
        }
        if !input.peek(Token![=]) {
            return Ok(Self::Nothing);
        }
        input.parse::<Token![=]>()?;
        // A path may begin with a keyword, or be one, which is no expression.
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

/// Declares the keys of an attribute: a struct with a field a key.
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
            named: Vec<syn::Ident>,
            $($(#[$field_attribute])* pub(crate) $field: Option<$crate::args::Given<$type>>,)*
        }

        impl $crate::args::Keys for $name {
            const KNOWN: &'static [&'static str] = &[$($key),*];

            fn set(
                &mut self,
                key: &syn::Ident,
                written: $crate::args::Written,
            ) -> syn::Result<()> {
                match key.to_string().as_str() {
                    $($key => {
                        let value = $crate::args::Value::read(key, written)?;
                        self.$field = Some($crate::args::Given { key: key.clone(), value });
                    })*
                    _ => {}
                }
                Ok(())
            }

            fn named(&self) -> &[syn::Ident] {
                &self.named
            }

            fn name(&mut self, key: &syn::Ident) {
                self.named.push(key.clone());
            }
        }
    };
}

pub(crate) use keys;
