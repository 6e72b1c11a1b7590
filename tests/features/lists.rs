use std::num::NonZeroUsize;

use mcp_runtime::protocol::{CacheHints, CacheScope};
use serde_json::{Value, json};
use support::wire::Revision;

use crate::definitions::server;
use support::dispatcher_client::{DispatcherClient, assert_contains};

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

fn keys(client: &mut DispatcherClient, (method, member, key): (&str, &str, &str)) -> Vec<String> {
    let answer = client.request(method, json!({}));
    let entries = answer["result"][member].as_array().unwrap();
    entries
        .iter()
        .map(|entry| entry[key].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn lists_are_sorted_and_complete() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::connect(server(), revision);
        for list in LISTS {
            assert!(keys(&mut client, list).is_sorted(), "{list:?}");
        }
        assert_eq!(
            keys(&mut client, LISTS[1]),
            ["extra_prompt", "failing", "picture", "way"]
        );
        let resources = [
            "config://app",
            "data://bytes",
            "notes://1/body",
            "notes://2/body",
            "ui://widget",
        ];
        assert_eq!(keys(&mut client, LISTS[2]), resources);
        assert_eq!(
            keys(&mut client, LISTS[3]),
            ["notes://{+path}", "notes://{id}/body{?format}"]
        );
    }
}

#[test]
fn pages_add_up_to_the_whole_list() {
    for revision in Revision::ALL {
        for list @ (method, member, key) in LISTS {
            let whole = keys(&mut DispatcherClient::connect(server(), revision), list);
            let mut client = DispatcherClient::connect(
                server().page_size(NonZeroUsize::new(2).unwrap()),
                revision,
            );
            let (mut seen, mut params) = (Vec::new(), json!({}));
            loop {
                let answer = client.request(method, params);
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
fn cursor_remains_valid_after_its_entry_is_removed() {
    let mut client =
        DispatcherClient::connect(server().page_size(NonZeroUsize::MIN), Revision::V2026_07_28);
    let first = client.request("prompts/list", json!({}));
    assert_eq!(first["result"]["prompts"][0]["name"], "extra_prompt");
    assert!(client.dispatcher.handle().remove_prompt("extra_prompt"));
    let params = json!({ "cursor": first["result"]["nextCursor"] });
    let second = client.request("prompts/list", params);
    assert_eq!(second["result"]["prompts"][0]["name"], "failing");
}

#[test]
fn unknown_cursor_is_invalid_params() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::connect(server(), revision);
        for (method, ..) in LISTS {
            for cursor in [json!("x"), json!(""), json!(1), json!("AAAAAGE")] {
                let answer = client.request(method, json!({ "cursor": cursor }));
                assert_contains(&answer, &json!({ "error": { "code": -32602 } }));
            }
        }
    }
}

#[test]
fn entries_have_only_the_fields_of_their_revision() {
    for revision in Revision::ALL {
        let mut client = DispatcherClient::connect(server(), revision);
        let prompts = client.request("prompts/list", json!({}));
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
        let resources = client.request("resources/list", json!({}));
        let config = &resources["result"]["resources"][0];
        assert_contains(
            config,
            &json!({ "name": "config", "size": 2, "annotations": { "priority": 0.5 } }),
        );
        assert_eq!(
            has(&config["annotations"], "lastModified"),
            revision >= Revision::V2025_06_18
        );
        let tools = client.request("tools/list", json!({}));
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
fn cache_hints_are_on_every_page() {
    let hints = CacheHints {
        ttl_ms: 5,
        scope: CacheScope::Private,
    };
    let server = server()
        .cache(hints)
        .page_size(NonZeroUsize::new(2).unwrap());
    let mut client = DispatcherClient::connect(server, Revision::V2026_07_28);
    let methods = LISTS.iter().map(|(method, ..)| *method);
    let mut pages = 0;
    for method in methods.chain(["server/discover"]) {
        let mut params = json!({});
        loop {
            let answer = client.request(method, params);
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
