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
