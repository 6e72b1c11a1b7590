//! Matches the regular expressions of the `pattern` keyword with `regex-lite`.
//!
//! `regex-lite` supports the syntax of ECMA-262 without look-around, back-references and `\p`.
//! `\d`, `\s` and `\w` match ASCII characters only. Matching takes linear time.

use regex_lite::Regex;
use std::collections::BTreeMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// The compiled expressions by their text. The value is `None` if an expression is not supported.
static CACHE: LazyLock<RwLock<BTreeMap<String, Option<Regex>>>> = LazyLock::new(RwLock::default);

/// The capacity of the cache. Further expressions are compiled at every use.
const MAX_CACHED: usize = 1_024;

/// Returns whether the text matches the expression, or `None` if the expression is not supported.
pub(crate) fn matches_pattern(pattern: &str, text: &str) -> Option<bool> {
    let cache = CACHE.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(compiled) = cache.get(pattern) {
        return compiled.as_ref().map(|regex| regex.is_match(text));
    }
    drop(cache);
    let regex = Regex::new(pattern).ok();
    let is_match = regex.as_ref().map(|regex| regex.is_match(text));
    let mut cache = CACHE.write().unwrap_or_else(PoisonError::into_inner);
    if cache.len() < MAX_CACHED {
        cache.insert(pattern.to_owned(), regex);
    }
    is_match
}
