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

type Failure = Box<dyn StdError + Send + Sync>;
type Fetch =
    dyn Fn() -> Pin<Box<dyn Future<Output = Result<String, Failure>> + Send>> + Send + Sync;

/// How long keys are used before they are fetched again.
const LIFE: Duration = Duration::from_secs(600);

/// How old keys are that may long have been withdrawn, as after hours without a call.
const DOUBTFUL: Duration = LIFE.saturating_mul(2);

/// How long a fetch is not repeated, so that strangers cannot cause a flood of them.
const PAUSE: Duration = Duration::from_secs(10);

/// How long a fetch may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// The keys of an authorization server, as a JSON Web Key Set (RFC 7517).
///
/// Keys that are known are used at once, also while newer ones are fetched, unless
/// they are older than 20 minutes and may have been withdrawn; who needs such a key
/// or one that is not known waits for the one fetch that is under way.
pub struct JwtKeys(Arc<Shelf>);

struct Shelf {
    fetch: Option<Box<Fetch>>,
    cache: Mutex<Cache>,
}

struct Cache {
    keys: Vec<Jwk>,
    /// When they came.
    fetched: Option<Instant>,
    /// When a fetch was last begun.
    tried: Option<Instant>,
    /// Closed when the fetch that was last begun has ended, in whichever way.
    under_way: Option<watch::Receiver<()>>,
}

/// A text that is no set of keys, or a file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the keys cannot be read: {0}")]
pub struct InvalidKeys(#[source] Failure);

impl JwtKeys {
    /// Keys that never change.
    ///
    /// # Errors
    /// If `json` is no JSON Web Key Set.
    pub fn json(json: &str) -> Result<Self, InvalidKeys> {
        let keys = parse(json).map_err(InvalidKeys)?;
        Ok(Self::new(keys, None))
    }

    /// Keys in a file, which is read again like a URL is.
    ///
    /// # Errors
    /// If it cannot be read now, or holds no JSON Web Key Set.
    pub fn file(path: impl Into<PathBuf>) -> Result<Self, InvalidKeys> {
        let path = path.into();
        let read = move || std::fs::read_to_string(&path).map_err(Failure::from);
        let keys = read().and_then(|json| parse(&json)).map_err(InvalidKeys)?;
        let fetch: Box<Fetch> = Box::new(move || Box::pin(std::future::ready(read())));
        Ok(Self::new(keys, Some(fetch)))
    }

    /// Keys from elsewhere, most often from a URL, as the text of a JSON Web Key Set.
    ///
    /// This crate has no HTTP client, so `fetch` is whatever the server has of
    /// one. It is called at the first token, then every 10 minutes, and for an
    /// unknown key id, but never twice at once nor within 10 seconds, and is given
    /// up after 20. While it fails the last keys stay in use.
    pub fn fetched<F, A>(fetch: F) -> Self
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<String, Failure>> + Send + 'static,
    {
        Self::new(Vec::new(), Some(Box::new(move || Box::pin(fetch()))))
    }

    fn new(keys: Vec<Jwk>, fetch: Option<Box<Fetch>>) -> Self {
        let fetched = (!keys.is_empty()).then(Instant::now);
        let cache = Mutex::new(Cache {
            keys,
            fetched,
            tried: fetched,
            under_way: None,
        });
        Self(Arc::new(Shelf { fetch, cache }))
    }

    /// The keys that may have signed a token with that header.
    pub(super) async fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Vec<DecodingKey> {
        if let Some(mut under_way) = self.refreshed(id, algorithm) {
            // Nothing is ever sent: this is the end of the fetch.
            let _ = under_way.changed().await;
        }
        let cache = self.0.cache();
        let keys = cache.suitable(id, algorithm);
        keys.filter_map(|key| DecodingKey::from_jwk(key).ok())
            .collect()
    }

    /// Begins a fetch if it is time for one; gives what to wait for, if that helps.
    fn refreshed(&self, id: Option<&str>, algorithm: Algorithm) -> Option<watch::Receiver<()>> {
        self.0.fetch.as_ref()?;
        let mut cache = self.0.cache();
        let known = cache.knows(id, algorithm);
        if !cache.is_fetching() && (cache.is_old() || !known) && cache.may_try() {
            let (running, under_way) = watch::channel(());
            cache.tried = Some(Instant::now());
            cache.under_way = Some(under_way);
            let shelf = Arc::clone(&self.0);
            // A task of its own, since who asked first may leave before it is done.
            tokio::spawn(async move {
                let _running = running;
                shelf.refresh().await;
            });
        }
        let helps = (!known || cache.is_doubtful()) && cache.is_fetching();
        cache.under_way.clone().filter(|_| helps)
    }
}

impl Shelf {
    async fn refresh(&self) {
        let Some(fetch) = &self.fetch else { return };
        let fetched = timeout(PATIENCE, fetch()).await;
        let fetched = fetched.unwrap_or_else(|_| Err("the fetch took too long".into()));
        match fetched.and_then(|json| parse(&json)) {
            Ok(keys) => {
                let mut cache = self.cache();
                cache.keys = keys;
                cache.fetched = Some(Instant::now());
            }
            Err(error) => tracing::error!("the keys for tokens cannot be fetched: {error}"),
        }
    }

    /// Nothing panics under the lock, and no fetch runs under it.
    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cache {
    fn is_fetching(&self) -> bool {
        let under_way = self.under_way.as_ref();
        under_way.is_some_and(|under_way| under_way.has_changed().is_ok())
    }

    fn is_old(&self) -> bool {
        self.fetched.is_none_or(|fetched| fetched.elapsed() >= LIFE)
    }

    fn is_doubtful(&self) -> bool {
        self.fetched
            .is_none_or(|fetched| fetched.elapsed() >= DOUBTFUL)
    }

    fn may_try(&self) -> bool {
        self.tried.is_none_or(|tried| tried.elapsed() >= PAUSE)
    }

    fn knows(&self, id: Option<&str>, algorithm: Algorithm) -> bool {
        self.suitable(id, algorithm).next().is_some()
    }

    /// A key that says for what it is is used for that alone.
    fn suitable(&self, id: Option<&str>, algorithm: Algorithm) -> impl Iterator<Item = &Jwk> {
        self.keys.iter().filter(move |key| {
            let common = &key.common;
            let named = id.is_none_or(|id| common.key_id.as_deref() == Some(id));
            let stated = common.key_algorithm;
            let meant = stated.is_none_or(|stated| is_same(stated, algorithm));
            let signs = !matches!(common.public_key_use, Some(PublicKeyUse::Encryption));
            named && meant && signs
        })
    }
}

fn is_same(stated: KeyAlgorithm, algorithm: Algorithm) -> bool {
    stated.to_string().parse() == Ok(algorithm)
}

fn parse(json: &str) -> Result<Vec<Jwk>, Failure> {
    let set: KeySet = serde_json::from_str(json)?;
    let known = |key| serde_json::from_value(key).ok();
    Ok(set.keys.into_iter().filter_map(known).collect())
}

/// Keys of kinds that are not known are passed over (RFC 7517, section 5).
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

    /// Keys that came long ago, and what is there now.
    #[track_caller]
    fn check(now: Result<String, &'static str>, id: &str, expected: usize) {
        let keys = JwtKeys::fetched(move || {
            let now = now.clone();
            async { now.map_err(Failure::from) }
        });
        let mut cache = keys.0.cache();
        cache.keys = parse(&key_set("old")).unwrap();
        cache.fetched = Instant::now().checked_sub(DOUBTFUL);
        drop(cache);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let found = runtime.block_on(keys.find(Some(id), Algorithm::HS256));
        assert_eq!(found.len(), expected, "{id}");
    }

    #[test]
    fn keys_that_nobody_asked_for_in_long_are_fetched_before_they_are_used() {
        check(Ok(key_set("new")), "old", 0);
        check(Ok(key_set("new")), "new", 1);
    }

    #[test]
    fn keys_stay_in_use_while_no_newer_ones_can_be_fetched() {
        check(Err("no keys"), "old", 1);
    }
}
