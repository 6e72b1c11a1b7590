//! Prompts, resources and templates are listed for exactly the callers that can use,
//! complete and subscribe to them.

use std::sync::Arc;

use mcp_runtime::auth::{Access, Decision, Principal, ScopeMatching};
use mcp_runtime::dispatch::{ClientSink, Connection, DispatchOutcome, TransportKind};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Client, ClientError, Dispatcher};
use proptest::prelude::*;
use serde_json::{Value, json};

use support::access::{RUNTIME, alice_with_scopes, server};

/// A definition: its list method and name, every request that uses it, and its scopes.
struct ListedDefinition {
    list: &'static str,
    name: &'static str,
    uses: Vec<(&'static str, Value)>,
    scopes: &'static [&'static str],
}

fn listed_definitions() -> Vec<ListedDefinition> {
    let complete = |reference: Value, argument: &str| {
        let argument = json!({ "name": argument, "value": "" });
        (
            "completion/complete",
            json!({ "ref": reference, "argument": argument }),
        )
    };
    let uri = |method, uri: &str| (method, json!({ "uri": uri }));
    let prompt = json!({ "type": "ref/prompt", "name": "greeting" });
    let page = json!({ "type": "ref/resource", "uri": "test://page/{number}" });
    vec![
        ListedDefinition {
            list: "prompts/list",
            name: "greeting",
            uses: vec![
                (
                    "prompts/get",
                    json!({ "name": "greeting", "arguments": { "name": "Bob" } }),
                ),
                complete(prompt, "name"),
            ],
            scopes: &["notes:read"],
        },
        ListedDefinition {
            list: "resources/list",
            name: "test://log",
            uses: vec![
                uri("resources/read", "test://log"),
                uri("resources/subscribe", "test://log"),
            ],
            scopes: &["notes:read"],
        },
        ListedDefinition {
            list: "resources/templates/list",
            name: "test://page/{number}",
            uses: vec![
                uri("resources/read", "test://page/1"),
                uri("resources/subscribe", "test://page/1"),
                complete(page, "number"),
            ],
            scopes: &["notes:read", "notes:write"],
        },
    ]
}

async fn is_allowed(client: &Client, method: &str, params: Value) -> bool {
    match client.request(method, params).await {
        Ok(_) => true,
        Err(ClientError::Protocol(error)) => {
            // The code depends on whether the definition is visible to the caller.
            let codes = [-31401, -31403, -32001, -32003, -32602, -32002];
            assert!(codes.contains(&error.code.0), "{error:?}");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// Collects the bytes sent to a client.
#[derive(Debug, Default)]
struct ByteSink(std::sync::Mutex<Vec<u8>>);

impl ClientSink for ByteSink {
    fn send(&self, message: &[u8]) -> bool {
        self.0.lock().unwrap().extend_from_slice(message);
        true
    }
}

/// Whether a listen stream accepts a subscription of `caller` to the resource.
fn accepts_subscription(server: &Dispatcher, caller: &Principal, uri: &str) -> bool {
    let received = Arc::new(ByteSink::default());
    let connection =
        Connection::with_sink(TransportKind::Memory, Arc::<ByteSink>::clone(&received));
    let connection = connection.with_principal(Arc::new(caller.clone()));
    let listen = json!({
        "jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
        "params": {
            "notifications": { "resourceSubscriptions": [uri] },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    });
    let listening = server.dispatch(listen.to_string().as_bytes(), &connection, &mut Vec::new());
    assert!(
        matches!(listening, DispatchOutcome::Pending(_)),
        "{listening:?}"
    );
    let received = String::from_utf8(received.0.lock().unwrap().clone()).unwrap();
    assert!(received.contains("acknowledged"), "{received}");
    received.contains(uri)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn listed_means_usable_completable_and_subscribable(
        scopes in proptest::sample::subsequence(
            vec!["notes", "notes:read", "notes:write", "admin"], 0..=4,
        ),
        revision in proptest::sample::select(Revision::ALL.to_vec()),
        nested in any::<bool>(),
        denies in proptest::sample::select(
            vec!["", "greeting", "test://log", "test://page/{number}"],
        ),
    ) {
        let _runtime = RUNTIME.enter();
        let matching = match nested {
            true => ScopeMatching::Nested,
            false => ScopeMatching::Exact,
        };
        let authorized_server = || {
            let authorizer = move |access: &Access<'_>| match access.name == denies {
                true => Decision::Deny("not today".into()),
                false => Decision::Allow,
            };
            server().scope_matching(matching).authorizer(authorizer)
        };
        RUNTIME.block_on(async {
            let (client, log) = alice_with_scopes(authorized_server(), revision, &scopes).await;
            for ListedDefinition { list, name, uses, scopes: needed } in listed_definitions() {
                let listed = client.request(list, json!({})).await.unwrap();
                let listed = listed.to_string().contains(name);
                let held = scopes.iter().map(|it| (*it).to_owned()).collect();
                let expected = matching.covers_all(&held, needed) && name != denies;
                assert_eq!(listed, expected, "{name} is listed for {scopes:?}");
                for (method, params) in uses {
                    if method == "resources/subscribe" && revision == Revision::NEWEST {
                        continue;
                    }
                    let allowed = is_allowed(&client, method, params.clone()).await;
                    assert_eq!(allowed, listed, "{method} {params} for {scopes:?}");
                }
            }
            log.assert_valid();
        });
        let server = authorized_server().build().unwrap();
        let caller = Principal::new("alice").with_scopes(scopes.iter().copied());
        for (uri, index) in [("test://log", 1), ("test://page/1", 2)] {
            let definition = &listed_definitions()[index];
            let held = caller.scopes.clone();
            let expected = matching.covers_all(&held, definition.scopes) && definition.name != denies;
            prop_assert_eq!(accepts_subscription(&server, &caller, uri), expected, "{}", uri);
        }
    }
}
