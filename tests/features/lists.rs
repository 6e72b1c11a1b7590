use std::num::NonZeroUsize;

use mcp_runtime::protocol::{CacheHints, CacheScope};
use serde_json::{Value, json};
use wire::Revision;

use crate::definitions::server;
use crate::talk::{ALL, Talk, assert_contains};

const LISTS: [(&str, &str, &str); 4] = [
    ("tools/list", "tools", "name"),
    ("prompts/list", "prompts", "name"),
    ("resources/list", "resources", "uri"),
    (
        "resources/templates/list",
        "resourceTemplates",
        "uriTemplate",
    ),
];

fn keys(talk: &mut Talk, (method, member, key): (&str, &str, &str)) -> Vec<String> {
    let answer = talk.ask(method, json!({}));
    let entries = answer["result"][member].as_array().unwrap();
    entries
        .iter()
        .map(|entry| entry[key].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_list_is_sorted_and_complete() {
    for revision in ALL {
        let mut talk = Talk::with(server(), revision);
        for list in LISTS {
            assert!(keys(&mut talk, list).is_sorted(), "{list:?}");
        }
        assert_eq!(
            keys(&mut talk, LISTS[1]),
            ["extra_prompt", "failing", "picture", "way"]
        );
        let resources = [
            "config://app",
            "data://bytes",
            "notes://1/body",
            "notes://2/body",
            "ui://widget",
        ];
        assert_eq!(keys(&mut talk, LISTS[2]), resources);
        assert_eq!(
            keys(&mut talk, LISTS[3]),
            ["notes://{+path}", "notes://{id}/body{?format}"]
        );
    }
}

#[test]
fn pages_make_up_the_list() {
    for revision in ALL {
        for list @ (method, member, key) in LISTS {
            let whole = keys(&mut Talk::with(server(), revision), list);
            let mut talk = Talk::with(server().page_size(NonZeroUsize::new(2).unwrap()), revision);
            let (mut seen, mut params) = (Vec::new(), json!({}));
            loop {
                let answer = talk.ask(method, params);
                let page = answer["result"][member].as_array().unwrap().clone();
                assert!(page.len() <= 2);
                seen.extend(
                    page.iter()
                        .map(|entry| entry[key].as_str().unwrap().to_owned()),
                );
                match answer["result"].get("nextCursor") {
                    Some(cursor) => params = json!({ "cursor": cursor }),
                    None => break,
                }
            }
            assert_eq!(seen, whole, "{method}");
        }
    }
}

#[test]
fn a_cursor_stays_good_when_its_entry_is_gone() {
    let mut talk = Talk::with(server().page_size(NonZeroUsize::MIN), Revision::V2026_07_28);
    let first = talk.ask("prompts/list", json!({}));
    assert_eq!(first["result"]["prompts"][0]["name"], "extra_prompt");
    assert!(talk.dispatcher.handle().remove_prompt("extra_prompt"));
    let params = json!({ "cursor": first["result"]["nextCursor"] });
    let second = talk.ask("prompts/list", params);
    assert_eq!(second["result"]["prompts"][0]["name"], "failing");
}

#[test]
fn a_cursor_that_was_never_given_is_invalid() {
    for revision in ALL {
        let mut talk = Talk::with(server(), revision);
        for (method, ..) in LISTS {
            for cursor in [json!("x"), json!(""), json!(1), json!("AAAAAGE")] {
                let answer = talk.ask(method, json!({ "cursor": cursor }));
                assert_contains(&answer, &json!({ "error": { "code": -32602 } }));
            }
        }
    }
}

#[test]
fn entries_have_what_their_revision_knows() {
    for revision in ALL {
        let mut talk = Talk::with(server(), revision);
        let prompts = talk.ask("prompts/list", json!({}));
        let way = &prompts["result"]["prompts"][3];
        let has = |entry: &Value, member: &str| entry.get(member).is_some();
        assert_eq!(has(way, "title"), revision >= Revision::V2025_06_18);
        assert_eq!(has(way, "_meta"), revision >= Revision::V2025_06_18);
        assert_eq!(has(way, "icons"), revision >= Revision::V2025_11_25);
        let arguments = json!([
            { "name": "city", "description": "Where to.", "required": true },
            { "name": "limit", "description": "How far at most, in kilometres." },
            { "name": "tone", "required": true },
            { "name": "street" },
        ]);
        assert_eq!(way["arguments"], arguments);
        let resources = talk.ask("resources/list", json!({}));
        let config = &resources["result"]["resources"][0];
        assert_contains(
            config,
            &json!({ "name": "config", "size": 2, "annotations": { "priority": 0.5 } }),
        );
        assert_eq!(
            has(&config["annotations"], "lastModified"),
            revision >= Revision::V2025_06_18
        );
        let tools = talk.ask("tools/list", json!({}));
        let tools = tools["result"]["tools"].as_array().unwrap();
        let widget = tools.iter().find(|tool| tool["name"] == "widget").unwrap();
        let ui = json!({ "ui": { "resourceUri": "ui://widget" } });
        assert_eq!(
            widget.get("_meta"),
            (revision >= Revision::V2025_06_18).then_some(&ui)
        );
    }
}

#[test]
fn hints_are_those_of_the_server_on_every_page() {
    let hints = CacheHints {
        ttl_ms: 5,
        scope: CacheScope::Private,
    };
    let server = server()
        .cache(hints)
        .page_size(NonZeroUsize::new(2).unwrap());
    let mut talk = Talk::with(server, Revision::V2026_07_28);
    let methods = LISTS.iter().map(|(method, ..)| *method);
    let mut pages = 0;
    for method in methods.chain(["server/discover"]) {
        let mut params = json!({});
        loop {
            let answer = talk.ask(method, params);
            let expected = json!({ "ttlMs": 5, "cacheScope": "private" });
            assert_contains(&answer["result"], &expected);
            pages += 1;
            match answer["result"].get("nextCursor") {
                Some(cursor) => params = json!({ "cursor": cursor }),
                None => break,
            }
        }
    }
    assert!(pages > LISTS.len() + 1, "{pages}");
}
