use data_encoding::BASE64URL_NOPAD as BASE64;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use ring::digest;
use ring::hkdf::{HKDF_SHA256, Salt};
use ring::rand::{SecureRandom, SystemRandom};

use super::SealKey;

pub(super) const AVAILABLE: bool = true;

/// The version of the sealed state format.
const VERSION: u8 = 1;
/// The length of the salt, in bytes.
const SALT: usize = 24;

/// Returns a random key, or `None` if the system cannot provide random numbers.
pub(super) fn random() -> Option<SealKey> {
    let mut key = [0; 32];
    SystemRandom::new().fill(&mut key).ok()?;
    Some(SealKey(key))
}

/// Returns the SHA-256 digest of a text.
pub(super) fn digest(text: &str) -> Option<[u8; 32]> {
    let digest = digest::digest(&digest::SHA256, text.as_bytes());
    digest.as_ref().try_into().ok()
}

/// Seals a state. Returns the version, the salt, the ciphertext and the tag as URL-safe base64.
pub(super) fn seal(key: &SealKey, context: &str, state: &[u8]) -> Option<String> {
    let mut salt = [0; SALT];
    SystemRandom::new().fill(&mut salt).ok()?;
    let mut sealed = state.to_vec();
    derive_key(key, &salt)?
        .seal_in_place_append_tag(nonce(), associated_data(context), &mut sealed)
        .ok()?;
    let mut out = vec![VERSION];
    out.extend_from_slice(&salt);
    out.append(&mut sealed);
    Some(BASE64.encode(&out))
}

pub(super) fn open(keys: &[SealKey], context: &str, sealed: &str) -> Option<Vec<u8>> {
    let bytes = BASE64.decode(sealed.as_bytes()).ok()?;
    let (&VERSION, rest) = bytes.split_first()? else {
        return None;
    };
    let (salt, sealed) = rest.split_first_chunk::<SALT>()?;
    keys.iter().find_map(|key| {
        let mut sealed = sealed.to_vec();
        let key = derive_key(key, salt)?;
        let state = key.open_in_place(nonce(), associated_data(context), &mut sealed);
        Some(state.ok()?.to_vec())
    })
}

/// Derives the key of a single state from a random salt of 24 bytes. Salts of this length do not
/// repeat, no matter how many states are sealed. A random nonce of 12 bytes could repeat.
fn derive_key(key: &SealKey, salt: &[u8; SALT]) -> Option<LessSafeKey> {
    let extracted = Salt::new(HKDF_SHA256, salt).extract(&key.0);
    let expanded = extracted.expand(&[b"mcp request state"], &CHACHA20_POLY1305);
    Some(LessSafeKey::new(UnboundKey::from(expanded.ok()?)))
}

/// Returns the nonce, which is always zero because each derived key is used only once.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}

fn associated_data(context: &str) -> Aad<&[u8]> {
    Aad::from(context.as_bytes())
}
