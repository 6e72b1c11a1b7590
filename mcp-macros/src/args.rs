use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Path, Token};

use crate::errors::Errors;

/// What may stand behind a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing.
    Flag,
    /// `= "text"`.
    Text,
    /// `= expression`.
    Expression,
    /// `= path`.
    Path,
}

/// A key that an attribute knows.
pub(crate) type Key = (&'static str, Kind);

/// The `key = value` list of one attribute, each known key at most once.
#[derive(Default)]
pub(crate) struct Args(Vec<Arg>);

struct Arg {
    key: Ident,
    value: Option<Expr>,
}

impl Args {
    /// Reads a list; every mistake in it is reported, and what is good is kept.
    pub(crate) fn parse(tokens: TokenStream, known: &[Key], errors: &mut Errors) -> Self {
        let mut args = Self::default();
        args.read(tokens, known, errors);
        args
    }

    /// Reads one more list into the same set.
    pub(crate) fn read(&mut self, tokens: TokenStream, known: &[Key], errors: &mut Errors) {
        let list = |input: ParseStream<'_>| {
            while !input.is_empty() {
                let arg = Arg::parse(input)?;
                self.admit(arg, known, errors);
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

    fn admit(&mut self, arg: Arg, known: &[Key], errors: &mut Errors) {
        let name = arg.key.to_string();
        let Some((_, kind)) = known.iter().find(|(key, _)| *key == name) else {
            let keys: Vec<String> = known.iter().map(|(key, _)| format!("`{key}`")).collect();
            let keys = keys.join(", ");
            errors.push(
                &arg.key,
                format!("unknown key `{name}`; expected one of {keys}"),
            );
            return;
        };
        if self.key(&name).is_some() {
            errors.push(&arg.key, format!("`{name}` is given twice; remove one"));
            return;
        }
        match arg.mistake(*kind) {
            Some((tokens, message)) => errors.push(tokens, message),
            None => self.0.push(arg),
        }
    }

    fn find(&self, name: &str) -> Option<&Arg> {
        self.0.iter().find(|arg| arg.key == name)
    }

    /// The key as the user wrote it, if it is there.
    pub(crate) fn key(&self, name: &str) -> Option<&Ident> {
        self.find(name).map(|arg| &arg.key)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    pub(crate) fn text(&self, name: &str) -> Option<&LitStr> {
        self.expression(name).and_then(text)
    }

    pub(crate) fn expression(&self, name: &str) -> Option<&Expr> {
        self.find(name)?.value.as_ref()
    }

    pub(crate) fn path(&self, name: &str) -> Option<&Path> {
        self.expression(name).and_then(path)
    }
}

impl Arg {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Some(parse_value(input)?)
        } else {
            None
        };
        Ok(Self { key, value })
    }

    /// What is wrong with the value, marked where it stands.
    fn mistake(&self, kind: Kind) -> Option<(TokenStream, String)> {
        let name = &self.key;
        let key = || name.to_token_stream();
        match (kind, &self.value) {
            (Kind::Flag, Some(value)) => Some((
                value.to_token_stream(),
                format!("`{name}` takes no value; write just `{name}`"),
            )),
            (Kind::Text, None) => {
                Some((key(), format!("`{name}` needs a value: `{name} = \"...\"`")))
            }
            (Kind::Expression, None) => {
                Some((key(), format!("`{name}` needs a value: `{name} = ...`")))
            }
            (Kind::Path, None) => {
                Some((key(), format!("`{name}` needs a path: `{name} = my_crate`")))
            }
            (Kind::Text, Some(value)) if text(value).is_none() => Some((
                value.to_token_stream(),
                format!("`{name}` takes a string literal: `{name} = \"...\"`"),
            )),
            (Kind::Path, Some(value)) if path(value).is_none() => Some((
                value.to_token_stream(),
                format!("`{name}` takes a path: `{name} = my_crate`"),
            )),
            _ => None,
        }
    }
}

/// A path may be or begin with a keyword, which is no expression.
fn parse_value(input: ParseStream<'_>) -> syn::Result<Expr> {
    if input.peek(Token![crate]) {
        let path = input.call(Path::parse_mod_style)?;
        return Ok(Expr::Path(syn::ExprPath {
            attrs: Vec::new(),
            qself: None,
            path,
        }));
    }
    input.parse()
}

fn text(value: &Expr) -> Option<&LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        _ => None,
    }
}

fn path(value: &Expr) -> Option<&Path> {
    match value {
        Expr::Path(path) if path.qself.is_none() => Some(&path.path),
        _ => None,
    }
}
