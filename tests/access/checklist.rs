//! Behaviours that dispatchers often get wrong, and the tests that cover them.

/// The file of a test, and its name.
type TestRef = (&'static str, &'static str);

macro_rules! sources {
    ($($path:literal),+ $(,)?) => {
        [$(($path, include_str!(concat!("../", $path, ".rs")))),+]
    };
}

const SOURCES: [(&str, &str); 23] = sources![
    "input_requests/unresponsive_clients",
    "dispatch/in_flight",
    "features/dynamic_definitions",
    "features/subscriptions",
    "features/notifications",
    "access/list_agreement",
    "access/confirmation",
    "access/authorization",
    "access/failures",
    "access/clock",
    "access/consent",
    "access/explain",
    "access/edge_cases",
    "access/http_auth",
    "access/limits",
    "access/audit",
    "access/token_revocation",
    "access/redaction",
    "access/timeouts",
    "access/missing_consent",
    "transports/http/host_origin_checks",
    "matrix/methods",
    "macros/argument_rules",
];

/// The behaviours that concern a server.
const BEHAVIOURS: [(&str, &[TestRef]); 24] = [
    (
        "middleware that answers for a handler runs after every check, and is audited",
        &[(
            "access/audit",
            "caching_middleware_is_authorized_and_audited",
        )],
    ),
    (
        "every outcome is audited",
        &[
            ("access/audit", "every_outcome_writes_one_audit_record"),
            ("access/failures", "every_concurrent_call_is_audited_once"),
        ],
    ),
    (
        "the caller is authenticated before the body is parsed",
        &[("access/http_auth", "unauthenticated_request_is_not_parsed")],
    ),
    (
        "exactly the listed definitions can be used, completed and subscribed to",
        &[
            ("access/authorization", "listed_means_callable"),
            (
                "access/list_agreement",
                "listed_means_usable_completable_and_subscribable",
            ),
        ],
    ),
    (
        "declared capabilities are available",
        &[("matrix/methods", "capabilities_match_the_available_methods")],
    ),
    (
        "a nested request does not change the outer one",
        &[(
            "access/edge_cases",
            "nested_request_does_not_change_the_outer_one",
        )],
    ),
    (
        "the result of a cancelled call is withheld even if its handler completes",
        &[
            (
                "dispatch/in_flight",
                "cancelled_blocking_handler_is_notified_and_its_result_withheld",
            ),
            (
                "access/timeouts",
                "blocking_handler_of_a_lost_connection_is_cancelled",
            ),
        ],
    ),
    (
        "only the owner cancels calls, answers requests and ends a session",
        &[
            ("access/authorization", "only_the_caller_can_cancel_a_call"),
            ("access/authorization", "session_belongs_to_its_principal"),
            (
                "access/http_auth",
                "only_the_owner_uses_or_deletes_a_session",
            ),
            (
                "access/missing_consent",
                "missing_or_invalid_answer_is_not_consent",
            ),
        ],
    ),
    (
        "approval has three outcomes, and denies by default",
        &[
            (
                "access/confirmation",
                "handler_runs_only_with_explicit_consent",
            ),
            ("access/confirmation", "any_other_answer_is_denied"),
            (
                "access/confirmation",
                "client_without_elicitation_is_denied",
            ),
            (
                "access/missing_consent",
                "missing_or_invalid_answer_is_not_consent",
            ),
            (
                "access/missing_consent",
                "url_only_client_is_not_sent_a_form",
            ),
        ],
    ),
    (
        "heartbeats stop when the tool reports progress itself",
        &[(
            "features/notifications",
            "heartbeat_reports_progress_of_a_silent_call",
        )],
    ),
    (
        "an oversized result is rejected as a whole, with advice",
        &[("access/limits", "oversized_result_is_an_error")],
    ),
    (
        "a clamped value is reported",
        &[(
            "macros/argument_rules",
            "clamped_values_are_reported_in_the_result",
        )],
    ),
    (
        "consent is bound to arguments and caller, for one call and a limited time",
        &[
            ("access/consent", "consent_is_bound_to_arguments_and_caller"),
            ("access/consent", "consent_is_good_for_one_call"),
            ("access/consent", "unrequested_consent_is_ignored"),
            ("access/clock", "consent_expires_by_either_clock"),
        ],
    ),
    (
        "arguments are limited in length and depth, and no timeout is zero",
        &[
            ("access/limits", "argument_depth_and_length_are_limited"),
            ("access/edge_cases", "zero_timeout_fails_startup"),
        ],
    ),
    (
        "a subscriber is notified of its own resources, until it disconnects",
        &[
            (
                "features/dynamic_definitions",
                "subscriber_is_notified_of_its_resource",
            ),
            (
                "features/subscriptions",
                "disconnecting_ends_listen_streams",
            ),
        ],
    ),
    (
        "a changed list is notified once, even if it changes back",
        &[
            (
                "features/dynamic_definitions",
                "session_is_notified_once_per_changed_list",
            ),
            (
                "features/subscriptions",
                "reverting_a_change_notifies_again",
            ),
        ],
    ),
    (
        "secrets are redacted in any case, in part, and at any depth",
        &[("access/redaction", "secret_never_appears_in_output")],
    ),
    (
        "access is denied by default",
        &[
            (
                "access/authorization",
                "scoped_tools_without_authentication_fail_startup",
            ),
            (
                "transports/http/host_origin_checks",
                "public_address_needs_public_host_and_authentication",
            ),
        ],
    ),
    (
        "each call of a batch counts towards the rate limit",
        &[(
            "access/edge_cases",
            "each_call_of_a_batch_counts_towards_the_rate_limit",
        )],
    ),
    (
        "a rate limit error has the time to wait",
        &[("access/limits", "rate_limited_call_gets_retry_after")],
    ),
    (
        "a dry run passes every check",
        &[
            (
                "access/confirmation",
                "dry_run_describes_the_call_and_runs_nothing",
            ),
            (
                "access/edge_cases",
                "dry_run_is_authorized_and_rate_limited",
            ),
        ],
    ),
    (
        "explained stages are the stages taken",
        &[("access/explain", "explained_stages_are_the_stages_taken")],
    ),
    (
        "a stream ends when its token is revoked",
        &[(
            "access/token_revocation",
            "stream_ends_when_its_token_is_revoked_or_changes_owner",
        )],
    ),
    (
        "an answer counts once",
        &[(
            "input_requests/unresponsive_clients",
            "duplicate_answer_counts_once",
        )],
    ),
];

#[test]
fn every_behaviour_has_a_test() {
    for (behaviour, tests) in BEHAVIOURS {
        assert!(!tests.is_empty());
        for (path, name) in tests {
            let (_, text) = SOURCES.iter().find(|(known, _)| known == path).unwrap();
            assert!(
                text.contains(&format!("fn {name}(")),
                "{behaviour}: {path} has no {name}"
            );
        }
    }
}
