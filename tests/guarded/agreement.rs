//! Prompts, resources and their templates: listed, used, completed and subscribed
//! to by the same callers.

use std::sync::Arc;

use mcp_runtime::auth::{Access, Decision, Principal, ScopeMatching};
use mcp_runtime::protocol::Revision;
use mcp_runtime::{Channel, Client, ClientError, Dispatched, Dispatcher, Outgoing, Peer};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::server::{RUNTIME, server, somebody};

/// A list, what it names, and every way to use that.
struct Thing {
    list: &'static str,
    name: &'static str,
    uses: Vec<(&'static str, Value)>,
    scopes: &'static [&'static str],
}

fn things() -> Vec<Thing> {
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
        Thing {
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
        Thing {
            list: "resources/list",
            name: "test://log",
            uses: vec![
                uri("resources/read", "test://log"),
                uri("resources/subscribe", "test://log"),
            ],
            scopes: &["notes:read"],
        },
        Thing {
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
            // Which of them says whether the thing exists for the caller.
            let codes = [-31401, -31403, -32602, -32002];
            assert!(codes.contains(&error.code.0), "{error:?}");
            false
        }
        Err(error) => panic!("{error}"),
    }
}

/// Hears what a listen stream acknowledges.
#[derive(Debug, Default)]
struct Heard(std::sync::Mutex<Vec<u8>>);

impl Outgoing for Heard {
    fn send(&self, message: &[u8]) -> bool {
        self.0.lock().unwrap().extend_from_slice(message);
        true
    }
}

/// Whether a stream of 2026-07-28 tells that caller of the resource.
fn hears_of(server: &Dispatcher, caller: &Principal, uri: &str) -> bool {
    let heard = Arc::new(Heard::default());
    let peer = Peer::through(Channel::Memory, Arc::<Heard>::clone(&heard));
    let peer = peer.with_principal(Arc::new(caller.clone()));
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
    let listening = server.dispatch(listen.to_string().as_bytes(), &peer, &mut Vec::new());
    assert!(matches!(listening, Dispatched::Pending(_)), "{listening:?}");
    let heard = String::from_utf8(heard.0.lock().unwrap().clone()).unwrap();
    assert!(heard.contains("acknowledged"), "{heard}");
    heard.contains(uri)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_listed_is_used_completed_and_subscribed_to(
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
        let guarded = || {
            let authorizer = move |access: &Access<'_>| match access.name == denies {
                true => Decision::Deny("not today".into()),
                false => Decision::Allow,
            };
            server().scope_matching(matching).authorizer(authorizer)
        };
        RUNTIME.block_on(async {
            let (client, log) = somebody(guarded(), revision, &scopes).await;
            for Thing { list, name, uses, scopes: needed } in things() {
                let listed = client.request(list, json!({})).await.unwrap();
                let listed = listed.to_string().contains(name);
                let held = scopes.iter().map(|it| (*it).to_owned()).collect();
                let expected = matching.cover(&held, needed) && name != denies;
                assert_eq!(listed, expected, "{name} is listed for {scopes:?}");
                for (method, params) in uses {
                    if method == "resources/subscribe" && revision == Revision::NEWEST {
                        continue;
                    }
                    let allowed = is_allowed(&client, method, params.clone()).await;
                    assert_eq!(allowed, listed, "{method} {params} for {scopes:?}");
                }
            }
            log.legal();
        });
        let server = guarded().build().unwrap();
        let caller = Principal::new("alice").with_scopes(scopes.iter().copied());
        for (uri, thing) in [("test://log", 1), ("test://page/1", 2)] {
            let thing = &things()[thing];
            let held = caller.scopes.clone();
            let expected = matching.cover(&held, thing.scopes) && thing.name != denies;
            prop_assert_eq!(hears_of(&server, &caller, uri), expected, "{}", uri);
        }
    }
}
