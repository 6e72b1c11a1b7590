use data_encoding::BASE64URL_NOPAD as BASE64;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use ring::digest;
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::{SecureRandom, SystemRandom};

use super::Key;

pub(super) const AVAILABLE: bool = true;

/// The version of the format.
const VERSION: u8 = 1;
const SALT: usize = 24;

/// A key for this process; `None` if the system has no randomness to give.
pub(super) fn random() -> Option<Key> {
    let mut key = [0; 32];
    SystemRandom::new().fill(&mut key).ok()?;
    Some(Key(key))
}

/// SHA-256.
pub(super) fn digest(text: &str) -> Option<[u8; 32]> {
    let digest = digest::digest(&digest::SHA256, text.as_bytes());
    digest.as_ref().try_into().ok()
}

/// Version, salt, sealed state: as base64 for URLs.
pub(super) fn seal(key: &Key, bound: &str, state: &[u8]) -> Option<String> {
    let mut salt = [0; SALT];
    SystemRandom::new().fill(&mut salt).ok()?;
    let mut sealed = state.to_vec();
    derived(key, &salt)?
        .seal_in_place_append_tag(nonce(), authenticated(bound), &mut sealed)
        .ok()?;
    let mut out = vec![VERSION];
    out.extend_from_slice(&salt);
    out.append(&mut sealed);
    Some(BASE64.encode(&out))
}

pub(super) fn open(keys: &[Key], bound: &str, sealed: &str) -> Option<Vec<u8>> {
    let bytes = BASE64.decode(sealed.as_bytes()).ok()?;
    let (&VERSION, rest) = bytes.split_first()? else {
        return None;
    };
    let (salt, sealed) = rest.split_first_chunk::<SALT>()?;
    keys.iter().find_map(|key| {
        let mut sealed = sealed.to_vec();
        let key = derived(key, salt)?;
        let state = key.open_in_place(nonce(), authenticated(bound), &mut sealed);
        Some(state.ok()?.to_vec())
    })
}

/// A key for one state alone: the salt is too long to occur twice, however many
/// states the key seals, which a random nonce of 12 bytes is not.
fn derived(key: &Key, salt: &[u8; SALT]) -> Option<LessSafeKey> {
    let extracted = Salt::new(HKDF_SHA256, salt).extract(&key.0);
    let expanded = extracted.expand(&[b"mcp request state"], &CHACHA20_POLY1305);
    Some(LessSafeKey::new(UnboundKey::from(expanded.ok()?)))
}

/// Always the same, since no derived key is used twice.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}

fn authenticated(bound: &str) -> Aad<&[u8]> {
    Aad::from(bound.as_bytes())
}
