//! Tests the rules of the macros and their error messages without rustc.

use proc_macro2::TokenStream;

use crate::expand::{Macro, expand};
use crate::json::Json;
use crate::tool::Tool;
use crate::tools::Tools;

/// Returns the messages of all `compile_error!` calls in the expansion.
fn messages<M: Macro>(args: &str, item: &str) -> Vec<String> {
    let args: TokenStream = args.parse().unwrap();
    let item: TokenStream = item.parse().unwrap();
    let expanded = expand::<M>(args, item).to_string();
    let parts = expanded.split("compile_error ! {").skip(1);
    let texts = parts.map(|part| {
        let end = part.find("\" }").map_or(part.len(), |quote| quote + 1);
        let literal = &part[..end];
        let literal: syn::LitStr = syn::parse_str(literal).unwrap();
        literal.value()
    });
    texts.collect()
}

#[track_caller]
fn check<M: Macro>(args: &str, item: &str, expected: &[&str]) {
    assert_eq!(messages::<M>(args, item), expected, "{args} {item}");
}

const ADD: &str = "/// Adds.\nfn add() {}";

#[test]
fn each_value_is_checked_against_the_type_of_its_key() {
    let check = |args: &str, expected: &[&str]| check::<Tool>(args, ADD, expected);
    check("", &[]);
    check("name = \"plus\", read_only, destructive = false,", &[]);
    check("name", &["`name` needs a value: `name = \"...\"`"]);
    check(
        "name = 5",
        &["`name` takes a string literal: `name = \"...\"`"],
    );
    check(
        "name(\"a\")",
        &["`name` takes a string literal: `name = \"...\"`"],
    );
    check(
        "inline = 1",
        &["`inline` takes no value; write just `inline`"],
    );
    check("scopes", &["`scopes` needs a value: `scopes(\"...\")`"]);
    check(
        "scopes()",
        &["`scopes` takes string literals: `scopes(\"...\")`"],
    );
    check(
        "title = \"a\", title = \"b\"",
        &["`title` is given twice; remove one"],
    );
    for timeout in [
        "3",
        "s",
        "1.5s",
        "-1s",
        "0ms",
        "99999999999999999999s",
        "1 d",
    ] {
        let expected = "`timeout` takes a duration: `timeout = \"30s\"`, in `ms`, `s`, `m` or `h`";
        check(&format!("timeout = \"{timeout}\""), &[expected]);
    }
    for timeout in ["1ms", "30s", "30 s", "5m", "2h"] {
        check(&format!("timeout = \"{timeout}\""), &[]);
    }
    for size in ["1B", "64KiB", "2 MiB", "1GiB"] {
        check(&format!("max_result = \"{size}\""), &[]);
    }
}

#[test]
fn a_default_is_checked_against_literal_rules() {
    let check = |keys: &str, ty: &str, violated_rule: Option<&str>| {
        let item = format!("/// Adds.\nfn add(#[arg({keys})] a: {ty}) {{}}");
        let expected = violated_rule
            .map(|rule| format!("the default violates its own `{rule}`; change one of them"));
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check::<Tool>("", &item, &expected);
    };
    check("default = 1, range(1..=3)", "u8", None);
    check("default = 3, range(1..3)", "u8", Some("range"));
    check("default = -1, range(-1..)", "i8", None);
    check("default = -2, range(-1..)", "i8", Some("range"));
    check("default = (4), range(..=3)", "u8", Some("range"));
    check("default = 1.5, range(..=1.4)", "f64", Some("range"));
    check("default = 0x10u8, range(..=0xF)", "u8", Some("range"));
    check("default = MOST, range(..=3)", "u8", None);
    check("default = 4, range(..=MOST)", "u8", None);
    check("default = \"äöü\", length(..=3)", "String", None);
    check("default = \"\", length(1..)", "String", Some("length"));
    check("default = 3, one_of(1, 2)", "u8", Some("one_of"));
    check("default = 3, one_of(1, THREE)", "u8", None);
}

#[test]
fn all_mistakes_of_a_function_are_reported_together() {
    let item = "unsafe fn add<T>(a: &str, (b, c): (u8, u8)) -> impl ToString { 1 }";
    let messages = messages::<Tool>("nmae = 1, read_only, destructive", item);
    assert_eq!(messages.len(), 8, "{messages:#?}");
}

#[test]
fn the_item_is_kept_beside_an_error() {
    let args: TokenStream = "name".parse().unwrap();
    let item: TokenStream = "/// Adds.\nfn add(#[arg(range(1..))] a: u8) {}"
        .parse()
        .unwrap();
    let expanded = expand::<Tool>(args, item).to_string();
    assert!(expanded.contains("fn add (a : u8)"), "{expanded}");
}

#[test]
fn methods_and_types_have_their_own_rules() {
    let method =
        |receiver: &str| format!("impl Notes {{ /// Adds.\n#[tool] fn add({receiver}) {{}} }}");
    let receiver_error = "a tool takes `&self`; put mutable state in a `Mutex`";
    check::<Tools>("prefix = \"a\"", &method("&self"), &[]);
    check::<Tools>("", &method(""), &[]);
    for receiver in ["self", "mut self", "&mut self", "self: Arc<Self>"] {
        check::<Tools>("", &method(receiver), &[receiver_error]);
    }
    check::<Json>("", "struct A { #[arg(range(1..))] a: u8 }", &[]);
    let field = "`clamp` is for parameters, not for fields; use `range`, or clamp in the handler";
    check::<Json>("", "struct A { #[arg(clamp(1..))] a: u8 }", &[field]);
}

#[test]
fn no_input_that_parses_makes_a_macro_panic() {
    let items = [
        "",
        "fn",
        "fn add()",
        "struct A;",
        "impl A {}",
        "enum A { B { c: u8 }, D(u8), E }",
        "trait A { fn a(); }",
        "/// A.\nfn a(self, &b: &u8, _: u8, mut c: u8, ...) -> ! {}",
        "/// A.\nfn a(x: [u8; { 1 }], y: fn(&str), z: dyn A, w: (), v: !) {}",
    ];
    let args = [
        "",
        ",",
        "=",
        "a b",
        "name = ",
        "name = \"\"",
        "range(..)",
        "meta()",
        "icons(,)",
        "crate = crate",
        "crate = super::x",
        "confirm = \"{}{{}}\"",
        "unknown = \"ignore\"",
    ];
    for item in items {
        for args in args {
            messages::<Tool>(args, item);
            messages::<Tools>(args, item);
            messages::<Json>(args, item);
        }
    }
}

#[test]
fn forms_are_checked_if_their_types_can_be_named() {
    let checked = |body: &str| {
        let item = format!("/// Asks.\nasync fn ask(ctx: &Context, form: Form) {{ {body} }}");
        let expanded = expand::<Tool>(TokenStream::new(), item.parse().unwrap());
        expanded.to_string().matches("form_problem").count()
    };
    assert_eq!(checked("ctx.elicit::<Form>(\"a\", \"A?\").await;"), 1);
    let both = "(ctx.elicit::<a::B>(\"a\", \"A?\"), async { ctx.elicit::<C<D>>(\"c\", \"C?\") });";
    assert_eq!(checked(both), 2);
    // These calls are not checked. The type is inferred or defined in the handler, or the call is
    // not an elicitation.
    assert_eq!(checked("ctx.elicit(\"a\", \"A?\").await;"), 0);
    assert_eq!(checked("ctx.elicit::<Vec<_>>(\"a\", \"A?\").await;"), 0);
    assert_eq!(
        checked("struct Own; ctx.elicit::<Own>(\"a\", \"A?\").await;"),
        0
    );
    assert_eq!(checked("form.elicit::<Form>(\"a\", \"A?\").await;"), 0);
    assert_eq!(checked("ctx.sample::<Form>(\"a\", \"A?\").await;"), 0);
}
