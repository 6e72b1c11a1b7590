//! JWT keys that are fetched while tokens are validated.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::auth::{Algorithm, JwtKeys, JwtValidator, TokenValidator};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const KEYS: &str = include_str!("../../examples/guarded_notes/keys.json");
const TOKENS: &str = include_str!("../../examples/guarded_notes/tokens.sh");

/// Counts started fetches and fetches that must still fail.
#[derive(Default)]
struct KeySource {
    started: AtomicUsize,
    failing: AtomicUsize,
}

/// A validator whose key fetches the test controls.
struct FetchingValidator {
    source: Arc<KeySource>,
    /// Each fetch waits for a permit.
    permits: Arc<Semaphore>,
    validator: Arc<JwtValidator>,
}

/// A validator whose first `failing` fetches fail, alternately with an error and a panic.
fn fetching_validator(failing: usize) -> FetchingValidator {
    let source = Arc::new(KeySource::default());
    source.failing.store(failing, Ordering::SeqCst);
    let permits = Arc::new(Semaphore::new(0));
    let (fetches, gate) = (Arc::clone(&source), Arc::clone(&permits));
    let keys = JwtKeys::from_fetch(move || {
        fetches.started.fetch_add(1, Ordering::SeqCst);
        let (fetches, gate) = (Arc::clone(&fetches), Arc::clone(&gate));
        async move {
            gate.acquire().await?.forget();
            let left = fetches.failing.load(Ordering::SeqCst);
            if left > 0 {
                fetches.failing.store(left - 1, Ordering::SeqCst);
                assert_ne!(left % 2, 0, "a fetch that panics");
                return Err("a fetch that fails".into());
            }
            Ok(KEYS.to_owned())
        }
    });
    let validator = JwtValidator::new("https://as.example.com", "http://127.0.0.1:8080/mcp", keys);
    let validator = Arc::new(validator.algorithms([Algorithm::HS256]));
    FetchingValidator {
        source,
        permits,
        validator,
    }
}

impl FetchingValidator {
    fn started(&self) -> usize {
        self.source.started.load(Ordering::SeqCst)
    }

    /// Whether the token of the example is valid.
    async fn accepts_alice(&self) -> bool {
        let (_, token) = TOKENS.split_once("ALICE=").unwrap();
        let token = token.lines().next().unwrap();
        self.validator.validate(token, None).await.is_some()
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_validations_share_one_key_fetch() {
    let validator = Arc::new(fetching_validator(0));
    let mut waiting = JoinSet::new();
    for _ in 0..50 {
        let validator = Arc::clone(&validator);
        waiting.spawn(async move { validator.accepts_alice().await });
    }
    while validator.started() == 0 {
        tokio::task::yield_now().await;
    }
    validator.permits.add_permits(50);
    let accepted = waiting.join_all().await;
    assert_eq!(accepted, [true; 50]);
    assert_eq!(validator.started(), 1);
}

#[tokio::test(start_paused = true)]
async fn known_key_never_waits_for_a_refresh() {
    let validator = fetching_validator(0);
    validator.permits.add_permits(1);
    assert!(validator.accepts_alice().await);
    tokio::time::advance(Duration::from_secs(600)).await;
    // This fetch has no permit, so waiting for it would never end.
    for _ in 0..10 {
        assert!(validator.accepts_alice().await);
        tokio::task::yield_now().await;
    }
    assert_eq!(validator.started(), 2);
    validator.permits.add_permits(1);
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(validator.accepts_alice().await);
}

#[tokio::test(start_paused = true)]
async fn failed_fetch_is_retried_and_keeps_old_keys() {
    let validator = fetching_validator(2);
    validator.permits.add_permits(10);
    for accepted in [false, false, true] {
        assert_eq!(validator.accepts_alice().await, accepted);
        // More invalid tokens do not cause more fetches.
        let started = validator.started();
        assert_eq!(validator.accepts_alice().await, accepted);
        assert_eq!(validator.started(), started);
        tokio::time::advance(Duration::from_secs(10)).await;
    }
    // If newer keys cannot be fetched, the old ones stay, with a retry every 10 seconds.
    validator.source.failing.store(5, Ordering::SeqCst);
    tokio::time::advance(Duration::from_secs(600)).await;
    for tries in 4..8 {
        assert!(validator.accepts_alice().await);
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(validator.started(), tries);
    }
}

#[tokio::test(start_paused = true)]
async fn hanging_fetch_times_out() {
    let validator = fetching_validator(0);
    assert!(!validator.accepts_alice().await);
    validator.permits.add_permits(1);
    assert!(validator.accepts_alice().await);
    assert_eq!(validator.started(), 2);
}

#[tokio::test(start_paused = true)]
async fn fetch_survives_its_caller() {
    let validator = fetching_validator(0);
    let dropped = tokio::time::timeout(Duration::from_secs(1), validator.accepts_alice()).await;
    assert!(dropped.is_err());
    validator.permits.add_permits(1);
    assert!(validator.accepts_alice().await);
    assert_eq!(validator.started(), 1);
}
