use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::TortureRow;
use crate::testing::raw_client::RawClient;

/// The list methods, each with the result member that contains the list and the entry member that
/// contains the name.
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

/// The maximum number of pages. The check reports a longer list as endless.
const MAX_PAGES: usize = 10_000;

/// Reads all lists. Each list must end, must not change, and must not contain a name twice.
pub(super) fn check(raw_client: &mut RawClient<'_>) -> Vec<TortureRow> {
    let mut rows = Vec::new();
    for (method, member, name) in LISTS {
        let first = raw_client.request("a list", method, json!({}));
        let Some(page) = first.pointer(&format!("/result/{member}")).cloned() else {
            rows.push(first.expect_error(-32601));
            continue;
        };
        let again = raw_client.request("the same list again", method, json!({}));
        rows.push(again.expect_value(&format!("/result/{member}"), &page));
        rows.push(all_pages(raw_client, method, member, name));
        for cursor in [json!("nonsense"), json!(""), json!(7), json!({})] {
            let response =
                raw_client.request("an unknown cursor", method, json!({ "cursor": cursor }));
            rows.push(response.expect_any_error());
        }
    }
    rows
}

fn all_pages(raw_client: &mut RawClient<'_>, method: &str, member: &str, name: &str) -> TortureRow {
    let mut names = BTreeSet::new();
    let mut params = json!({});
    for _ in 0..MAX_PAGES {
        let page = raw_client.request("all pages of a list", method, params);
        let listed = page.pointer(&format!("/result/{member}"));
        let listed = listed.and_then(Value::as_array).into_iter().flatten();
        let listed: Vec<_> = listed.map(|it| it[name].to_string()).collect();
        let duplicate = listed.into_iter().find(|it| !names.insert(it.clone()));
        if let Some(duplicate) = duplicate {
            return page.expect(false, &format!("`{duplicate}` to be listed once"));
        }
        match page.pointer("/result/nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => return page.expect_result(),
        }
    }
    let page = raw_client.request("all pages of a list", method, json!({}));
    page.expect(false, "the list to end")
}
