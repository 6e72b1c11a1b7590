//! Odd and hostile messages, and what is explained beforehand.

use mcp_runtime::{StageEffect, testing};
use serde_json::json;

use crate::server::server;

#[test]
fn a_question_to_a_person_is_explained() {
    let stages = server().build().unwrap().explain("delete", None);
    let asks = StageEffect::Depends("on a person: Delete {path}?".to_owned());
    assert!(
        stages
            .iter()
            .any(|stage| stage.name == "approve" && stage.effect == asks)
    );
}

#[test]
fn a_guarded_server_stands_the_torture() {
    let _runtime = crate::server::RUNTIME.enter();
    let report = testing::torture(&server().build().unwrap());
    assert_eq!(report.problems().count(), 0, "{report}");
    assert!(report.rows.len() > 200, "{}", report.rows.len());
    let local = mcp_runtime::Server::new("tests", "1.0.0").allow_local();
    let report = testing::torture(&local.build().unwrap());
    assert_eq!(report.problems().count(), 0, "{report}");
    assert!(report.to_string().contains(&json!("purge").to_string()));
}
