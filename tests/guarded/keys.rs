//! Keys that are fetched while tokens come.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mcp_runtime::auth::{Algorithm, JwtKeys, JwtValidator, TokenValidator};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

const KEYS: &str = include_str!("../../examples/guarded_notes/keys.json");
const TOKENS: &str = include_str!("../../examples/guarded_notes/tokens.sh");

/// Where keys are fetched, one fetch a permit.
#[derive(Default)]
struct Source {
    begun: AtomicUsize,
    failing: AtomicUsize,
}

struct Fetched {
    source: Arc<Source>,
    /// A fetch waits for one.
    permits: Arc<Semaphore>,
    validator: Arc<JwtValidator>,
}

/// A validator whose first `failing` fetches fail: by an error, and by a panic.
fn fetched(failing: usize) -> Fetched {
    let source = Arc::new(Source::default());
    source.failing.store(failing, Ordering::SeqCst);
    let permits = Arc::new(Semaphore::new(0));
    let (from, gate) = (Arc::clone(&source), Arc::clone(&permits));
    let keys = JwtKeys::fetched(move || {
        from.begun.fetch_add(1, Ordering::SeqCst);
        let (from, gate) = (Arc::clone(&from), Arc::clone(&gate));
        async move {
            gate.acquire().await?.forget();
            let left = from.failing.load(Ordering::SeqCst);
            if left > 0 {
                from.failing.store(left - 1, Ordering::SeqCst);
                assert_ne!(left % 2, 0, "a fetch that panics");
                return Err("a fetch that fails".into());
            }
            Ok(KEYS.to_owned())
        }
    });
    let validator = JwtValidator::new("https://as.example.com", "http://127.0.0.1:8080/mcp", keys);
    let validator = Arc::new(validator.algorithms([Algorithm::HS256]));
    Fetched {
        source,
        permits,
        validator,
    }
}

impl Fetched {
    fn begun(&self) -> usize {
        self.source.begun.load(Ordering::SeqCst)
    }

    /// Whether the token of the example is good.
    async fn knows_alice(&self) -> bool {
        let (_, token) = TOKENS.split_once("ALICE=").unwrap();
        let token = token.lines().next().unwrap();
        self.validator.validate(token, None).await.is_some()
    }
}

#[tokio::test(start_paused = true)]
async fn many_strangers_wait_for_one_fetch() {
    let fetched = Arc::new(fetched(0));
    let mut waiting = JoinSet::new();
    for _ in 0..50 {
        let fetched = Arc::clone(&fetched);
        waiting.spawn(async move { fetched.knows_alice().await });
    }
    while fetched.begun() == 0 {
        tokio::task::yield_now().await;
    }
    fetched.permits.add_permits(50);
    let known = waiting.join_all().await;
    assert_eq!(known, [true; 50]);
    assert_eq!(fetched.begun(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_is_known_never_waits_for_newer_keys() {
    let fetched = fetched(0);
    fetched.permits.add_permits(1);
    assert!(fetched.knows_alice().await);
    tokio::time::advance(Duration::from_secs(600)).await;
    // This fetch has no permit, so nobody who waits for it gets an answer.
    for _ in 0..10 {
        assert!(fetched.knows_alice().await);
        tokio::task::yield_now().await;
    }
    assert_eq!(fetched.begun(), 2);
    fetched.permits.add_permits(1);
    tokio::time::advance(Duration::from_secs(30)).await;
    assert!(fetched.knows_alice().await);
}

#[tokio::test(start_paused = true)]
async fn a_fetch_that_fails_locks_nobody_out() {
    let fetched = fetched(2);
    fetched.permits.add_permits(10);
    for known in [false, false, true] {
        assert_eq!(fetched.knows_alice().await, known);
        // Strangers cause no flood.
        let begun = fetched.begun();
        assert_eq!(fetched.knows_alice().await, known);
        assert_eq!(fetched.begun(), begun);
        tokio::time::advance(Duration::from_secs(10)).await;
    }
    // Newer keys do not come, and the old ones stay, with a try every 10 seconds.
    fetched.source.failing.store(5, Ordering::SeqCst);
    tokio::time::advance(Duration::from_secs(600)).await;
    for tries in 4..8 {
        assert!(fetched.knows_alice().await);
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(fetched.begun(), tries);
    }
}

#[tokio::test(start_paused = true)]
async fn a_fetch_that_hangs_is_given_up() {
    let fetched = fetched(0);
    assert!(!fetched.knows_alice().await);
    fetched.permits.add_permits(1);
    assert!(fetched.knows_alice().await);
    assert_eq!(fetched.begun(), 2);
}

#[tokio::test(start_paused = true)]
async fn who_leaves_takes_no_fetch_along() {
    let fetched = fetched(0);
    let left = tokio::time::timeout(Duration::from_secs(1), fetched.knows_alice()).await;
    assert!(left.is_err());
    fetched.permits.add_permits(1);
    assert!(fetched.knows_alice().await);
    assert_eq!(fetched.begun(), 1);
}
