//! To be listed is to be callable, for everybody.

use std::collections::BTreeSet;
use std::sync::Arc;

use mcp_runtime::auth::{Access, Decision, Principal, ScopeMatching};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, Dispatched, Peer, Rate, Server};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::server::{Book, RUNTIME, call, nobody, server, somebody};

/// A tool, its scopes, and arguments that are not good.
const CLOSED: [(&str, &[&str]); 4] = [
    ("read_note", &["notes:read"]),
    ("write_note", &["notes:read", "notes:write"]),
    ("purge", &["admin"]),
    ("echo", &[]),
];

async fn listed(client: &Client) -> BTreeSet<String> {
    let tools = client.list_tools().await.unwrap();
    tools.into_iter().map(|tool| tool.name).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn listed_is_callable(
        scopes in proptest::sample::subsequence(
            vec!["notes", "notes:read", "notes:write", "admin", "other"], 0..=5,
        ),
        revision in proptest::sample::select(Revision::ALL.to_vec()),
        nested in any::<bool>(),
        denies in proptest::sample::select(vec!["", "echo", "purge"]),
    ) {
        RUNTIME.block_on(async {
            let matching = match nested {
                true => ScopeMatching::Nested,
                false => ScopeMatching::Exact,
            };
            let authorizer = move |access: &Access<'_>| match access.name == denies {
                true => Decision::Deny("not today".into()),
                false => Decision::Allow,
            };
            let server = server().scope_matching(matching).authorizer(authorizer);
            let (client, log) = somebody(server, revision, &scopes).await;
            let listed = listed(&client).await;
            for (tool, needed) in CLOSED {
                let held: BTreeSet<String> = scopes.iter().map(|it| (*it).to_owned()).collect();
                let expected = matching.cover(&held, needed) && tool != denies;
                assert_eq!(listed.contains(tool), expected, "{tool} is listed");
                // Arguments that do not fit: nothing runs, and the gates come first.
                let answer = call(&client, tool, json!({ "none": 0 })).await;
                assert_eq!(answer.is_ok(), expected, "{tool} can be called: {answer:?}");
                let Err(error) = answer else { continue };
                assert!(!error.to_string().contains("number"), "{error} tells the schema");
            }
            log.legal();
        });
    }
}

#[tokio::test]
async fn a_refusal_names_all_scopes_that_are_needed() {
    for revision in Revision::ALL {
        let (client, log) = somebody(server(), revision, &["notes:read"]).await;
        let error = call(&client, "write_note", json!({ "text": "a" })).await;
        let error = error.unwrap_err();
        assert_eq!(error["code"], -31403);
        assert_eq!(
            error["data"]["scopes"],
            json!(["notes:read", "notes:write"])
        );
        log.legal();
    }
}

#[tokio::test]
async fn a_hidden_tool_is_nobodys_nearest_name() {
    let error = |client: Client| async move {
        let error = call(&client, "purg", json!({})).await.unwrap_err();
        error["message"].as_str().unwrap().to_owned()
    };
    let (client, _) = somebody(server(), Revision::NEWEST, &["admin"]).await;
    assert_eq!(
        error(client).await,
        "unknown tool `purg`; did you mean `purge`?"
    );
    let (client, _) = somebody(server(), Revision::NEWEST, &[]).await;
    assert!(!error(client).await.contains("`purge`"));
}

#[tokio::test]
async fn what_an_authorizer_denies_does_not_exist() {
    let deny = |access: &Access<'_>| match access.name {
        "purge" => Decision::Deny("planted reason".into()),
        _ => Decision::Allow,
    };
    let (client, _) = somebody(server().authorizer(deny), Revision::NEWEST, &["admin"]).await;
    let denied = call(&client, "purge", json!({})).await.unwrap_err();
    let unknown = call(&client, "purgo", json!({})).await.unwrap_err();
    assert_eq!(denied["code"], unknown["code"]);
    assert_eq!(denied["message"], "unknown tool `purge`");
    assert!(!denied.to_string().contains("planted"));
}

#[tokio::test]
async fn a_caller_is_lent_to_tools_that_want_one() {
    for revision in Revision::ALL {
        let (client, _) = somebody(server(), revision, &[]).await;
        assert_eq!(
            client.call::<String>("who", json!({})).await.unwrap(),
            "alice"
        );
        let (client, _) = nobody(server(), revision).await;
        let error = call(&client, "who", json!({})).await.unwrap_err();
        assert_eq!(error["code"], -31401);
        assert!(!listed(&client).await.contains("who"));
    }
}

#[test]
fn a_server_that_knows_nobody_does_not_start_with_closed_tools() {
    let error = Server::new("tests", "1.0.0")
        .build()
        .unwrap_err()
        .to_string();
    for name in ["purge", "read_note", "who", "write_note"] {
        assert!(error.contains(&format!("tool `{name}`")), "{error}");
    }
    assert!(
        error.contains(".allow_local()") && !error.contains("`echo`"),
        "{error}"
    );
}

#[tokio::test]
async fn the_local_user_may_have_every_scope() {
    let local = Server::new("tests", "1.0.0").allow_local();
    let (client, _) = nobody(local, Revision::NEWEST).await;
    assert_eq!(
        client.call::<String>("purge", json!({})).await.unwrap(),
        "gone"
    );
    assert!(call(&client, "who", json!({})).await.is_err());
}

#[tokio::test]
async fn lists_that_differ_are_private() {
    let (client, _) = somebody(server(), Revision::NEWEST, &[]).await;
    for method in [
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ] {
        let list = client.request(method, json!({})).await.unwrap();
        assert_eq!(list["cacheScope"], "private", "{method}");
    }
}

fn say(server: &mcp_runtime::Dispatcher, peer: &Peer, message: &Value) -> Option<Value> {
    let _runtime = RUNTIME.enter();
    let mut reply = Vec::new();
    match server.dispatch(message.to_string().as_bytes(), peer, &mut reply) {
        Dispatched::Silent => None,
        Dispatched::Replied(_) => Some(serde_json::from_slice(&reply).unwrap()),
        Dispatched::Pending(pending) => {
            let reply = RUNTIME.block_on(pending.run());
            reply.map(|reply| serde_json::from_slice(&reply).unwrap())
        }
    }
}

#[test]
fn a_session_belongs_to_who_opened_it() {
    let server = server().build().unwrap();
    let alices = Peer::new().with_principal(Arc::new(Principal::new("alice")));
    let bobs = alices.with_principal(Arc::new(Principal::new("bob")));
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let initialize = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "a", "version": "1" },
        },
    });
    assert!(say(&server, &alices, &initialize).unwrap()["result"].is_object());
    assert!(say(&server, &alices, &list).unwrap()["result"].is_object());
    assert_eq!(say(&server, &bobs, &list).unwrap()["error"]["code"], -31403);
    assert_eq!(
        say(&server, &bobs, &initialize).unwrap()["error"]["code"],
        -31403
    );
    assert!(alices.owns_session() && !bobs.owns_session());
}

#[test]
fn a_call_is_cancelled_by_who_made_it_alone() {
    let server = server().build().unwrap();
    let alices = Peer::new().with_principal(Arc::new(Principal::new("alice")));
    let bobs = alices.with_principal(Arc::new(Principal::new("bob")));
    let hang = json!({
        "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {
            "name": "hang", "arguments": {},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    let _runtime = RUNTIME.enter();
    let mut reply = Vec::new();
    let dispatched = server.dispatch(hang.to_string().as_bytes(), &alices, &mut reply);
    let Dispatched::Pending(pending) = dispatched else {
        panic!("{dispatched:?}")
    };
    let cancel = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 },
    });
    assert_eq!(say(&server, &bobs, &cancel), None);
    // It goes on, and ends in its own time.
    let reply = RUNTIME.block_on(pending.run()).unwrap();
    let reply: Value = serde_json::from_slice(&reply).unwrap();
    assert_eq!(reply["result"]["isError"], true);
}

/// What is asked of prompts and resources, and the scopes that it needs.
fn uses() -> Vec<(&'static str, Value, usize)> {
    let prompt = json!({ "type": "ref/prompt", "name": "greeting" });
    let page = json!({ "type": "ref/resource", "uri": "test://page/{number}" });
    let complete = |reference: &Value, name: &str| json!({ "ref": reference, "argument": { "name": name, "value": "" } });
    let read = |uri: &str| json!({ "uri": uri });
    let get = json!({ "name": "greeting", "arguments": { "name": "Bob" } });
    vec![
        ("prompts/get", get, 1),
        ("completion/complete", complete(&prompt, "name"), 1),
        ("resources/read", read("test://log"), 1),
        ("resources/subscribe", read("test://log"), 1),
        ("resources/read", read("test://page/1"), 2),
        ("completion/complete", complete(&page, "number"), 2),
        ("resources/subscribe", read("test://page/1"), 2),
    ]
}

#[tokio::test]
async fn every_use_of_prompts_and_resources_is_counted_and_written_down() {
    for revision in Revision::ALL {
        let book = Book::default();
        let limited = book.kept(server().rate_limit(Rate::per_hour(1)));
        let all = ["notes:read", "notes:write"];
        let (client, log) = somebody(limited, revision, &all).await;
        let mut expected = Vec::new();
        for (method, params, _) in uses() {
            if method == "resources/subscribe" && revision == Revision::NEWEST {
                continue;
            }
            assert!(client.request(method, params.clone()).await.is_ok());
            let error = client.request(method, params).await.unwrap_err();
            let mcp_runtime::ClientError::Protocol(error) = error else {
                panic!("{error}");
            };
            assert_eq!(error.code.0, -31429, "{revision} {method}");
            assert!(error.data.unwrap()["retryAfter"].is_u64());
            expected.extend([(method, "success"), (method, "rate_limited")]);
        }
        let records = book.records();
        let written = records.iter().map(|it| (it.method, it.outcome.as_str()));
        assert_eq!(written.collect::<Vec<_>>(), expected);
        log.legal();
    }
}

#[tokio::test]
async fn a_refused_use_of_prompts_and_resources_is_written_down() {
    let book = Book::default();
    let (client, _) = somebody(book.kept(server()), Revision::V2025_06_18, &[]).await;
    for (method, params, _) in uses() {
        assert!(client.request(method, params).await.is_err());
    }
    let absent = json!({ "uri": "test://none" });
    assert!(client.request("resources/subscribe", absent).await.is_err());
    let mut expected = vec!["forbidden"; uses().len()];
    expected.push("unknown");
    assert_eq!(book.outcomes(), expected);
}

#[tokio::test]
async fn prompts_and_resources_are_closed_like_tools() {
    let all = ["notes:read", "notes:write"];
    for revision in Revision::ALL {
        for count in 0..=all.len() {
            let (client, log) = somebody(server(), revision, &all[..count]).await;
            for (method, params, needed) in uses() {
                if method == "resources/subscribe" && revision == Revision::NEWEST {
                    continue;
                }
                let answer = client.request(method, params.clone()).await;
                let name = format!("{revision} {method} {params} with {count} scopes");
                match answer {
                    Ok(_) => assert!(needed <= count, "{name}"),
                    Err(mcp_runtime::ClientError::Protocol(error)) => {
                        assert_eq!((error.code.0, needed > count), (-31403, true), "{name}");
                    }
                    Err(error) => panic!("{name}: {error}"),
                }
            }
            for (method, member, needed) in [
                ("prompts/list", "prompts", 1),
                ("resources/list", "resources", 1),
                ("resources/templates/list", "resourceTemplates", 2),
            ] {
                let list = client.request(method, json!({})).await.unwrap();
                let listed = !list[member].as_array().unwrap().is_empty();
                assert_eq!(listed, needed <= count, "{revision} {method} with {count}");
            }
            log.legal();
        }
    }
}
