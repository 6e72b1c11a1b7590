use std::borrow::Cow;

use memchr::{memchr, memchr2};
use serde_json::{Map, Value};

/// An iterator over the members of a JSON object that does not parse the values.
///
/// The text must be valid JSON. For invalid JSON, the iterator omits members or returns wrong
/// members, but it never panics.
#[derive(Debug)]
pub(crate) struct Members<'a> {
    json: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Members<'a> {
    /// Creates an iterator over the members of the object `json`.
    pub(crate) fn of(json: &'a str) -> Self {
        Self {
            json,
            at: 0,
            depth: 0,
        }
    }

    /// Returns the nesting depth of the most recent value.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the value of the member `name`. Returns an error if the object has two members with
    /// this name.
    pub(crate) fn unique(self, name: &str) -> Result<Option<&'a str>, DuplicateMember> {
        let mut found = None;
        for (_, value) in self.filter(|(key, _)| key == name) {
            if found.replace(value).is_some() {
                return Err(DuplicateMember);
            }
        }
        Ok(found)
    }
}

/// Parses the members of an object. If a value cannot be parsed (for example, a string with an
/// unpaired surrogate), its JSON text becomes a string. Returns `None` if `json` is not an object.
pub(crate) fn parse_lossy(json: &str) -> Option<Map<String, Value>> {
    let json = json.trim_ascii();
    let members = json.starts_with('{').then(|| Members::of(json))?;
    let values = members.map(|(name, value)| {
        let parsed = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        (name.into_owned(), parsed)
    });
    Some(values.collect())
}

/// The error for an object with two members of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two members have the same name")]
pub(crate) struct DuplicateMember;

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let json = self.json.as_bytes();
        // The next quotation mark after a value always starts the next key.
        let key = self.at + memchr(b'"', json.get(self.at..)?)?;
        let after_key = after_string(json, key + 1);
        let value = after_key + memchr(b':', json.get(after_key..)?)? + 1;
        let spaces = json.get(value..)?.iter().take_while(|it| is_space(**it));
        let value = value + spaces.count();
        (self.at, self.depth) = after_value(json, value);
        let key = self.json.get(key..after_key)?;
        // If a key contains an unpaired surrogate, use its JSON text as the name. Otherwise the
        // iterator would stop before the remaining members.
        let name = decode_string(key).unwrap_or(Cow::Borrowed(key));
        Some((name, self.json.get(value..self.at)?))
    }
}

/// Decodes a JSON string. Returns `None` if `json` is not a valid string.
pub(crate) fn decode_string(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(json).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// Returns the position after the string whose content starts at `at`.
fn after_string(json: &[u8], mut at: usize) -> usize {
    while let Some(rest) = json.get(at..)
        && let Some(offset) = memchr2(b'"', b'\\', rest)
    {
        let escapes = rest[offset] == b'\\';
        at += offset + 1;
        if !escapes {
            return at;
        }
        at += 1;
    }
    json.len()
}

/// Returns the end position and the nesting depth of the value that starts at `at`.
fn after_value(json: &[u8], mut at: usize) -> (usize, usize) {
    let (mut depth, mut deepest) = (0_usize, 0);
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => at = after_string(json, at + 1),
            b'[' | b'{' => {
                depth += 1;
                deepest = deepest.max(depth);
                at += 1;
            }
            // This bracket closes the enclosing array or object.
            b']' | b'}' if depth == 0 => return (at, deepest),
            b']' | b'}' => {
                depth -= 1;
                at += 1;
            }
            b',' if depth == 0 => return (at, deepest),
            byte if depth == 0 && is_space(*byte) => return (at, deepest),
            _ => {
                at += 1;
                continue;
            }
        }
        if depth == 0 {
            return (at, deepest);
        }
    }
    (json.len(), deepest)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn json() -> impl Strategy<Value = Value> {
        let text = prop_oneof!["[a-c\"\\\\{}\\[\\],: é\n]{0,6}", ".{0,4}"];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            text.clone().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((text.clone(), inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn members_match_those_of_serde_json(members in prop::collection::vec((".{0,3}", json()), 0..5)) {
            let object: Map<String, Value> = members.into_iter().collect();
            for text in [
                serde_json::to_string(&object).unwrap(),
                serde_json::to_string_pretty(&object).unwrap(),
            ] {
                let found: Map<String, Value> = Members::of(&text)
                    .map(|(key, value)| (key.into_owned(), serde_json::from_str(value).unwrap()))
                    .collect();
                let expected: Map<String, Value> = serde_json::from_str(&text).unwrap();
                prop_assert_eq!(&found, &expected, "{}", text);
            }
        }

        #[test]
        fn invalid_json_does_not_panic(text in "[\"\\\\{}\\[\\],: a1é]{0,12}") {
            let length = text.len();
            for (_, value) in Members::of(&text).take(length + 1) {
                prop_assert!(value.len() <= length);
            }
        }
    }

    #[track_caller]
    fn check_depth(json: &str, depth: usize) {
        let object = format!(r#"{{"a": {json} ,"b":[[[[[]]]]]}}"#);
        assert!(serde_json::from_str::<Value>(&object).is_ok());
        let mut members = Members::of(&object);
        assert_eq!(members.next(), Some(("a".into(), json)));
        assert_eq!(members.depth(), depth, "{json}");
    }

    #[test]
    fn brackets_in_strings_do_not_count_as_nesting() {
        check_depth("1", 0);
        check_depth("{}", 1);
        check_depth(r#"{"a":[{"b":[]}],"c":{}}"#, 4);
        check_depth(r#"{"[[[":"{{{\"[[[","\\":"["}"#, 1);
        check_depth(r#"["\\",["\\\"["]]"#, 2);
    }

    #[test]
    fn a_duplicate_member_is_an_error() {
        let unique = |json, name| Members::of(json).unique(name);
        assert_eq!(unique(r#"{"a":1,"\u0062":[2]}"#, "b"), Ok(Some("[2]")));
        assert_eq!(unique(r#"{"a":1,"b":2}"#, "c"), Ok(None));
        assert_eq!(unique(r#"{"a":1,"\u0061":2}"#, "a"), Err(DuplicateMember));
        let after_surrogate = r#"{"a":1,"\ud800":2,"a":3}"#;
        assert_eq!(unique(after_surrogate, "a"), Err(DuplicateMember));
    }
}
