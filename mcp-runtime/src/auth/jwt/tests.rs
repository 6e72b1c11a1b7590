use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};

use super::*;

const ISSUER: &str = "https://as.example.com";
const AUDIENCE: &str = "https://example.com/mcp";

/// Returns a key set with one key. `k` is the secret in base64url.
fn key_set(id: &str) -> String {
    json!({ "keys": [{ "kty": "oct", "kid": id, "alg": "HS256", "k": "cGxhbnRlZC1zZWNyZXQ" }] })
        .to_string()
}

fn token(id: Option<&str>, algorithm: Algorithm, claims: &Value) -> String {
    let mut header = Header::new(algorithm);
    header.kid = id.map(str::to_owned);
    let key = EncodingKey::from_secret(b"planted-secret");
    encode(&header, claims, &key).unwrap()
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    since.as_secs().try_into().unwrap()
}

/// Returns valid claims with one claim changed, or removed if `value` is `null`.
fn claims(key: &str, value: Value) -> Value {
    let mut claims = json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": "alice", "exp": now() + 600,
        "name": "Alice", "scope": "notes:read notes:write", "tenant": 7,
    });
    match value {
        Value::Null => claims.as_object_mut().unwrap().remove(key),
        value => claims
            .as_object_mut()
            .unwrap()
            .insert(key.to_owned(), value),
    };
    claims
}

fn validator() -> JwtValidator {
    let keys = JwtKeys::from_json(&key_set("one")).unwrap();
    JwtValidator::new(ISSUER, AUDIENCE, keys).algorithms([Algorithm::HS256])
}

#[track_caller]
fn check(token: &str, expected: bool) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let found = runtime.block_on(validator().validate(token, None));
    assert_eq!(found.is_some(), expected, "{found:?}");
}

#[tokio::test]
async fn claims_become_a_principal() {
    let token = token(Some("one"), Algorithm::HS256, &claims("scp", json!(["x"])));
    let principal = validator().validate(&token, None).await.unwrap();
    let expected = Principal::new("alice")
        .with_display_name("Alice")
        .with_scopes(["notes:read", "notes:write", "x"]);
    assert_eq!(principal.id, expected.id);
    assert_eq!(principal.display_name, expected.display_name);
    assert_eq!(principal.scopes, expected.scopes);
    assert_eq!(principal.extra["tenant"], 7);
}

#[test]
fn a_wrong_or_missing_claim_is_rejected() {
    let wrong = [
        ("iss", json!("https://other.example.com")),
        ("aud", json!("https://other.example.com/mcp")),
        ("aud", json!([])),
        ("exp", json!(now() - 600)),
        ("nbf", json!(now() + 600)),
        ("nbf", json!((now() + 600).to_string())),
        ("nbf", json!((now() - 600).to_string())),
        ("exp", json!((now() + 600).to_string())),
        ("iat", json!(["x"])),
        ("sub", json!("")),
        ("sub", json!(7)),
        ("iss", Value::Null),
        ("aud", Value::Null),
        ("exp", Value::Null),
        ("sub", Value::Null),
    ];
    for (key, value) in wrong {
        check(
            &token(Some("one"), Algorithm::HS256, &claims(key, value)),
            false,
        );
    }
    let several = claims("aud", json!(["https://other.example.com", AUDIENCE]));
    check(&token(Some("one"), Algorithm::HS256, &several), true);
}

/// Returns a token that is signed correctly, with additional members of the header.
fn token_with_header(members: &Value) -> String {
    let mut header = json!({ "alg": "HS256", "kid": "one" });
    for (name, value) in members.as_object().unwrap() {
        header[name] = value.clone();
    }
    let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let message = format!(
        "{}.{}",
        encode(&header),
        encode(&claims("tenant", json!(1)))
    );
    let key = EncodingKey::from_secret(b"planted-secret");
    let signature = jsonwebtoken::crypto::sign(message.as_bytes(), &key, Algorithm::HS256);
    format!("{message}.{}", signature.unwrap())
}

#[test]
fn the_header_has_a_known_type_and_no_critical_parameters() {
    for (members, expected) in [
        (json!({}), true),
        (json!({ "typ": "JWT" }), true),
        (json!({ "typ": "at+jwt" }), true),
        (json!({ "typ": "application/AT+JWT" }), true),
        (json!({ "typ": "dpop+jwt" }), false),
        (json!({ "typ": 7 }), false),
        (json!({ "crit": ["exp"] }), false),
        (json!({ "crit": [] }), false),
        (
            json!({ "typ": "JWT", "crit": ["b64"], "b64": false }),
            false,
        ),
    ] {
        check(&token_with_header(&members), expected);
    }
}

#[test]
fn a_fraction_of_the_leeway_counts() {
    for (leeway, seconds) in [(0, 0), (1, 1), (1500, 2), (2000, 2)] {
        let validator = validator().leeway(Duration::from_millis(leeway));
        assert_eq!(validator.validation.leeway, seconds, "{leeway} ms");
    }
}

#[test]
fn a_key_matches_only_its_id_and_algorithm() {
    let good = claims("exp", json!(now() + 600));
    check(&token(None, Algorithm::HS256, &good), true);
    check(&token(Some("two"), Algorithm::HS256, &good), false);
    check(&token(Some("one"), Algorithm::HS384, &good), false);
}

#[test]
fn a_malformed_token_is_rejected() {
    let good = token(
        Some("one"),
        Algorithm::HS256,
        &claims("exp", json!(now() + 600)),
    );
    check(&good, true);
    check(&good[..good.len() - 2], false);
    check(&good.replace('.', ""), false);
    check(&good.replacen('.', "..", 1), false);
    check("", false);
    check(&"a".repeat(MAX_TOKEN_BYTES + 1), false);
    // The encoded header is `{"alg":"none"}`.
    let body = good.split('.').nth(1).unwrap();
    check(&format!("eyJhbGciOiJub25lIn0.{body}."), false);
}

#[tokio::test]
async fn an_unknown_key_is_fetched_but_not_again_at_once() {
    let fetched = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&fetched);
    let keys = JwtKeys::from_fetch(move || {
        count.fetch_add(1, Ordering::Relaxed);
        async { Ok(key_set("two")) }
    });
    let validator = JwtValidator::new(ISSUER, AUDIENCE, keys).algorithms([Algorithm::HS256]);
    let good = claims("exp", json!(now() + 600));
    for (id, expected) in [
        ("two", true),
        ("two", true),
        ("three", false),
        ("four", false),
    ] {
        let token = token(Some(id), Algorithm::HS256, &good);
        let found = validator.validate(&token, None).await;
        assert_eq!(found.is_some(), expected, "{id}");
    }
    assert_eq!(fetched.load(Ordering::Relaxed), 1);
}

#[tokio::test]
async fn a_failing_fetch_rejects_without_a_reason() {
    let keys = JwtKeys::from_fetch(|| async { Err("planted".into()) });
    let validator = JwtValidator::new(ISSUER, AUDIENCE, keys).algorithms([Algorithm::HS256]);
    let token = token(
        Some("one"),
        Algorithm::HS256,
        &claims("exp", json!(now() + 600)),
    );
    assert_eq!(validator.validate(&token, None).await, None);
}

#[tokio::test]
async fn the_keys_of_a_file_are_available_at_once() {
    let path = std::env::temp_dir().join(format!("mcp-runtime-keys-{}.json", std::process::id()));
    assert!(JwtKeys::from_file(&path).is_err());
    std::fs::write(&path, key_set("one")).unwrap();
    let keys = JwtKeys::from_file(&path).unwrap();
    assert_eq!(keys.find(Some("one"), Algorithm::HS256).await.len(), 1);
    std::fs::write(&path, "no keys").unwrap();
    assert!(JwtKeys::from_file(&path).is_err());
    std::fs::remove_file(&path).unwrap();
}

#[tokio::test]
async fn keys_of_unknown_types_are_ignored() {
    let mut set: Value = serde_json::from_str(&key_set("one")).unwrap();
    let foreign = [
        json!({ "kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA", "kid": "a" }),
        json!({ "kty": "OKP", "crv": "X25519", "x": "AA", "kid": "b" }),
        json!({ "kty": "EC", "crv": "P-521", "x": "AA", "y": "AA", "alg": "ES512" }),
        json!({ "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "alg": "ECDH-ES" }),
        json!("no key"),
    ];
    set["keys"].as_array_mut().unwrap().splice(0..0, foreign);
    let keys = JwtKeys::from_json(&set.to_string()).unwrap();
    assert_eq!(keys.find(Some("one"), Algorithm::HS256).await.len(), 1);
    assert!(JwtKeys::from_json(r#"{ "keys": 1 }"#).is_err());
}
