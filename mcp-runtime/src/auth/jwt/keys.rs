use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{Jwk, JwkSet, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use tokio::sync::Mutex;

type Failure = Box<dyn StdError + Send + Sync>;
type Fetch =
    dyn Fn() -> Pin<Box<dyn Future<Output = Result<String, Failure>> + Send>> + Send + Sync;

/// How long keys are used before they are fetched again.
const LIFE: Duration = Duration::from_secs(600);

/// How long a fetch is not repeated, so that strangers cannot cause a flood of them.
const PAUSE: Duration = Duration::from_secs(10);

/// The keys of an authorization server, as a JSON Web Key Set (RFC 7517).
pub struct JwtKeys {
    fetch: Option<Box<Fetch>>,
    cache: Mutex<Cache>,
}

struct Cache {
    keys: Vec<Jwk>,
    /// When they were last fetched, or that was tried.
    tried: Option<Instant>,
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
        Ok(Self {
            fetch: None,
            cache: Mutex::new(Cache {
                keys: parse(json).map_err(InvalidKeys)?,
                tried: None,
            }),
        })
    }

    /// Keys in a file, which is read again like a URL is.
    ///
    /// # Errors
    /// If it cannot be read now, or holds no JSON Web Key Set.
    pub fn file(path: impl Into<PathBuf>) -> Result<Self, InvalidKeys> {
        let path = path.into();
        let read = move || std::fs::read_to_string(&path).map_err(Failure::from);
        let keys = read().and_then(|json| parse(&json)).map_err(InvalidKeys)?;
        let fetched = Self::fetched(move || std::future::ready(read()));
        Ok(Self {
            cache: Mutex::new(Cache {
                keys,
                tried: Some(Instant::now()),
            }),
            ..fetched
        })
    }

    /// Keys from elsewhere, most often from a URL, as the text of a JSON Web Key Set.
    ///
    /// This crate has no HTTP client, so `fetch` is whatever the server has of
    /// one. It is called at the first token, then every 10 minutes, and for an
    /// unknown key id, but not twice within 10 seconds. While it fails the last
    /// keys stay in use.
    pub fn fetched<F, A>(fetch: F) -> Self
    where
        F: Fn() -> A + Send + Sync + 'static,
        A: Future<Output = Result<String, Failure>> + Send + 'static,
    {
        Self {
            fetch: Some(Box::new(move || Box::pin(fetch()))),
            cache: Mutex::new(Cache {
                keys: Vec::new(),
                tried: None,
            }),
        }
    }

    /// The keys that may have signed a token with that header.
    pub(super) async fn find(&self, id: Option<&str>, algorithm: Algorithm) -> Vec<DecodingKey> {
        let mut cache = self.cache.lock().await;
        let age = cache.tried.map(|tried| tried.elapsed());
        let due = age.is_none_or(|age| age >= LIFE);
        let unknown = age.is_none_or(|age| age >= PAUSE) && !cache.knows(id, algorithm);
        if (due || unknown)
            && let Some(fetch) = &self.fetch
        {
            cache.tried = Some(Instant::now());
            match fetch().await.and_then(|json| parse(&json)) {
                Ok(keys) => cache.keys = keys,
                Err(error) => tracing::error!("the keys for tokens cannot be fetched: {error}"),
            }
        }
        let keys = cache.suitable(id, algorithm);
        keys.filter_map(|key| DecodingKey::from_jwk(key).ok())
            .collect()
    }
}

impl Cache {
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
    let set: JwkSet = serde_json::from_str(json)?;
    Ok(set.keys)
}

impl fmt::Debug for JwtKeys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JwtKeys")
    }
}
