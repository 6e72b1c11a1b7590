//! Reads the attributes of the serde and schemars derives.

use syn::{Attribute, LitStr};

pub(super) const SERDE: &str = "serde";
pub(super) const SCHEMARS: &str = "schemars";

/// Whether an attribute of this derive has one of these keys.
pub(super) fn mentions_any(attributes: &[Attribute], derive: &str, keys: &[&str]) -> bool {
    let mentions = |attribute: &Attribute| {
        let mut found = false;
        if attribute.path().is_ident(derive) {
            // The derive reports its own errors.
            let _ = attribute.parse_nested_meta(|meta| {
                found |= keys.iter().any(|key| meta.path.is_ident(key));
                if meta.input.peek(syn::Token![=]) {
                    meta.value()?.parse::<syn::Expr>()?;
                } else if meta.input.peek(syn::token::Paren) {
                    meta.parse_nested_meta(|inner| {
                        inner.value()?.parse::<syn::Expr>()?;
                        Ok(())
                    })?;
                }
                Ok(())
            });
        }
        found
    };
    attributes.iter().any(mentions)
}

/// The other names under which serde reads a field, `#[serde(alias = "…")]`.
pub(super) fn aliases(attributes: &[Attribute]) -> Vec<LitStr> {
    let mut found = Vec::new();
    for attribute in attributes.iter().filter(|it| it.path().is_ident(SERDE)) {
        // The derive reports its own errors.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("alias") {
                found.push(meta.value()?.parse::<LitStr>()?);
            } else if meta.input.peek(syn::Token![=]) {
                meta.value()?.parse::<syn::Expr>()?;
            } else if meta.input.peek(syn::token::Paren) {
                meta.parse_nested_meta(|inner| {
                    inner.value()?.parse::<syn::Expr>()?;
                    Ok(())
                })?;
            }
            Ok(())
        });
    }
    found
}
