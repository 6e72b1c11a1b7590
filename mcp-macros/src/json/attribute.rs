//! Parses the attributes of the serde and schemars derives.

use syn::{Attribute, LitStr};

pub(super) const SERDE: &str = "serde";
pub(super) const SCHEMARS: &str = "schemars";

/// Checks whether an attribute of the derive `derive` has one of the keys.
pub(super) fn mentions_any(attributes: &[Attribute], derive: &str, keys: &[&str]) -> bool {
    let mentions = |attribute: &Attribute| {
        let mut found = false;
        if attribute.path().is_ident(derive) {
            // Ignore syntax errors here, because the derive reports them.
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

/// Returns the names in all `#[serde(alias = "…")]` attributes of a field.
pub(super) fn aliases(attributes: &[Attribute]) -> Vec<LitStr> {
    let mut found = Vec::new();
    for attribute in attributes.iter().filter(|it| it.path().is_ident(SERDE)) {
        // Ignore syntax errors here, because the derive reports them.
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
