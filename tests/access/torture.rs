//! `testing::torture`, and explanations of confirmation.

use std::collections::BTreeSet;

use mcp_runtime::auth::Principal;
use mcp_runtime::dispatch::{MethodCall, StageEffect};
use mcp_runtime::protocol::{JsonObject, Revision};
use mcp_runtime::testing;
use serde_json::json;

use support::access::server;

#[test]
fn confirmation_is_explained() {
    let stages = server().build().unwrap().explain("delete", None);
    let confirms = StageEffect::Depends("on the user: Delete {path}?".to_owned());
    assert!(
        stages
            .iter()
            .any(|stage| stage.name == "approve" && stage.effect == confirms)
    );
}

#[test]
fn protected_server_passes_torture() {
    let _runtime = support::access::RUNTIME.enter();
    let report = testing::torture(&server().build().unwrap());
    assert_eq!(report.problems().count(), 0, "{report}");
    assert!(report.rows.len() > 200, "{}", report.rows.len());
    let local = mcp_runtime::Server::new("tests", "1.0.0").allow_local();
    let report = testing::torture(&local.build().unwrap());
    assert_eq!(report.problems().count(), 0, "{report}");
    assert!(report.to_string().contains(&json!("purge").to_string()));
    let alice = Principal::new("alice").with_scopes(["admin", "notes:read", "notes:write"]);
    let report = testing::torture_as(&server().build().unwrap(), alice);
    assert_eq!(report.problems().count(), 0, "{report}");
    let is_dry_run =
        |row: &&testing::TortureRow| row.response.contains("dry run: the tool `purge`");
    assert_eq!(
        report.rows.iter().filter(is_dry_run).count(),
        4 * Revision::ALL.len()
    );
}

#[test]
fn torture_finds_problems() {
    let _runtime = support::access::RUNTIME.enter();
    // A server that accepts every call, has no capabilities and reveals a source path.
    let careless = server()
        .method("tools/call", |_: MethodCall| async {
            let text = json!({ "type": "text", "text": "src/main.rs:1" });
            let result = json!({ "content": [text] });
            Ok(result.as_object().unwrap().clone())
        })
        .method("rpc.discover", |_: MethodCall| async {
            Ok(JsonObject::new())
        });
    let report = testing::torture(&careless.build().unwrap());
    let problems: BTreeSet<_> = report.problems().map(|row| &*row.case).collect();
    for question in [
        "2025-06-18: an unknown tool",
        "2025-06-18: an unknown method",
        "2026-07-28: a misspelt argument of \"echo\"",
        "2026-07-28: valid arguments of \"echo\"",
    ] {
        assert!(
            problems.contains(question),
            "{question} is not among {problems:#?}"
        );
    }
}
