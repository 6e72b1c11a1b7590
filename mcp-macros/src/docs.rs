use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Returns the text of a doc comment without the common indentation of its lines.
///
/// Attributes such as `#[doc = include_str!(…)]` are ignored, because their value is not a string
/// literal.
pub(crate) fn text(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes.iter().filter_map(line).collect();
    let lines: Vec<&str> = lines
        .iter()
        .flat_map(|line| line.lines().chain(line.is_empty().then_some("")))
        .collect();
    let indentation = |line: &&str| line.len() - line.trim_start().len();
    let blank = |line: &&str| line.trim().is_empty();
    let common = lines
        .iter()
        .filter(|line| !blank(line))
        .map(indentation)
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = lines
        .iter()
        .map(|line| line.get(common..).unwrap_or("").trim_end())
        .collect();
    lines.join("\n").trim().to_owned()
}

pub(crate) fn is_doc(attribute: &Attribute) -> bool {
    attribute.path().is_ident("doc")
}

fn line(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
