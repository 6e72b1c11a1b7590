use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Creates an id that identifies a call in the log. The id is not secret and can be guessed.
pub(crate) fn correlation_id() -> String {
    static NEXT: LazyLock<AtomicU64> =
        LazyLock::new(|| AtomicU64::new(RandomState::new().hash_one(0)));
    format!("{:016x}", NEXT.fetch_add(1, Ordering::Relaxed))
}
