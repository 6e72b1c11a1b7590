//! What implementers of dispatchers forget most often, and the test that holds it.

/// Where a test stands, and its name.
type Test = (&'static str, &'static str);

macro_rules! sources {
    ($($path:literal),+ $(,)?) => {
        [$(($path, include_str!(concat!("../", $path, ".rs")))),+]
    };
}

const SOURCES: [(&str, &str); 23] = sources![
    "asking/gone",
    "dispatch/flight",
    "features/changes",
    "features/listening",
    "features/telling",
    "guarded/agreement",
    "guarded/approve",
    "guarded/authorize",
    "guarded/broken",
    "guarded/clock",
    "guarded/consent",
    "guarded/explain",
    "guarded/forgotten",
    "guarded/http",
    "guarded/limits",
    "guarded/records",
    "guarded/revoked",
    "guarded/secrets",
    "guarded/stuck",
    "guarded/unasked",
    "http/doors",
    "matrix/methods",
    "signatures/limits",
];

/// Those of the behaviours that concern a server.
const BEHAVIOURS: [(&str, &[Test]); 24] = [
    (
        "what answers in place of a body stands after every gate, and is audited",
        &[(
            "guarded/records",
            "a_cache_stands_behind_every_gate_and_is_audited",
        )],
    ),
    (
        "every exit is audited",
        &[
            ("guarded/records", "every_exit_writes_one_record"),
            (
                "guarded/broken",
                "every_call_of_a_storm_is_written_down_once",
            ),
        ],
    ),
    (
        "who asks is known before anything is read",
        &[("guarded/http", "strangers_learn_nothing_of_what_is_asked")],
    ),
    (
        "what is listed can be used, completed and subscribed to, and nothing else",
        &[
            ("guarded/authorize", "listed_is_callable"),
            (
                "guarded/agreement",
                "what_is_listed_is_used_completed_and_subscribed_to",
            ),
        ],
    ),
    (
        "a capability is a promise",
        &[("matrix/methods", "capabilities_are_what_methods_there_are")],
    ),
    (
        "a request within a request leaves it as it was",
        &[(
            "guarded/forgotten",
            "a_request_within_a_request_leaves_it_as_it_was",
        )],
    ),
    (
        "what nobody wants any more is withheld also after the body has returned",
        &[
            (
                "dispatch/flight",
                "a_cancelled_thread_is_told_and_its_result_withheld",
            ),
            (
                "guarded/stuck",
                "a_thread_whose_connection_is_gone_learns_it",
            ),
        ],
    ),
    (
        "cancellations, replies and the end of a session are its owner's",
        &[
            (
                "guarded/authorize",
                "a_call_is_cancelled_by_who_made_it_alone",
            ),
            ("guarded/authorize", "a_session_belongs_to_who_opened_it"),
            (
                "guarded/http",
                "a_session_is_ended_and_used_by_its_owner_alone",
            ),
            ("guarded/unasked", "nobody_agrees_by_not_answering"),
        ],
    ),
    (
        "approval has three outcomes and fails closed",
        &[
            ("guarded/approve", "only_an_explicit_yes_lets_the_body_run"),
            ("guarded/approve", "anything_else_does_not"),
            ("guarded/approve", "a_client_that_cannot_ask_is_refused"),
            ("guarded/unasked", "nobody_agrees_by_not_answering"),
            (
                "guarded/unasked",
                "who_can_only_open_pages_is_not_asked_with_a_form",
            ),
        ],
    ),
    (
        "a heartbeat stops when the tool tells its progress itself",
        &[(
            "features/telling",
            "a_heartbeat_tells_that_a_silent_call_is_alive",
        )],
    ),
    (
        "what is too big is refused whole, with what to do",
        &[("guarded/limits", "a_result_is_whole_or_not_sent")],
    ),
    (
        "a value that is moved into its range is told",
        &[(
            "signatures/limits",
            "values_are_moved_into_their_range_and_the_result_says_so",
        )],
    ),
    (
        "consent is for these arguments, this caller, one call, and a short time",
        &[
            (
                "guarded/consent",
                "consent_is_for_these_arguments_and_this_caller",
            ),
            ("guarded/consent", "consent_is_for_one_call"),
            ("guarded/consent", "a_yes_to_what_was_not_asked_is_none"),
            (
                "guarded/clock",
                "consent_is_too_old_after_its_life_by_whichever_clock",
            ),
        ],
    ),
    (
        "arguments are bounded in bytes and depth, and no timeout is zero",
        &[
            (
                "guarded/limits",
                "arguments_are_bounded_in_depth_and_length",
            ),
            ("guarded/forgotten", "a_timeout_of_zero_does_not_start"),
        ],
    ),
    (
        "a subscriber hears of its resource alone, and ends with its client",
        &[
            ("features/changes", "a_subscriber_hears_of_its_resource"),
            (
                "features/listening",
                "the_end_of_the_client_ends_its_streams",
            ),
        ],
    ),
    (
        "a list that changed is told once, also when it changed back",
        &[
            (
                "features/changes",
                "a_session_hears_once_of_each_list_that_changed",
            ),
            ("features/listening", "a_change_back_is_told_as_well"),
        ],
    ),
    (
        "secrets are found in any case, by a part, at any depth",
        &[(
            "guarded/secrets",
            "a_planted_secret_is_in_nothing_that_is_emitted",
        )],
    ),
    (
        "what is not declared is closed",
        &[
            (
                "guarded/authorize",
                "a_server_that_knows_nobody_does_not_start_with_closed_tools",
            ),
            (
                "http/doors",
                "an_address_that_others_reach_needs_a_name_and_callers_who_are_known",
            ),
        ],
    ),
    (
        "each call of a batch counts",
        &[("guarded/forgotten", "each_call_of_a_batch_counts")],
    ),
    (
        "a refusal for the rate says how long to wait",
        &[(
            "guarded/limits",
            "calls_beyond_the_rate_are_refused_with_the_time_to_wait",
        )],
    ),
    (
        "a dry run passes every gate",
        &[
            (
                "guarded/approve",
                "a_dry_run_says_what_would_happen_and_does_nothing",
            ),
            ("guarded/forgotten", "a_dry_run_passes_every_gate"),
        ],
    ),
    (
        "what is explained is what happens",
        &[(
            "guarded/explain",
            "the_stages_that_are_explained_are_those_that_are_taken",
        )],
    ),
    (
        "a stream ends with the right to it",
        &[(
            "guarded/revoked",
            "a_stream_ends_when_its_token_is_no_longer_the_callers",
        )],
    ),
    (
        "an answer counts once",
        &[("asking/gone", "an_answer_that_comes_twice_counts_once")],
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
