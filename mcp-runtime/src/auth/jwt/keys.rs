use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jsonwebtoken::jwk::{Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

type FetchError = Box<dyn StdError + Send + Sync>;
type Fetch =
    dyn Fn() -> Pin<Box<dyn Future<Output = Result<String, FetchError>> + Send>> + Send + Sync;

/// The age at which cached keys are fetched again.
const REFRESH_AGE: Duration = Duration::from_secs(600);

/// The age at which a token has to wait for a fetch, because its cached key may have been revoked.
const STALE_AGE: Duration = REFRESH_AGE.saturating_mul(2);

/// The minimum time between two fetches. It limits the number of fetches that invalid tokens can
/// cause.
const MIN_FETCH_INTERVAL: Duration = Duration::from_secs(10);

/// The timeout of a fetch.
const FETCH_TIMEOUT: Duration = Duration::from_secs(20);

/// The public keys of an authorization server, read from a JSON Web Key Set (RFC 7517).
///
/// A token is validated with the cached keys, even during a fetch. It waits for the end of the
/// fetch only if its key is unknown, or if the cached keys are older than 20 minutes and may have
/// been revoked. See [`JwtValidator`](super::JwtValidator) for an example.
pub struct JwtKeys(Arc<KeyStore>);

struct KeyStore {
    fetch: Option<Box<Fetch>>,
    cache: Mutex<Cache>,
}

struct Cache {
    keys: Vec<Jwk>,
    /// The time at which the cached keys were fetched.
    fetched_at: Option<Instant>,
    /// The time at which the last fetch started.
    last_fetch_at: Option<Instant>,
    /// The receiver of a channel that is closed when the last fetch has ended.
    fetch_in_progress: Option<watch::Receiver<()>>,
}

/// The error of [`JwtKeys`] if a text is not a JSON Web Key Set or a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the keys cannot be read: {0}")]
pub struct InvalidKeys(#[source] FetchError);

impl JwtKeys {
    /// Reads keys from the text of a JSON Web Key Set. These keys never change.
    ///
    /// # Errors
    /// Returns an error if `json` is not a JSON Web Key Set.
    pub fn from_json(json: &str) -> Result<Self, InvalidKeys> {
        let keys = parse(json).map_err(InvalidKeys)?;
        Ok(Self::new(keys, None))
    }

    /// Reads keys from a file that contains a JSON Web Key Set. The file is read again in the same
    /// intervals as in [`from_fetch`](Self::from_fetch).
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a JSON Web Key Set.
    pub fn from_file(path: impl Into<PathBuf>) -> Result<Self, InvalidKeys> {
        let path = path.into();
        let read = move || std::fs::read_to_string(&path).map_err(FetchError::from);
        let keys = read().and_then(|json| parse(&json)).map_err(InvalidKeys)?;
        let fetch: Box<Fetch> = Box::new(move || Box::pin(std::future::ready(read())));
        Ok(Self::new(keys, Some(fetch)))
    }

    /// Fetches keys with a function that returns the text of a JSON Web Key Set, usually from a
    /// URL.
    ///
    /// This crate does not fetch URLs itself, so call your HTTP client in `fetch`. The validator
    /// calls `fetch` for the first token, for a token with an unknown key id, and if the keys are
    /// older than 10 minutes. Fetches do not overlap, start at least 10 seconds apart, and time out
    /// after 20 seconds. If a fetch fails, the cached keys stay in use.
    pub fn from_fetch<F, A>(fetch: F) -> Self
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<String, FetchError>> + Send + 'static,
    {
        Self::new(Vec::new(), Some(Box::new(move || Box::pin(fetch()))))
    }

    fn new(keys: Vec<Jwk>, fetch: Option<Box<Fetch>>) -> Self {
        let fetched_at = (!keys.is_empty()).then(Instant::now);
        let cache = Mutex::new(Cache {
            keys,
            fetched_at,
            last_fetch_at: fetched_at,
            fetch_in_progress: None,
        });
        Self(Arc::new(KeyStore { fetch, cache }))
    }

    /// Returns the keys that may have signed a token with this key id and algorithm.
    pub(super) async fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Vec<DecodingKey> {
        if let Some(mut fetch) = self.start_fetch_if_due(id, algorithm) {
            // The channel never carries a value, so `changed` returns when the fetch has ended.
            let _ = fetch.changed().await;
        }
        let cache = self.0.cache();
        let keys = cache.matching_keys(id, algorithm);
        keys.filter_map(|key| DecodingKey::from_jwk(key).ok())
            .collect()
    }

    /// Starts a fetch if it is due. Returns the fetch in progress if the token has to wait for it.
    fn start_fetch_if_due(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
    ) -> Option<watch::Receiver<()>> {
        self.0.fetch.as_ref()?;
        let mut cache = self.0.cache();
        let is_known = cache.has_key(id, algorithm);
        if !cache.is_fetching() && (cache.needs_refresh() || !is_known) && cache.may_fetch() {
            let (running, fetch) = watch::channel(());
            cache.last_fetch_at = Some(Instant::now());
            cache.fetch_in_progress = Some(fetch);
            let store = Arc::clone(&self.0);
            // Fetch in a separate task, because the request that starts the fetch may be cancelled.
            tokio::spawn(async move {
                let _running = running;
                store.refresh().await;
            });
        }
        let must_wait = (!is_known || cache.is_stale()) && cache.is_fetching();
        cache.fetch_in_progress.clone().filter(|_| must_wait)
    }
}

impl KeyStore {
    async fn refresh(&self) {
        let Some(fetch) = &self.fetch else { return };
        let fetched = timeout(FETCH_TIMEOUT, fetch()).await;
        let fetched = fetched.unwrap_or_else(|_| Err("the fetch took too long".into()));
        match fetched.and_then(|json| parse(&json)) {
            Ok(keys) => {
                let mut cache = self.cache();
                cache.keys = keys;
                cache.fetched_at = Some(Instant::now());
            }
            Err(error) => tracing::error!("the keys for tokens cannot be fetched: {error}"),
        }
    }

    /// Locks the cache. Poisoning is ignored, because no code panics while it holds the lock.
    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cache {
    fn is_fetching(&self) -> bool {
        let fetch = self.fetch_in_progress.as_ref();
        fetch.is_some_and(|fetch| fetch.has_changed().is_ok())
    }

    fn needs_refresh(&self) -> bool {
        self.fetched_at
            .is_none_or(|fetched| fetched.elapsed() >= REFRESH_AGE)
    }

    fn is_stale(&self) -> bool {
        self.fetched_at
            .is_none_or(|fetched| fetched.elapsed() >= STALE_AGE)
    }

    fn may_fetch(&self) -> bool {
        self.last_fetch_at
            .is_none_or(|last| last.elapsed() >= MIN_FETCH_INTERVAL)
    }

    fn has_key(&self, id: Option<&str>, algorithm: Algorithm) -> bool {
        self.matching_keys(id, algorithm).next().is_some()
    }

    /// Returns the signature keys that match the key id and the algorithm.
    fn matching_keys(&self, id: Option<&str>, algorithm: Algorithm) -> impl Iterator<Item = &Jwk> {
        self.keys.iter().filter(move |key| {
            let common = &key.common;
            let id_matches = id.is_none_or(|id| common.key_id.as_deref() == Some(id));
            let declared = common.key_algorithm;
            let algorithm_matches =
                declared.is_none_or(|declared| is_same_algorithm(declared, algorithm));
            let can_sign = !matches!(common.public_key_use, Some(PublicKeyUse::Encryption));
            id_matches && algorithm_matches && can_sign
        })
    }
}

fn is_same_algorithm(declared: KeyAlgorithm, algorithm: Algorithm) -> bool {
    declared.to_string().parse() == Ok(algorithm)
}

fn parse(json: &str) -> Result<Vec<Jwk>, FetchError> {
    let set: KeySet = serde_json::from_str(json)?;
    let supported = |key| serde_json::from_value(key).ok();
    Ok(set.keys.into_iter().filter_map(supported).collect())
}

/// A JSON Web Key Set. Keys of unsupported types are ignored (RFC 7517, section 5).
#[derive(serde::Deserialize)]
struct KeySet {
    keys: Vec<Value>,
}

impl fmt::Debug for JwtKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JwtKeys")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn key_set(id: &str) -> String {
        json!({ "keys": [{ "kty": "oct", "kid": id, "alg": "HS256", "k": "cGxhbnRlZA" }] })
            .to_string()
    }

    /// Looks up the key `id` with stale keys in the cache. The fetch returns `now`.
    #[track_caller]
    fn check(now: Result<String, &'static str>, id: &str, expected: usize) {
        let keys = JwtKeys::from_fetch(move || {
            let now = now.clone();
            async { now.map_err(FetchError::from) }
        });
        let mut cache = keys.0.cache();
        cache.keys = parse(&key_set("old")).unwrap();
        cache.fetched_at = Instant::now().checked_sub(STALE_AGE);
        drop(cache);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let found = runtime.block_on(keys.find(Some(id), Algorithm::HS256));
        assert_eq!(found.len(), expected, "{id}");
    }

    #[test]
    fn stale_keys_are_fetched_before_they_are_used() {
        check(Ok(key_set("new")), "old", 0);
        check(Ok(key_set("new")), "new", 1);
    }

    #[test]
    fn keys_stay_in_use_while_fetches_fail() {
        check(Err("no keys"), "old", 1);
    }
}
