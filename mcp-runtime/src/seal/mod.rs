//! State that travels through a client, which can neither read nor change it.
//!
//! AEAD (RFC 8439) under a key of 32 bytes, drawn at random for the process or
//! shared by several through `MCP_STATE_KEY`. What the state belongs to is
//! authenticated with it and not sent.

mod canonical;
#[cfg(feature = "asking")]
mod cipher;
mod key;
#[cfg(not(feature = "asking"))]
mod plain;
mod spent;

use std::sync::Arc;

pub(crate) use canonical::canonical;
#[cfg(feature = "asking")]
use cipher as sealing;
pub(crate) use key::Key;
#[cfg(not(feature = "asking"))]
use plain as sealing;
pub(crate) use spent::{Spent, Ticket};

/// Longer states are not read, so that nobody can make the server work for nothing.
const LONGEST: usize = 64 * 1024;

/// The keys of a server: the first one seals, all of them open.
#[derive(Clone, Debug)]
pub(crate) struct Keys(Arc<[Key]>);

/// A state was not sealed here, or not for this.
#[derive(Debug)]
pub(crate) struct NotOurs;

/// A name that nobody can guess; `None` where there is no randomness.
pub(crate) fn random_id() -> Option<String> {
    let Key(bytes) = sealing::random()?;
    Some(data_encoding::HEXLOWER.encode(&bytes[..16]))
}

/// SHA-256 in hexadecimal digits; `None` without the feature `asking`.
pub(crate) fn digest(text: &str) -> Option<String> {
    let digest = sealing::digest(text)?;
    Some(data_encoding::HEXLOWER.encode(&digest))
}

impl Keys {
    /// Keys given from outside, the newest first; without any, one for this process.
    pub(crate) fn new(mut given: Vec<Key>) -> Self {
        if given.is_empty() {
            given.extend(sealing::random());
        }
        Self(given.into())
    }

    /// Seals `state` for `bound`; `None` if it is too long, or nothing can be sealed.
    pub(crate) fn seal(&self, bound: &str, state: &[u8]) -> Option<String> {
        let sealed = sealing::seal(self.0.first()?, bound, state)?;
        (sealed.len() <= LONGEST).then_some(sealed)
    }

    /// Opens what [`seal`](Self::seal) made for the same `bound`.
    pub(crate) fn open(&self, bound: &str, sealed: &str) -> Result<Vec<u8>, NotOurs> {
        if sealed.len() > LONGEST {
            return Err(NotOurs);
        }
        sealing::open(&self.0, bound, sealed).ok_or(NotOurs)
    }

    /// Whether anything can be sealed at all.
    pub(crate) fn are_usable(&self) -> bool {
        !self.0.is_empty() && sealing::AVAILABLE
    }
}

#[cfg(all(test, feature = "asking"))]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Keys {
        Keys::new(bytes.iter().map(|&byte| Key([byte; 32])).collect())
    }

    #[test]
    fn a_state_opens_for_what_it_was_sealed_for_and_nothing_else() {
        let keys = keys(&[1]);
        let sealed = keys.seal("a", b"state").unwrap();
        assert_eq!(keys.open("a", &sealed).unwrap(), b"state");
        assert!(keys.open("b", &sealed).is_err());
        assert!(keys.open("a", &format!("{sealed}-TAMPERED")).is_err());
        assert_ne!(keys.seal("a", b"state").unwrap(), sealed);
    }

    #[test]
    fn every_changed_or_missing_byte_is_noticed() {
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
    fn an_old_key_still_opens_and_a_removed_one_does_not() {
        let sealed = keys(&[1]).seal("a", b"state").unwrap();
        assert_eq!(keys(&[2, 1]).open("a", &sealed).unwrap(), b"state");
        assert!(keys(&[2]).open("a", &sealed).is_err());
    }

    #[test]
    fn what_is_too_long_is_neither_sealed_nor_opened() {
        let keys = keys(&[1]);
        assert!(keys.seal("a", &vec![0; LONGEST]).is_none());
        assert!(keys.open("a", &"A".repeat(LONGEST + 1)).is_err());
    }

    #[test]
    fn a_process_draws_its_own_key() {
        let sealed = Keys::new(Vec::new()).seal("a", b"state").unwrap();
        assert!(Keys::new(Vec::new()).open("a", &sealed).is_err());
    }
}
