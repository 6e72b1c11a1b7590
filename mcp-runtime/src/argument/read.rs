use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::{Parameter, Slots, UnknownArguments};

/// The error of the fast path for arguments that it does not accept. The validator then finds the
/// reason.
#[derive(Debug)]
pub(crate) struct NeedsCoercion;

/// Fills the slots from the text of a JSON object, in one pass.
///
/// `json` must be valid JSON. Arguments with an unknown or repeated name, a value of the wrong type
/// or a missing argument are left to the validator, which can explain the problem.
pub(crate) fn read(
    json: &str,
    parameters: &[Parameter],
    unknown: UnknownArguments,
    slots: &mut dyn Slots,
) -> Result<(), NeedsCoercion> {
    let mut filled = FilledSlots::default();
    let mut cursor = JsonCursor::after(json, b'{').ok_or(NeedsCoercion)?;
    let mut expected = 0;
    while let Some(name) = cursor.name()? {
        let Some(index) = position(parameters, &name, expected) else {
            cursor.skip_unknown(unknown)?;
            continue;
        };
        if filled.replace(index) {
            return Err(NeedsCoercion);
        }
        let slot = slots.slot(index).ok_or(NeedsCoercion)?;
        let parameter = &parameters[index];
        // For a parameter with a default, `null` means that the argument is absent. The validator
        // handles this case.
        if parameter.default.is_some() && cursor.rest.trim_ascii_start().starts_with("null") {
            return Err(NeedsCoercion);
        }
        let length = parameter
            .read(slot, cursor.rest)
            .map_err(|_| NeedsCoercion)?;
        if !parameter.satisfies_rules(slot) {
            return Err(NeedsCoercion);
        }
        cursor.advance(length)?;
        expected = index + 1;
    }
    for (index, parameter) in parameters.iter().enumerate() {
        let is_filled =
            filled.has(index) || parameter.fill_absent(slots.slot(index).ok_or(NeedsCoercion)?);
        if !is_filled {
            return Err(NeedsCoercion);
        }
    }
    Ok(())
}

/// Returns the position of the parameter with this name. Tries the `expected` position first,
/// because most clients send arguments in the order of the schema.
fn position(parameters: &[Parameter], name: &str, expected: usize) -> Option<usize> {
    let is_named = |parameter: &Parameter| parameter.name == name;
    match parameters.get(expected) {
        Some(parameter) if is_named(parameter) => Some(expected),
        _ => parameters.iter().position(is_named),
    }
}

/// A bit set of the parameters whose slot is filled. It has 64 bits. The validator handles
/// functions with more parameters.
#[derive(Default)]
struct FilledSlots(u64);

impl FilledSlots {
    fn has(&self, index: usize) -> bool {
        index < 64 && self.0 >> index & 1 == 1
    }

    /// Marks the slot at `index` as filled. Returns whether the slot was already filled or `index`
    /// is out of range.
    fn replace(&mut self, index: usize) -> bool {
        let before = index >= 64 || self.has(index);
        self.0 |= 1 << (index & 63);
        before
    }
}

/// A cursor in the text of a JSON object.
struct JsonCursor<'a> {
    rest: &'a str,
    first: bool,
}

impl<'a> JsonCursor<'a> {
    fn after(json: &'a str, opening: u8) -> Option<Self> {
        let rest = json.trim_ascii_start();
        rest.starts_with(char::from(opening)).then(|| Self {
            rest: &rest[1..],
            first: true,
        })
    }

    fn advance(&mut self, bytes: usize) -> Result<(), NeedsCoercion> {
        self.rest = self.rest.get(bytes..).ok_or(NeedsCoercion)?;
        Ok(())
    }

    /// Skips the value of an unknown argument, if unknown arguments are allowed.
    fn skip_unknown(&mut self, unknown: UnknownArguments) -> Result<(), NeedsCoercion> {
        if unknown == UnknownArguments::Reject {
            return Err(NeedsCoercion);
        }
        let values = serde_json::Deserializer::from_str(self.rest);
        let mut values = values.into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(IgnoredAny)) => self.advance(values.byte_offset()),
            _ => Err(NeedsCoercion),
        }
    }

    fn skip(&mut self, byte: u8) -> Result<bool, NeedsCoercion> {
        self.rest = self.rest.trim_ascii_start();
        let found = self.rest.as_bytes().first() == Some(&byte);
        self.advance(usize::from(found))?;
        Ok(found)
    }

    /// Returns the name of the next member, or `None` at the end of the object. The cursor then is
    /// at the value of the member.
    fn name(&mut self) -> Result<Option<Cow<'a, str>>, NeedsCoercion> {
        if self.skip(b'}')? {
            return Ok(None);
        }
        if !self.first && !self.skip(b',')? {
            return Err(NeedsCoercion);
        }
        self.first = false;
        if !self.skip(b'"')? {
            return Err(NeedsCoercion);
        }
        let name = self.string()?;
        if !self.skip(b':')? {
            return Err(NeedsCoercion);
        }
        Ok(Some(name))
    }

    /// Reads the rest of a string after its opening quote.
    fn string(&mut self) -> Result<Cow<'a, str>, NeedsCoercion> {
        let end = self.rest.find(['"', '\\']).ok_or(NeedsCoercion)?;
        let plain = &self.rest[..end];
        if self.rest.as_bytes()[end] == b'"' {
            self.advance(end + 1)?;
            return Ok(Cow::Borrowed(plain));
        }
        // Names with escape sequences are rare, so the validator reads them.
        Err(NeedsCoercion)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{default_value, to_json_value, tool_argument};
    use super::*;

    fn check(json: &str, expected: Option<(i64, Option<i64>, Option<String>)>) {
        let parameters = [
            tool_argument::<i64>("a", ""),
            tool_argument::<i64>("b", "")
                .with_default(const { &default_value(|| 2_i64, to_json_value) }),
            tool_argument::<Option<String>>("c", ""),
        ];
        let mut slots = (None, (None, (None, ())));
        let read = read(json, &parameters, UnknownArguments::Reject, &mut slots);
        let (a, (b, (c, ()))) = slots;
        let values = read.ok().map(|()| (a.unwrap(), b, c.unwrap()));
        assert_eq!(values, expected, "{json}");
    }

    #[test]
    fn ordinary_objects_are_read_and_others_are_left_to_the_validator() {
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
