//! Sealed state: encrypted and authenticated data that a client stores and returns as
//! `requestState`.
//!
//! The cipher is ChaCha20-Poly1305 (RFC 8439) with a key of 32 bytes. The key is either random for
//! each process, or shared by replicas through `MCP_STATE_KEY`. A state belongs to a context, which
//! is authenticated as associated data but not sent.

mod canonical;
#[cfg(feature = "input-requests")]
mod cipher;
mod key;
mod replay_guard;
#[cfg(not(feature = "input-requests"))]
mod unsealed;

use std::sync::Arc;

pub(crate) use canonical::{canonical, canonical_json};
#[cfg(feature = "input-requests")]
use cipher as sealing;
pub(crate) use key::SealKey;
pub(crate) use replay_guard::{ReplayGuard, StateNonce};
#[cfg(not(feature = "input-requests"))]
use unsealed as sealing;

/// The maximum length of a sealed state in bytes. It limits the processor time that a client can
/// use by sending invalid states.
const MAX_LENGTH: usize = 64 * 1024;

/// The keys of a server. States are sealed with the first key and can be opened with every key.
#[derive(Clone, Debug)]
pub(crate) struct KeyRing(Arc<[SealKey]>);

/// The error for a sealed state that is invalid or was sealed for another context.
#[derive(Debug)]
pub(crate) struct InvalidSeal;

/// Returns an unguessable id, or `None` if random numbers are unavailable.
pub(crate) fn random_id() -> Option<String> {
    let SealKey(bytes) = sealing::random()?;
    Some(data_encoding::HEXLOWER.encode(&bytes[..16]))
}

/// Returns the SHA-256 digest of a text in hexadecimal, or `None` without the feature
/// `input-requests`.
pub(crate) fn digest(text: &str) -> Option<String> {
    let digest = sealing::digest(text)?;
    Some(data_encoding::HEXLOWER.encode(&digest))
}

impl KeyRing {
    /// Creates a key ring with these keys, of which the first is the newest, or with a random key
    /// if the list is empty.
    pub(crate) fn new(mut keys: Vec<SealKey>) -> Self {
        if keys.is_empty() {
            keys.extend(sealing::random());
        }
        Self(keys.into())
    }

    /// Seals `state` for a context. Returns `None` if the state is too long or sealing is
    /// unavailable.
    pub(crate) fn seal(&self, context: &str, state: &[u8]) -> Option<String> {
        let sealed = sealing::seal(self.0.first()?, context, state)?;
        (sealed.len() <= MAX_LENGTH).then_some(sealed)
    }

    /// Opens a state that was [sealed](Self::seal) for the same context.
    ///
    /// # Errors
    /// Returns [`InvalidSeal`] if the state is invalid or was sealed for another context.
    pub(crate) fn open(&self, context: &str, sealed: &str) -> Result<Vec<u8>, InvalidSeal> {
        if sealed.len() > MAX_LENGTH {
            return Err(InvalidSeal);
        }
        sealing::open(&self.0, context, sealed).ok_or(InvalidSeal)
    }

    /// Whether the keys can seal and open states.
    pub(crate) fn are_usable(&self) -> bool {
        !self.0.is_empty() && sealing::AVAILABLE
    }
}

#[cfg(all(test, feature = "input-requests"))]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> KeyRing {
        KeyRing::new(bytes.iter().map(|&byte| SealKey([byte; 32])).collect())
    }

    #[test]
    fn a_state_opens_only_for_the_context_it_was_sealed_for() {
        let keys = keys(&[1]);
        let sealed = keys.seal("a", b"state").unwrap();
        assert_eq!(keys.open("a", &sealed).unwrap(), b"state");
        assert!(keys.open("b", &sealed).is_err());
        assert!(keys.open("a", &format!("{sealed}-TAMPERED")).is_err());
        assert_ne!(keys.seal("a", b"state").unwrap(), sealed);
    }

    #[test]
    fn every_changed_or_missing_byte_is_detected() {
        let keys = keys(&[1]);
        let sealed = keys.seal("a", b"state").unwrap();
        for index in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[index] = if changed[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(keys.open("a", &changed).is_err(), "{index}");
            assert!(keys.open("a", &sealed[..index]).is_err(), "{index}");
        }
    }

    #[test]
    fn an_old_key_still_opens_but_a_removed_key_does_not() {
        let sealed = keys(&[1]).seal("a", b"state").unwrap();
        assert_eq!(keys(&[2, 1]).open("a", &sealed).unwrap(), b"state");
        assert!(keys(&[2]).open("a", &sealed).is_err());
    }

    #[test]
    fn a_state_over_the_maximum_length_is_neither_sealed_nor_opened() {
        let keys = keys(&[1]);
        assert!(keys.seal("a", &vec![0; MAX_LENGTH]).is_none());
        assert!(keys.open("a", &"A".repeat(MAX_LENGTH + 1)).is_err());
    }

    #[test]
    fn each_process_has_a_random_key() {
        let sealed = KeyRing::new(Vec::new()).seal("a", b"state").unwrap();
        assert!(KeyRing::new(Vec::new()).open("a", &sealed).is_err());
    }
}
