//! `pattern`, as far as the regular expressions of `regex-lite` reach.
//!
//! They are those of ECMA-262 without look-around, back-references and `\p`;
//! `\d`, `\s` and `\w` are ASCII. Matching takes linear time.

use regex_lite::Regex;
use std::collections::BTreeMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// Compiled expressions, so that a call does not compile them again.
static COMPILED: LazyLock<RwLock<BTreeMap<String, Option<Regex>>>> = LazyLock::new(RwLock::default);

/// Beyond so many, an expression is compiled at every use.
const KEPT: usize = 1_024;

/// Whether the text matches; `None` if the expression is not understood.
pub(crate) fn matches(pattern: &str, text: &str) -> Option<bool> {
    let compiled = COMPILED.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(pattern) {
        return known.as_ref().map(|regex| regex.is_match(text));
    }
    drop(compiled);
    let regex = Regex::new(pattern).ok();
    let answer = regex.as_ref().map(|regex| regex.is_match(text));
    let mut compiled = COMPILED.write().unwrap_or_else(PoisonError::into_inner);
    if compiled.len() < KEPT {
        compiled.insert(pattern.to_owned(), regex);
    }
    answer
}
