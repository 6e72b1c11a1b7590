//! Scopes and authorizers: listed definitions are exactly the usable ones.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use mcp_runtime::auth::{Access, Decision, Principal, ScopeMatching, StaticTokens};
use mcp_runtime::dispatch::{Connection, DispatchOutcome, TransportKind};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, Rate, Server};
use proptest::prelude::*;
use serde_json::{Value, json};

use support::access::{
    AuditLog, RUNTIME, alice_with_scopes, anonymous_client, call_tool, error_code, server,
};

/// Tools and their scopes.
const TOOL_SCOPES: [(&str, &[&str]); 4] = [
    ("read_note", &["notes:read"]),
    ("write_note", &["notes:read", "notes:write"]),
    ("purge", &["admin"]),
    ("echo", &[]),
];

async fn tool_names(client: &Client) -> BTreeSet<String> {
    let tools = client.list_tools().await.unwrap();
    tools.into_iter().map(|tool| tool.name).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn listed_means_callable(
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
            let (client, log) = alice_with_scopes(server, revision, &scopes).await;
            let listed = tool_names(&client).await;
            for (tool, needed) in TOOL_SCOPES {
                let held: BTreeSet<String> = scopes.iter().map(|it| (*it).to_owned()).collect();
                let expected = matching.covers_all(&held, needed) && tool != denies;
                assert_eq!(listed.contains(tool), expected, "{tool} is listed");
                // With invalid arguments: nothing runs, and authorization comes first.
                let answer = call_tool(&client, tool, json!({ "none": 0 })).await;
                assert_eq!(answer.is_ok(), expected, "{tool} can be called: {answer:?}");
                let Err(error) = answer else { continue };
                assert!(!error.to_string().contains("number"), "{error} reveals the schema");
            }
            log.assert_valid();
        });
    }
}

#[tokio::test]
async fn forbidden_error_names_all_required_scopes() {
    for revision in Revision::ALL {
        let (client, log) = alice_with_scopes(server(), revision, &["notes:read"]).await;
        let error = call_tool(&client, "write_note", json!({ "text": "a" })).await;
        let error = error.unwrap_err();
        assert_eq!(error["code"], error_code(-31403, revision));
        assert_eq!(
            error["data"]["scopes"],
            json!(["notes:read", "notes:write"])
        );
        log.assert_valid();
    }
}

#[tokio::test]
async fn hidden_tool_is_not_suggested_as_nearest_name() {
    let error = |client: Client| async move {
        let error = call_tool(&client, "purg", json!({})).await.unwrap_err();
        error["message"].as_str().unwrap().to_owned()
    };
    let (client, _) = alice_with_scopes(server(), Revision::NEWEST, &["admin"]).await;
    assert_eq!(
        error(client).await,
        "unknown tool `purg`; did you mean `purge`?"
    );
    let (client, _) = alice_with_scopes(server(), Revision::NEWEST, &[]).await;
    assert!(!error(client).await.contains("`purge`"));
}

#[tokio::test]
async fn denied_tool_looks_unknown() {
    let deny = |access: &Access<'_>| match access.name {
        "purge" => Decision::Deny("planted reason".into()),
        _ => Decision::Allow,
    };
    let (client, _) =
        alice_with_scopes(server().authorizer(deny), Revision::NEWEST, &["admin"]).await;
    let denied = call_tool(&client, "purge", json!({})).await.unwrap_err();
    let unknown = call_tool(&client, "purgo", json!({})).await.unwrap_err();
    assert_eq!(denied["code"], unknown["code"]);
    assert_eq!(denied["message"], "unknown tool `purge`");
    assert!(!denied.to_string().contains("planted"));
}

#[tokio::test]
async fn tool_can_borrow_the_principal() {
    for revision in Revision::ALL {
        let (client, _) = alice_with_scopes(server(), revision, &[]).await;
        assert_eq!(
            client.call::<String>("who", json!({})).await.unwrap(),
            "alice"
        );
        let (client, _) = anonymous_client(server(), revision).await;
        let error = call_tool(&client, "who", json!({})).await.unwrap_err();
        assert_eq!(error["code"], error_code(-31401, revision));
        assert!(!tool_names(&client).await.contains("who"));
    }
}

#[test]
fn scoped_tools_without_authentication_fail_startup() {
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
async fn allow_local_grants_every_scope() {
    let server = Server::new("tests", "1.0.0").allow_local();
    let (client, _) = anonymous_client(server, Revision::NEWEST).await;
    assert_eq!(
        client.call::<String>("purge", json!({})).await.unwrap(),
        "gone"
    );
    assert!(call_tool(&client, "who", json!({})).await.is_err());
}

#[tokio::test]
async fn lists_that_differ_between_callers_are_private() {
    let (client, _) = alice_with_scopes(server(), Revision::NEWEST, &[]).await;
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

fn send(
    server: &mcp_runtime::Dispatcher,
    connection: &Connection,
    message: &Value,
) -> Option<Value> {
    let _runtime = RUNTIME.enter();
    let mut reply = Vec::new();
    match server.dispatch(message.to_string().as_bytes(), connection, &mut reply) {
        DispatchOutcome::Silent => None,
        DispatchOutcome::Replied(_) => Some(serde_json::from_slice(&reply).unwrap()),
        DispatchOutcome::Pending(pending) => {
            let reply = RUNTIME.block_on(pending.run());
            reply.map(|reply| serde_json::from_slice(&reply).unwrap())
        }
    }
}

#[test]
fn session_belongs_to_its_principal() {
    let server = server().build().unwrap();
    let alices = Connection::new().with_principal(Arc::new(Principal::new("alice")));
    let bobs = alices.with_principal(Arc::new(Principal::new("bob")));
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let initialize = json!({
        "jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "a", "version": "1" },
        },
    });
    assert!(send(&server, &alices, &initialize).unwrap()["result"].is_object());
    assert!(send(&server, &alices, &list).unwrap()["result"].is_object());
    assert_eq!(
        send(&server, &bobs, &list).unwrap()["error"]["code"],
        -32003
    );
    assert_eq!(
        send(&server, &bobs, &initialize).unwrap()["error"]["code"],
        -32003
    );
    assert!(alices.owns_session() && !bobs.owns_session());
}

#[test]
fn only_the_caller_can_cancel_a_call() {
    let server = server().build().unwrap();
    let alices = Connection::new().with_principal(Arc::new(Principal::new("alice")));
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
    let DispatchOutcome::Pending(pending) = dispatched else {
        panic!("{dispatched:?}")
    };
    let cancel = json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 },
    });
    assert_eq!(send(&server, &bobs, &cancel), None);
    // The call continues until its timeout.
    let reply = RUNTIME.block_on(pending.run()).unwrap();
    let reply: Value = serde_json::from_slice(&reply).unwrap();
    assert_eq!(reply["result"]["isError"], true);
}

/// Requests for prompts and resources, and the number of scopes they need.
fn scoped_requests() -> Vec<(&'static str, Value, usize)> {
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
async fn prompt_and_resource_requests_are_rate_limited_and_audited() {
    for revision in Revision::ALL {
        let audit = AuditLog::default();
        let server = audit.record(server().rate_limit(Rate::per_hour(1)));
        let all = ["notes:read", "notes:write"];
        let (client, log) = alice_with_scopes(server, revision, &all).await;
        let mut expected = Vec::new();
        for (method, params, _) in scoped_requests() {
            if method == "resources/subscribe" && revision == Revision::NEWEST {
                continue;
            }
            assert!(client.request(method, params.clone()).await.is_ok());
            let error = client.request(method, params).await.unwrap_err();
            let mcp_runtime::ClientError::Protocol(error) = error else {
                panic!("{error}");
            };
            let limited = error_code(-31429, revision);
            assert_eq!(i64::from(error.code.0), limited, "{revision} {method}");
            assert!(error.data.unwrap()["retryAfter"].is_u64());
            expected.extend([(method, "success"), (method, "rate_limited")]);
        }
        let records = audit.records();
        let audited = records.iter().map(|it| (it.method, it.outcome.as_str()));
        assert_eq!(audited.collect::<Vec<_>>(), expected);
        log.assert_valid();
    }
}

#[tokio::test]
async fn denied_prompt_and_resource_requests_are_audited() {
    let audit = AuditLog::default();
    let (client, _) = alice_with_scopes(audit.record(server()), Revision::V2025_06_18, &[]).await;
    for (method, params, _) in scoped_requests() {
        assert!(client.request(method, params).await.is_err());
    }
    let absent = json!({ "uri": "test://none" });
    assert!(client.request("resources/subscribe", absent).await.is_err());
    let mut expected = vec!["forbidden"; scoped_requests().len()];
    expected.push("unknown");
    assert_eq!(audit.outcomes(), expected);
}

#[tokio::test]
async fn prompts_and_resources_require_their_scopes() {
    let all = ["notes:read", "notes:write"];
    for revision in Revision::ALL {
        for count in 0..=all.len() {
            let (client, log) = alice_with_scopes(server(), revision, &all[..count]).await;
            for (method, params, needed) in scoped_requests() {
                if method == "resources/subscribe" && revision == Revision::NEWEST {
                    continue;
                }
                let answer = client.request(method, params.clone()).await;
                let description = format!("{revision} {method} {params} with {count} scopes");
                match answer {
                    Ok(_) => assert!(needed <= count, "{description}"),
                    Err(mcp_runtime::ClientError::Protocol(error)) => {
                        assert_eq!(
                            (i64::from(error.code.0), needed > count),
                            (error_code(-31403, revision), true),
                            "{description}"
                        );
                    }
                    Err(error) => panic!("{description}: {error}"),
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
            log.assert_valid();
        }
    }
}

async fn read(client: &Client, uri: &str) -> Result<Value, mcp_runtime::ClientError> {
    client
        .request("resources/read", json!({ "uri": uri }))
        .await
}

/// With `test://page/{number}`, whose scopes alice has.
#[tokio::test]
async fn authorizer_sees_the_uri_that_is_read() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    for revision in Revision::ALL {
        let log = Arc::clone(&seen);
        let authorizer = move |access: &Access<'_>| {
            log.lock()
                .unwrap()
                .push((access.kind, access.name.to_owned()));
            match access.name {
                "test://page/2" => Decision::Deny("planted".into()),
                _ => Decision::Allow,
            }
        };
        let scopes = ["notes:read", "notes:write"];
        let (client, _) =
            alice_with_scopes(server().authorizer(authorizer), revision, &scopes).await;
        seen.lock().unwrap().clear();
        read(&client, "test://page/1").await.unwrap();
        let expected = [
            ("resource template", "test://page/{number}".to_owned()),
            ("resource", "test://page/1".to_owned()),
        ];
        assert_eq!(*seen.lock().unwrap(), expected);
        // Other spellings of the same URI are the same URI.
        for uri in ["test://page/2", "test://page/%32", "test://%70age/%32"] {
            let error = read(&client, uri).await.unwrap_err().to_string();
            assert!(!error.contains("planted"), "{error}");
        }
        assert!(read(&client, "test://page/3").await.is_ok());
    }
}

#[tokio::test]
async fn hidden_tool_with_scopes_looks_unknown() {
    let deny = |_: &Access<'_>| Decision::Deny("planted".into());
    for revision in Revision::ALL {
        let (client, _) = alice_with_scopes(server().authorizer(deny), revision, &[]).await;
        let purge = client
            .request("tools/call", json!({ "name": "purge" }))
            .await;
        let Err(mcp_runtime::ClientError::Protocol(error)) = purge else {
            panic!("{purge:?}");
        };
        assert_eq!(error.code.0, -32602);
        assert!(!format!("{error:?}").contains("admin"), "{error:?}");
    }
}

#[tokio::test]
async fn token_of_a_principal_without_an_id_is_rejected() {
    let tokens = StaticTokens::new().token("empty", Principal::new("").with_scopes(["admin"]));
    let dispatcher = server().authenticate(tokens).build().unwrap();
    let nobody = dispatcher.authenticate(Some("empty"), None, TransportKind::Http);
    assert!(nobody.await.is_err());
}
