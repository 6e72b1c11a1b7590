use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::{Parameter, Slots, Unknown};

/// The arguments cannot be taken as they are; the slow way says why.
#[derive(Debug)]
pub(crate) struct Unread;

/// Fills the slots from the text of a JSON object, in one pass.
///
/// `json` is known to be valid JSON. Whatever is out of the ordinary — an
/// unknown or repeated name, a value that does not fit, a missing argument —
/// is left to the slow way, which alone finds words for it.
pub(crate) fn read(
    json: &str,
    parameters: &[Parameter],
    unknown: Unknown,
    slots: &mut dyn Slots,
) -> Result<(), Unread> {
    let mut filled = Filled::default();
    let mut cursor = Cursor::after(json, b'{').ok_or(Unread)?;
    let mut expected = 0;
    while let Some(name) = cursor.name()? {
        let Some(index) = position(parameters, &name, expected) else {
            cursor.skip_unknown(unknown)?;
            continue;
        };
        if filled.replace(index) {
            return Err(Unread);
        }
        let slot = slots.slot(index).ok_or(Unread)?;
        let parameter = &parameters[index];
        // Where there is a default, `null` stands for it; the slow way leaves it out.
        if parameter.default.is_some() && cursor.rest.trim_ascii_start().starts_with("null") {
            return Err(Unread);
        }
        let taken = parameter.read(slot, cursor.rest).map_err(|_| Unread)?;
        if !parameter.admits(slot) {
            return Err(Unread);
        }
        cursor.advance(taken)?;
        expected = index + 1;
    }
    for (index, parameter) in parameters.iter().enumerate() {
        let settled = filled.has(index) || parameter.settle(slots.slot(index).ok_or(Unread)?);
        if !settled {
            return Err(Unread);
        }
    }
    Ok(())
}

/// Callers mostly send arguments in the order of the schema, so that is tried first.
fn position(parameters: &[Parameter], name: &str, expected: usize) -> Option<usize> {
    let is_named = |parameter: &Parameter| parameter.name == name;
    match parameters.get(expected) {
        Some(parameter) if is_named(parameter) => Some(expected),
        _ => parameters.iter().position(is_named),
    }
}

/// Which parameters have their value; beyond 64 the slow way takes over.
#[derive(Default)]
struct Filled(u64);

impl Filled {
    fn has(&self, index: usize) -> bool {
        index < 64 && self.0 >> index & 1 == 1
    }

    /// Marks `index`; tells whether it was marked, or cannot be.
    fn replace(&mut self, index: usize) -> bool {
        let before = index >= 64 || self.has(index);
        self.0 |= 1 << (index & 63);
        before
    }
}

struct Cursor<'a> {
    rest: &'a str,
    first: bool,
}

impl<'a> Cursor<'a> {
    fn after(json: &'a str, opening: u8) -> Option<Self> {
        let rest = json.trim_ascii_start();
        rest.starts_with(char::from(opening)).then(|| Self {
            rest: &rest[1..],
            first: true,
        })
    }

    fn advance(&mut self, bytes: usize) -> Result<(), Unread> {
        self.rest = self.rest.get(bytes..).ok_or(Unread)?;
        Ok(())
    }

    /// Steps over a value that nobody takes, if that is allowed.
    fn skip_unknown(&mut self, unknown: Unknown) -> Result<(), Unread> {
        if unknown == Unknown::Refuse {
            return Err(Unread);
        }
        let values = serde_json::Deserializer::from_str(self.rest);
        let mut values = values.into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(IgnoredAny)) => self.advance(values.byte_offset()),
            _ => Err(Unread),
        }
    }

    fn skip(&mut self, byte: u8) -> Result<bool, Unread> {
        self.rest = self.rest.trim_ascii_start();
        let found = self.rest.as_bytes().first() == Some(&byte);
        self.advance(usize::from(found))?;
        Ok(found)
    }

    /// The next member's name, with the cursor left at its value; `None` at the end.
    fn name(&mut self) -> Result<Option<Cow<'a, str>>, Unread> {
        if self.skip(b'}')? {
            return Ok(None);
        }
        if !self.first && !self.skip(b',')? {
            return Err(Unread);
        }
        self.first = false;
        if !self.skip(b'"')? {
            return Err(Unread);
        }
        let name = self.string()?;
        if !self.skip(b':')? {
            return Err(Unread);
        }
        Ok(Some(name))
    }

    /// The rest of a string whose opening quote is behind the cursor.
    fn string(&mut self) -> Result<Cow<'a, str>, Unread> {
        let end = self.rest.find(['"', '\\']).ok_or(Unread)?;
        let plain = &self.rest[..end];
        if self.rest.as_bytes()[end] == b'"' {
            self.advance(end + 1)?;
            return Ok(Cow::Borrowed(plain));
        }
        // A name with an escape is rare enough to be left to the slow way.
        Err(Unread)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{default_value, preset, tool_argument};
    use super::*;

    fn check(json: &str, expected: Option<(i64, Option<i64>, Option<String>)>) {
        let parameters = [
            tool_argument::<i64>("a", ""),
            tool_argument::<i64>("b", "").with_default(const { &preset(|| 2_i64, default_value) }),
            tool_argument::<Option<String>>("c", ""),
        ];
        let mut slots = (None, (None, (None, ())));
        let read = read(json, &parameters, Unknown::Refuse, &mut slots);
        let (a, (b, (c, ()))) = slots;
        let values = read.ok().map(|()| (a.unwrap(), b, c.unwrap()));
        assert_eq!(values, expected, "{json}");
    }

    #[test]
    fn ordinary_objects_are_read_and_all_else_is_left_alone() {
        let text = |text: &str| Some(text.to_owned());
        check(r#"{"a":1,"b":3,"c":"x"}"#, Some((1, Some(3), text("x"))));
        check(
            " { \"c\" : \"x\\n}\" , \"a\" : -1 } ",
            Some((-1, None, text("x\n}"))),
        );
        check(r#"{"a":1,"c":null}"#, Some((1, None, None)));
        check(r#"{"a":1}"#, Some((1, None, None)));
        for json in [
            "{}",
            "[]",
            "1",
            "",
            "{",
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{"a":1,}"#,
            r#"{"a":1 "b":2}"#,
            r#"{"a":"1"}"#,
            r#"{"a":1.0}"#,
            r#"{"a":1,"d":2}"#,
            r#"{"a":1,"a":2}"#,
            r#"{"b":null,"a":1}"#,
            r#"{"\u0061":1}"#,
            r#"{"a":1"#,
        ] {
            check(json, None);
        }
    }
}
