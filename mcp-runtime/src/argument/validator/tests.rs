use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroI8;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

use crate::argument::{ArgumentSet, Arguments, Parameter, Rejection, ToolArgument, tool_argument};

#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "only its deserialization is tested")]
struct Stay {
    from: NaiveDate,
    nights: NonZeroI8,
    hosts: Vec<IpAddr>,
}

/// Reads the arguments of a function with one parameter `value`. Returns the text of the error.
fn read<T: ToolArgument>(arguments: &Value) -> Result<(), String> {
    let parameters: &'static [Parameter] = Box::leak(Box::new([tool_argument::<T>("value", "")]));
    let set = ArgumentSet::new("tool", parameters);
    let mut slots = <(T, ()) as Arguments>::Slots::default();
    match set.read(Some(&arguments.to_string()), "{}", &mut slots) {
        Ok(_) => Ok(()),
        Err(Rejection::Arguments(text)) => Err(text),
        Err(other) => Err(format!("not about arguments: {other}")),
    }
}

/// Checks that the error contains an example and that the example is accepted.
fn check_example<T: ToolArgument>(sent: &Value) {
    let arguments = json!({ "value": sent });
    let Err(text) = read::<T>(&arguments) else {
        return;
    };
    let example = text.lines().find_map(|line| line.strip_prefix("example: "));
    let example = example.unwrap_or_else(|| panic!("no example: {text}"));
    let example: Value = serde_json::from_str(example).unwrap();
    assert_eq!(read::<T>(&example), Ok(()), "{text}");
}

fn check_examples(sent: &Value) {
    check_example::<IpAddr>(sent);
    check_example::<Ipv4Addr>(sent);
    check_example::<Ipv6Addr>(sent);
    check_example::<Vec<IpAddr>>(sent);
    check_example::<BTreeMap<String, IpAddr>>(sent);
    check_example::<NaiveDate>(sent);
    check_example::<NaiveDateTime>(sent);
    check_example::<NaiveTime>(sent);
    check_example::<DateTime<Utc>>(sent);
    check_example::<Uuid>(sent);
    check_example::<Url>(sent);
    check_example::<Option<Url>>(sent);
    check_example::<NonZeroI8>(sent);
    check_example::<char>(sent);
    check_example::<u64>(sent);
    check_example::<std::time::Duration>(sent);
    check_example::<Stay>(sent);
    check_example::<Vec<Stay>>(sent);
}

proptest! {
    #[test]
    fn examples_are_accepted(sent in prop_oneof![
        "[a-z0-9.:T/-]{0,12}".prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        Just(json!(["x", 300])),
        Just(json!({ "from": "02.01.2026", "nights": 0, "hosts": ["a"] })),
        Just(json!([{ "from": "2026-02-30", "nights": "1", "hosts": [] }])),
    ]) {
        check_examples(&sent);
    }
}

#[track_caller]
fn check_line<T: ToolArgument>(sent: Value, expected: &str) {
    let text = read::<T>(&json!({ "value": sent })).unwrap_err();
    assert_eq!(text.lines().nth(1), Some(expected), "{text}");
}

#[test]
fn rejected_strings_name_the_form_of_their_format() {
    check_line::<NaiveDate>(
        json!("02.01.2026"),
        r#"/value: expected `YYYY-MM-DD`, such as `2026-01-31`, got the string "02.01.2026""#,
    );
    check_line::<DateTime<Utc>>(
        json!("2026-01-31"),
        r#"/value: expected `YYYY-MM-DDThh:mm:ssZ`, such as `2026-01-31T12:00:00Z`, got the string "2026-01-31""#,
    );
    check_line::<Uuid>(
        json!("x"),
        r#"/value: expected a UUID, such as `123e4567-e89b-12d3-a456-426614174000`, got the string "x""#,
    );
    check_line::<Url>(
        json!("example.org"),
        r#"/value: expected an absolute URL, such as `https://example.org/`, got the string "example.org""#,
    );
    check_line::<Stay>(
        json!({ "from": "02.01.2026", "nights": 1, "hosts": [] }),
        r#"/value/from: expected `YYYY-MM-DD`, such as `2026-01-31`, got the string "02.01.2026""#,
    );
    check_line::<IpAddr>(
        json!("localhost"),
        r#"/value: cannot take the string "localhost"; invalid IP address syntax; send for example `"192.0.2.1"`"#,
    );
}

#[test]
fn all_mistakes_are_reported_together() {
    static PARAMETERS: [Parameter; 3] = [
        tool_argument::<u32>("limit", ""),
        tool_argument::<NaiveDate>("from", ""),
        tool_argument::<IpAddr>("host", ""),
    ];
    let set = ArgumentSet::new("tool", &PARAMETERS);
    let mut slots = <(u32, (NaiveDate, (IpAddr, ()))) as Arguments>::Slots::default();
    let sent = json!({ "limit": "x", "from": "x", "host": "x" });
    let rejection = set.read(Some(&sent.to_string()), "{}", &mut slots);
    let text = rejection.unwrap_err().to_string();
    assert_eq!(text.lines().count(), 5, "{text}");
    for place in ["/limit: ", "/from: ", "/host: "] {
        assert!(text.contains(place), "{text}");
    }
    let example = r#"example: {"from":"2026-01-31","host":"192.0.2.1","limit":1}"#;
    assert!(text.ends_with(example), "{text}");
}

#[test]
fn values_that_cannot_be_parsed_name_their_argument() {
    let check = |value: &str, expected: &str| {
        static PARAMETERS: [Parameter; 1] = [tool_argument::<Value>("value", "")];
        let set = ArgumentSet::new("tool", &PARAMETERS);
        let mut slots = <(Value, ()) as Arguments>::Slots::default();
        let json = format!(r#"{{"other":1,"value":{value}}}"#);
        let text = set
            .read(Some(&json), "{}", &mut slots)
            .unwrap_err()
            .to_string();
        let line = text.lines().nth(1).unwrap_or_default();
        assert!(
            line.starts_with("/value: ") && line.contains(expected),
            "{text}"
        );
    };
    check(r#""a\ud83d""#, "unpaired surrogate");
    check(r#""\udc00""#, "unpaired surrogate");
    check(r#"["a\ud83dx"]"#, "unpaired surrogate");
    check("1e400", "a number of at most 1.8e308");
    check(&("[".repeat(200) + &"]".repeat(200)), "nested too deeply");
}
