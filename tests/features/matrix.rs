//! Every method in every revision: answered, refused, and absent where the
//! server lacks what it needs. What is found is printed into the documentation.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use mcp_runtime::{Peer, ServerHandle};
use serde_json::{Value, json};

use crate::definitions::server;
use crate::talk::{ALL, Talk, assert_contains};

struct Method {
    name: &'static str,
    /// Parameters that are good.
    good: fn() -> Value,
    /// Parameters that are not, and the code of the error.
    bad: &'static [(&'static str, i64)],
    /// Takes away what the method needs.
    without: Option<fn(&ServerHandle)>,
}

const INVALID: i64 = -32602;
const ABSENT: i64 = -32601;

const METHODS: [Method; 15] = [
    Method {
        name: "initialize",
        good: || json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "a", "version": "1" } }),
        bad: &[("{}", INVALID)],
        without: None,
    },
    Method {
        name: "server/discover",
        good: || json!({}),
        bad: &[],
        without: None,
    },
    Method {
        name: "ping",
        good: || json!({}),
        bad: &[],
        without: None,
    },
    Method {
        name: "tools/list",
        good: || json!({}),
        bad: &[(r#"{"cursor":"x"}"#, INVALID)],
        without: Some(no_tools),
    },
    Method {
        name: "tools/call",
        good: || json!({ "name": "widget" }),
        bad: &[
            ("{}", INVALID),
            (r#"{"name":"none"}"#, INVALID),
            (r#"{"name":"widget","arguments":[]}"#, 0),
        ],
        without: Some(no_tools),
    },
    Method {
        name: "prompts/list",
        good: || json!({}),
        bad: &[(r#"{"cursor":"x"}"#, INVALID)],
        without: Some(no_prompts),
    },
    Method {
        name: "prompts/get",
        good: || json!({ "name": "picture" }),
        bad: &[
            ("{}", INVALID),
            (r#"{"name":"none"}"#, INVALID),
            (r#"{"name":"way"}"#, INVALID),
        ],
        without: Some(no_prompts),
    },
    Method {
        name: "resources/list",
        good: || json!({}),
        bad: &[(r#"{"cursor":"x"}"#, INVALID)],
        without: Some(no_resources),
    },
    Method {
        name: "resources/templates/list",
        good: || json!({}),
        bad: &[(r#"{"cursor":"x"}"#, INVALID)],
        without: Some(no_resources),
    },
    Method {
        name: "resources/read",
        good: || json!({ "uri": "config://app" }),
        bad: &[("{}", INVALID)],
        without: Some(no_resources),
    },
    Method {
        name: "resources/subscribe",
        good: || json!({ "uri": "config://app" }),
        bad: &[("{}", INVALID), (r#"{"uri":"no://x"}"#, -32002)],
        without: Some(no_resources),
    },
    Method {
        name: "resources/unsubscribe",
        good: || json!({ "uri": "config://app" }),
        bad: &[("{}", INVALID)],
        without: Some(no_resources),
    },
    Method {
        name: "completion/complete",
        good: || json!({ "ref": { "type": "ref/prompt", "name": "way" }, "argument": { "name": "tone", "value": "" } }),
        bad: &[("{}", INVALID)],
        without: Some(nothing_to_complete),
    },
    Method {
        name: "logging/setLevel",
        good: || json!({ "level": "error" }),
        bad: &[("{}", INVALID), (r#"{"level":"loud"}"#, INVALID)],
        without: Some(nobody_logs),
    },
    Method {
        name: "subscriptions/listen",
        good: || json!({ "notifications": {} }),
        bad: &[("{}", INVALID)],
        without: None,
    },
];

fn no_tools(handle: &ServerHandle) {
    for name in ["extra", "logs", "slow", "steps", "toggle", "widget"] {
        assert!(handle.disable_tool(name), "{name}");
    }
}

fn no_prompts(handle: &ServerHandle) {
    for name in ["extra_prompt", "failing", "picture", "way"] {
        assert!(handle.remove_prompt(name), "{name}");
    }
}

fn no_resources(handle: &ServerHandle) {
    for uri in ["config://app", "data://bytes", "ui://widget"] {
        assert!(handle.remove_resource(uri), "{uri}");
    }
    for template in ["notes://{+path}", "notes://{id}/body{?format}"] {
        assert!(handle.disable_resource_template(template), "{template}");
    }
}

fn nothing_to_complete(handle: &ServerHandle) {
    no_prompts(handle);
    no_resources(handle);
}

fn nobody_logs(handle: &ServerHandle) {
    no_tools(handle);
    no_resources(handle);
}

/// What becomes of a request; a stream that stays open counts as answered.
fn ask(talk: &mut Talk, method: &Method, params: Value) -> Option<Value> {
    if method.name != "subscriptions/listen" || params == json!({}) {
        return Some(talk.ask(method.name, params));
    }
    let request = talk.request(method.name, params);
    if !request["params"]["_meta"].is_object() || talk.peer.calls_in_flight() > 0 {
        return Some(talk.say(&request).unwrap());
    }
    None
}

/// The code of the answer, 0 for a result.
fn code(answer: Option<&Value>) -> i64 {
    answer
        .and_then(|answer| answer["error"]["code"].as_i64())
        .unwrap_or(0)
}

fn exists(method: &Method, talk: &mut Talk) -> bool {
    code(ask(talk, method, (method.good)()).as_ref()) != ABSENT
}

#[test]
fn every_method_answers_refuses_and_is_absent_as_its_revision_says() {
    for revision in ALL {
        for method in &METHODS {
            let mut talk = Talk::with(server(), revision);
            let named = format!("{} in {revision}", method.name);
            if !exists(method, &mut talk) {
                for (params, _) in method.bad {
                    let answer = talk.ask(method.name, serde_json::from_str(params).unwrap());
                    assert_contains(&answer, &json!({ "error": { "code": ABSENT } }));
                }
                continue;
            }
            for (params, expected) in method.bad {
                let answer = talk.ask(method.name, serde_json::from_str(params).unwrap());
                assert_eq!(
                    code(Some(&answer)),
                    *expected,
                    "{named} with {params}: {answer}"
                );
            }
            let Some(without) = method.without else {
                continue;
            };
            without(talk.dispatcher.handle());
            let answer = talk.ask(method.name, (method.good)());
            assert_eq!(
                code(Some(&answer)),
                ABSENT,
                "{named} without its capability: {answer}"
            );
        }
    }
}

#[test]
fn capabilities_are_what_methods_there_are() {
    for revision in ALL {
        let mut talk = Talk::with(server(), revision);
        let told = match revision.is_legacy() {
            true => talk
                .say(&crate::talk::initialize(revision.as_str()))
                .unwrap(),
            false => talk.ask("server/discover", json!({})),
        };
        let mut expected = json!({
            "extensions": { "io.modelcontextprotocol/ui": {} },
            "logging": {},
            "prompts": { "listChanged": true },
            "resources": { "listChanged": true, "subscribe": true },
            "tools": { "listChanged": true },
        });
        if revision >= wire::Revision::V2025_03_26 {
            expected["completions"] = json!({});
        }
        assert_eq!(told["result"]["capabilities"], expected, "{revision}");
    }
}

/// A cell of the table: where the method exists.
fn cell(method: &Method, revision: wire::Revision) -> &'static str {
    let mut talk = Talk::with(server(), revision);
    if !exists(method, &mut talk) {
        return "–";
    }
    let mut deaf = Talk::with(server(), revision);
    deaf.peer = Peer::new();
    if revision.is_legacy() {
        deaf.say(&crate::talk::initialize(revision.as_str()));
    }
    match method.name == "subscriptions/listen" || !exists(method, &mut deaf) {
        true => "messages",
        false => "yes",
    }
}

#[test]
fn the_documentation_says_what_there_is() {
    let mut page = String::from(
        "# Methods and revisions\n\n\
         This page is written by a test; set `UPDATE_DOCS=1` and run it to write it anew.\n\
         \"yes\" is over every transport, \"messages\" where the transport carries messages besides \
         replies, as standard input and output and Streamable HTTP do.\n\n| method |",
    );
    for revision in ALL {
        write!(page, " {revision} |").unwrap();
    }
    page.push_str("\n|---|---|---|---|---|---|\n");
    for method in &METHODS {
        write!(page, "| `{}` |", method.name).unwrap();
        for revision in ALL {
            write!(page, " {} |", cell(method, revision)).unwrap();
        }
        page.push('\n');
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/revisions.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&path).unwrap_or_default(),
        page,
        "set UPDATE_DOCS=1 and run this again"
    );
}
