use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::TortureRow;
use crate::testing::probe::Probe;

/// The lists of the protocol, and where their elements have their names.
const LISTS: [(&str, &str, &str); 4] = [
    ("prompts/list", "prompts", "name"),
    ("resources/list", "resources", "uri"),
    (
        "resources/templates/list",
        "resourceTemplates",
        "uriTemplate",
    ),
    ("tools/list", "tools", "name"),
];

/// More pages than this are taken for a list without an end.
const MOST_PAGES: usize = 10_000;

/// Lists are the same each time, end, and name everything once.
pub(super) fn ask(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let mut rows = Vec::new();
    for (method, member, name) in LISTS {
        let first = probe.request("a list", method, json!({}));
        let Some(page) = first.pointer(&format!("/result/{member}")).cloned() else {
            rows.push(first.error(-32601));
            continue;
        };
        let again = probe.request("a list that is asked for again", method, json!({}));
        rows.push(again.has(&format!("/result/{member}"), &page));
        rows.push(names_once(probe, method, member, name));
        for cursor in [json!("nonsense"), json!(""), json!(7), json!({})] {
            let asked = probe.request("an unknown cursor", method, json!({ "cursor": cursor }));
            rows.push(asked.any_error());
        }
    }
    rows
}

fn names_once(probe: &mut Probe<'_>, method: &str, member: &str, name: &str) -> TortureRow {
    let mut names = BTreeSet::new();
    let mut params = json!({});
    for _ in 0..MOST_PAGES {
        let page = probe.request("every page of a list", method, params);
        let listed = page.pointer(&format!("/result/{member}"));
        let listed = listed.and_then(Value::as_array).into_iter().flatten();
        let listed: Vec<_> = listed.map(|it| it[name].to_string()).collect();
        let twice = listed.into_iter().find(|it| !names.insert(it.clone()));
        if let Some(twice) = twice {
            return page.is(false, &format!("`{twice}` to be listed once"));
        }
        match page.pointer("/result/nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => return page.result(),
        }
    }
    let page = probe.request("every page of a list", method, json!({}));
    page.is(false, "the list to end")
}
