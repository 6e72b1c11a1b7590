use super::{check, check_output};
use serde_json::{Value, json};
use std::num;

#[test]
fn integers_have_exact_bounds_and_no_format() {
    let bounded =
        |min: Value, max: Value| json!({"type": "integer", "minimum": min, "maximum": max});
    check::<u8>(bounded(json!(0), json!(255)));
    check::<u16>(bounded(json!(0), json!(65_535)));
    check::<u32>(bounded(json!(0), json!(4_294_967_295_u32)));
    check::<i8>(bounded(json!(-128), json!(127)));
    check::<i16>(bounded(json!(-32_768), json!(32_767)));
    check::<i32>(bounded(json!(i32::MIN), json!(i32::MAX)));
    check::<std::sync::atomic::AtomicU8>(bounded(json!(0), json!(255)));
}

#[test]
fn bounds_of_64_bits_and_more_are_left_out() {
    let natural = || json!({"type": "integer", "minimum": 0});
    check::<u64>(natural());
    check::<usize>(natural());
    check::<u128>(natural());
    check::<i64>(json!({"type": "integer"}));
    check::<isize>(json!({"type": "integer"}));
    check::<i128>(json!({"type": "integer"}));
}

#[test]
fn unsigned_nonzero_starts_at_one() {
    check::<num::NonZeroU8>(json!({"type": "integer", "minimum": 1, "maximum": 255}));
    check::<num::NonZeroU64>(json!({"type": "integer", "minimum": 1}));
    check::<num::NonZeroUsize>(json!({"type": "integer", "minimum": 1}));
}

#[test]
fn signed_nonzero_is_two_ranges() {
    let split = |min: i64, max: i64| {
        json!({"anyOf": [
            {"type": "integer", "minimum": min, "maximum": -1},
            {"type": "integer", "minimum": 1, "maximum": max},
        ]})
    };
    check::<num::NonZeroI8>(split(-128, 127));
    let unbounded = || {
        json!({"anyOf": [
            {"type": "integer", "maximum": -1},
            {"type": "integer", "minimum": 1},
        ]})
    };
    check::<num::NonZeroI64>(unbounded());
    check::<num::NonZeroI128>(unbounded());
}

#[test]
fn other_scalars_have_their_json_type() {
    check::<f32>(json!({"type": "number"}));
    check::<f64>(json!({"type": "number"}));
    check::<bool>(json!({"type": "boolean"}));
    check::<String>(json!({"type": "string"}));
    check::<char>(json!({"type": "string", "minLength": 1, "maxLength": 1}));
    check::<std::path::PathBuf>(json!({"type": "string"}));
    check::<()>(json!({"type": "null"}));
    check::<Box<i8>>(json!({"type": "integer", "minimum": -128, "maximum": 127}));
    check::<std::borrow::Cow<'static, str>>(json!({"type": "string"}));
}

#[test]
fn any_value_is_the_empty_schema() {
    check::<Value>(json!({}));
    check::<Option<Value>>(json!({}));
    check_output::<Value>(json!({}));
}

#[test]
fn only_standard_formats_stay() {
    check::<chrono::DateTime<chrono::Utc>>(json!({"type": "string", "format": "date-time"}));
    check::<chrono::NaiveDate>(json!({"type": "string", "format": "date"}));
    check::<chrono::NaiveDateTime>(json!({"type": "string"}));
    check::<chrono::NaiveTime>(json!({"type": "string"}));
    check::<uuid::Uuid>(json!({"type": "string", "format": "uuid"}));
    check::<url::Url>(json!({"type": "string", "format": "uri"}));
    check::<std::net::Ipv4Addr>(json!({"type": "string", "format": "ipv4"}));
    check::<std::net::IpAddr>(json!({"type": "string"}));
}
