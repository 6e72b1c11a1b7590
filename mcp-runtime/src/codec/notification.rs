use serde_json::{Map, Value, json};

use crate::jsonrpc::RequestId;
use crate::protocol::{JsonObject, LoggingLevel, Revision, SubscriptionFilter, Task, meta};

/// Serializes a notification.
pub(crate) fn notification(method: &str, params: JsonObject) -> Vec<u8> {
    let mut message = json!({ "jsonrpc": "2.0", "method": method });
    if !params.is_empty() {
        message["params"] = Value::Object(params);
    }
    message.to_string().into_bytes()
}

/// Serializes `notifications/progress`. `token` is a JSON value. Protocol versions before
/// 2025-03-26 do not have `message`.
pub(crate) fn progress(
    revision: Revision,
    token: &str,
    progress: f64,
    total: Option<f64>,
    message: Option<&str>,
) -> Vec<u8> {
    let token = serde_json::from_str(token).unwrap_or(Value::Null);
    let mut params = Map::from_iter([
        ("progressToken".to_owned(), token),
        ("progress".to_owned(), number(progress)),
    ]);
    if let Some(total) = total.filter(|total| total.is_finite()) {
        params.insert("total".to_owned(), number(total));
    }
    if let Some(message) = message.filter(|_| revision >= Revision::V2025_03_26) {
        params.insert("message".to_owned(), message.into());
    }
    notification("notifications/progress", params)
}

/// Converts a whole number to a JSON integer, because some clients do not accept `1.0`.
fn number(number: f64) -> Value {
    // An `f64` below 2^53 can be converted to an integer without rounding.
    if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

/// Serializes `notifications/message`.
pub(crate) fn log_message(level: LoggingLevel, logger: Option<&str>, data: &Value) -> Vec<u8> {
    let mut params = Map::from_iter([
        ("level".to_owned(), json!(level)),
        ("data".to_owned(), data.clone()),
    ]);
    if let Some(logger) = logger {
        params.insert("logger".to_owned(), logger.into());
    }
    notification("notifications/message", params)
}

/// Serializes `notifications/resources/updated`.
pub(crate) fn resource_updated(uri: &str, listen: Option<&RequestId>) -> Vec<u8> {
    let mut params = listen_meta(listen);
    params.insert("uri".to_owned(), uri.into());
    notification("notifications/resources/updated", params)
}

/// Serializes `notifications/tasks` with the same task object that `tasks/get` returns.
pub(crate) fn task(task: &Task, listen: &RequestId) -> Vec<u8> {
    let mut params = listen_meta(Some(listen));
    if let Value::Object(members) = json!(task) {
        params.extend(members);
    }
    notification("notifications/tasks", params)
}

/// Serializes a `list_changed` notification of tools, prompts or resources.
pub(crate) fn list_changed(method: &str, listen: Option<&RequestId>) -> Vec<u8> {
    notification(method, listen_meta(listen))
}

/// Serializes `notifications/subscriptions/acknowledged` with the accepted filter.
pub(crate) fn subscription_acknowledged(
    listen: &RequestId,
    accepted: &SubscriptionFilter,
) -> Vec<u8> {
    let mut params = listen_meta(Some(listen));
    params.insert("notifications".to_owned(), json!(accepted));
    notification("notifications/subscriptions/acknowledged", params)
}

/// Serializes the `notifications/cancelled` with which the server ends a listen stream.
pub(crate) fn listen_stream_ended(listen: &RequestId) -> Vec<u8> {
    let mut params = listen_meta(Some(listen));
    params.insert("requestId".to_owned(), json!(listen));
    notification("notifications/cancelled", params)
}

/// Returns parameters whose `_meta` contains the id of the listen request (specification of
/// 2026-07-28, *Subscriptions*). Returns empty parameters if `listen` is `None`.
pub(crate) fn listen_meta(listen: Option<&RequestId>) -> JsonObject {
    let Some(id) = listen else {
        return JsonObject::new();
    };
    let tag = json!({ meta::SUBSCRIPTION_ID: id });
    Map::from_iter([("_meta".to_owned(), tag)])
}
