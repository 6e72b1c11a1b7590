//! What does not compile, and what it says; what compiles under odd conditions.

#[test]
fn mistakes_are_explained_and_odd_uses_compile() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/fail/*.rs");
    cases.pass("ui/*/pass/*.rs");
}
