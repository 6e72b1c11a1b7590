use proptest::prelude::*;

use super::*;

fn check(template: &str, uri: &str, expected: Option<&[(&str, &str)]>) {
    let template: UriTemplate = template.parse().unwrap();
    let values = template.match_uri(uri);
    let values: Option<Vec<(&str, &str)>> = values.as_ref().map(|values| {
        values
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect()
    });
    assert_eq!(values.as_deref(), expected, "{template:?} {uri}");
}

#[test]
fn a_matching_uri_returns_its_values() {
    check("a://b", "a://b", Some(&[]));
    check("a://{x}", "a://1", Some(&[("x", "1")]));
    check("a://{x}/d", "a://b%20c/d", Some(&[("x", "b c")]));
    check("a://{x}/{y}", "a://1/2", Some(&[("x", "1"), ("y", "2")]));
    check("a://{x,y}", "a://1,2", Some(&[("x", "1"), ("y", "2")]));
    check(
        "a://{x}-{y}",
        "a://1-2-3",
        Some(&[("x", "1-2"), ("y", "3")]),
    );
    check(
        "a://{x}.{y}",
        "a://n.tar.gz",
        Some(&[("x", "n.tar"), ("y", "gz")]),
    );
    check(
        "file:///{+path}",
        "file:///a/b/c.txt",
        Some(&[("path", "a/b/c.txt")]),
    );
    check(
        "file:///{+path}/end",
        "file:///a/b/end",
        Some(&[("path", "a/b")]),
    );
    check("a://{x}{?q,r}", "a://1", Some(&[("x", "1")]));
    check(
        "a://{x}{?q,r}",
        "a://1?r=2",
        Some(&[("x", "1"), ("r", "2")]),
    );
    check(
        "a://{x}{?q,r}",
        "a://1?r=2&q=a%26b",
        Some(&[("x", "1"), ("r", "2"), ("q", "a&b")]),
    );
    check("a://b?k=v{&x}", "a://b?k=v&x=1", Some(&[("x", "1")]));
    check("a://b{/x,y}", "a://b/1/2", Some(&[("x", "1"), ("y", "2")]));
    check("a://b{/x,y}", "a://b/1", Some(&[("x", "1")]));
    check("a://b{.x}", "a://b.json", Some(&[("x", "json")]));
    check(
        "a://b{;x,y}",
        "a://b;y=2;x=1",
        Some(&[("y", "2"), ("x", "1")]),
    );
    check("a://b{#x}", "a://b#c/d", Some(&[("x", "c/d")]));
    check("a://{x}", "a://żółw", Some(&[("x", "żółw")]));
}

#[test]
fn other_uris_do_not_match() {
    check("a://{x}", "a://", None);
    check("a://{x}", "a://1/2", None);
    check("a://{x}", "a://1?y=2", None);
    check("a://{x}", "b://1", None);
    check("a://{x}", "A://1", None);
    check("a://{x}", "a://%", None);
    check("a://{x}", "a://%f", None);
    check("a://{x}", "a://%ff", None);
    check("a://{x}/d", "a:///d", None);
    check("a://{x}{?q}", "a://1?z=2", None);
    check("a://{x}{?q}", "a://1?q=1&q=2", None);
    check("a://{x,y}", "a://1", None);
}

/// Clients percent-encode the characters of a literal that a URI cannot contain.
#[test]
fn literal_text_matches_in_every_equivalent_form() {
    let values: &[(&str, &str)] = &[("x", "é")];
    for template in ["d://café my/{x}", "d://caf%c3%A9%20m%79/{x}"] {
        for literal in [
            "café my",
            "caf%C3%A9%20my",
            "caf%c3%a9%20m%79",
            "%63afé%20my",
        ] {
            for value in ["é", "%C3%A9"] {
                check(template, &format!("d://{literal}/{value}"), Some(values));
            }
        }
        check(template, "d://caf%C3my/a", None);
        check(template, "d://cafe%CC%81%20my/a", None);
    }
    check("a://b/{x}", "a://b%2Fc", None);
    check("a://b%2F{x}", "a://b/c", None);
    check("a://b%2F{x}", "a://b%2fc", Some(&[("x", "c")]));
    check("a://100%/{x}", "a://100%25/c", Some(&[("x", "c")]));
    check("a://100%/{x}", "a://100%/c", Some(&[("x", "c")]));
    check("a://%C3{x}", "a://éa", None);
}

#[test]
fn equivalent_uris_normalize_to_the_same_text() {
    let check = |uri, expected: &str| assert_eq!(normalize(uri), expected);
    check("a://b/c?d=e#f", "a://b/c?d=e#f");
    check("a://caf\u{e9} %7e%41%2f", "a://caf%C3%A9%20~A%2F");
    check("a://%", "a://%25");
    check("a://%4", "a://%254");
}

#[test]
fn an_invalid_template_is_rejected_with_a_reason() {
    let check = |text: &str, expected: UriTemplateError| {
        assert_eq!(text.parse::<UriTemplate>(), Err(expected), "{text}");
    };
    let name = str::to_owned;
    check("", UriTemplateError::NoScheme);
    check("x", UriTemplateError::NoScheme);
    check("{x}://", UriTemplateError::NoScheme);
    check("1a://", UriTemplateError::NoScheme);
    check("a://{x", UriTemplateError::UnbalancedBrace);
    check("a://x}", UriTemplateError::UnbalancedBrace);
    check(
        "a://{{x}}",
        UriTemplateError::InvalidVariableName(name("{x")),
    );
    check("a://{}", UriTemplateError::InvalidVariableName(name("")));
    check("a://{?}", UriTemplateError::InvalidVariableName(name("?")));
    check(
        "a://{a-b}",
        UriTemplateError::InvalidVariableName(name("a-b")),
    );
    check(
        "a://{x*}",
        UriTemplateError::UnsupportedModifier(name("x*")),
    );
    check(
        "a://{x:3}",
        UriTemplateError::UnsupportedModifier(name("x:3")),
    );
    check(
        "a://{x}/{x}",
        UriTemplateError::DuplicateVariable(name("x")),
    );
    check(
        "a://{x}{y}",
        UriTemplateError::AmbiguousVariables(name("y")),
    );
}

#[test]
fn the_most_specific_template_ranks_first() {
    let mut templates: Vec<UriTemplate> =
        ["a://{x}", "a://{+x}", "a://b/{y}", "a://{x}/c", "a://b/{z}"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
    templates.sort_by(|one, other| one.rank().cmp(&other.rank()));
    let order: Vec<&str> = templates
        .iter()
        .map(|template| template.text.as_str())
        .collect();
    assert_eq!(
        order,
        ["a://b/{y}", "a://b/{z}", "a://{x}/c", "a://{+x}", "a://{x}"]
    );
}

proptest! {
    #[test]
    fn normalizing_changes_nothing_twice(uri in "([a-z/%éż 0-9A-F\"]|%[0-9A-Fa-f]{2}){0,20}") {
        let once = normalize(&uri).into_owned();
        prop_assert_eq!(&normalize(&once), &once);
    }

    /// Compares the matcher with a search that tries every way to split the URI.
    #[test]
    fn matching_agrees_with_an_exhaustive_search(
        literal in "[a,-]{0,2}", uri in "a:([ab,-]|%41|%4|%C3|%A9){0,9}",
    ) {
        let template: UriTemplate = format!("a:{{x}}{literal}-{{y}}").parse().unwrap();
        let rest = &uri[2..];
        let decode = |text: &str| {
            let value: UriTemplate = "a:{v}".parse().unwrap();
            value.match_uri(&format!("a:{text}")).map(|mut values| values.remove(0).1)
        };
        let separator = format!("{literal}-");
        let cut = |at| {
            let (x, y) = rest.split_at_checked(at)?;
            Some((decode(x)?, decode(y.strip_prefix(&separator)?)?))
        };
        let expected = (0..=rest.len()).rev().find_map(cut);
        let found = template.match_uri(&uri).map(|mut values| {
            let y = values.pop().unwrap().1;
            (values.pop().unwrap().1, y)
        });
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn nothing_panics(template in "a:[a-z{}/?&+,.;#%é]{0,20}", uri in "a:[a-z/?&=,.;#%é]{0,30}") {
        if let Ok(template) = template.parse::<UriTemplate>() {
            template.match_uri(&uri);
        }
    }

    #[test]
    fn values_are_percent_decoded(x in "[a-z0-9 /?%é]{1,9}", y in "[a-z0-9 &=%é]{0,9}") {
        let encode = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let uri = format!("a://{}/b?y={}", encode(&x), encode(&y));
        let template: UriTemplate = "a://{x}/b{?y}".parse().unwrap();
        let expected = vec![("x".to_owned(), x), ("y".to_owned(), y)];
        prop_assert_eq!(template.match_uri(&uri), Some(expected));
    }
}
