//! Authentication, authorization, consent, limits and audit.

mod audit;
mod authorization;
mod checklist;
mod clock;
mod confirmation;
mod consent;
mod dynamic_definitions;
mod edge_cases;
mod failures;
mod fault_isolation;
mod http_auth;
mod jwt_keys;
mod limits;
mod list_agreement;
mod missing_consent;
mod redaction;
mod timeouts;
mod token_revocation;
#[path = "../fixtures/access_tools.rs"]
mod tools;
mod torture;
mod tower_layers;
mod waiting_for_consent;
