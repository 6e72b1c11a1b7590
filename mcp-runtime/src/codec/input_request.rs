//! Creates the parameters of server-to-client requests for each protocol revision.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::{content, lists};
use crate::protocol::{
    ContentBlock, CreateMessageRequestParams, ElicitRequestFormParams, ElicitRequestUrlParams,
    JsonObject, Revision, SamplingContent, SamplingContents, SamplingMessage, UrlMode,
};

/// Returns the parameters of `elicitation/create` in form mode.
///
/// # Errors
/// Returns the reason as part of a sentence if `revision` does not support the form.
pub(crate) fn elicit_form_params(
    message: String,
    requested: &Value,
    revision: Revision,
) -> Result<Value, &'static str> {
    if revision < Revision::V2025_06_18 {
        return Err("its revision does not support forms");
    }
    let mut requested_schema = requested.clone();
    if revision < Revision::V2025_11_25
        && let Some(Value::Object(fields)) = requested_schema.get_mut("properties")
    {
        for field in fields.values_mut() {
            to_2025_06_18(field)?;
        }
    }
    Ok(json!(ElicitRequestFormParams {
        message,
        requested_schema,
    }))
}

/// Converts the schema of a form field to protocol version 2025-06-18. This version has `enumNames`
/// instead of `oneOf`, and it allows defaults only for booleans.
fn to_2025_06_18(field: &mut Value) -> Result<(), &'static str> {
    let Value::Object(keywords) = field else {
        return Ok(());
    };
    match keywords.get("type").and_then(Value::as_str) {
        Some("array") => return Err("its revision does not support multiple choice in forms"),
        Some("boolean") => return Ok(()),
        _ => keywords.remove("default"),
    };
    if let Some(Value::Array(choices)) = keywords.remove("oneOf") {
        let all = |key: &str| choices.iter().map(|choice| choice[key].clone()).collect();
        keywords.insert("enum".to_owned(), Value::Array(all("const")));
        keywords.insert("enumNames".to_owned(), Value::Array(all("title")));
    }
    Ok(())
}

/// Returns the parameters of `elicitation/create` in URL mode. Only protocol version 2025-11-25 has
/// an `elicitationId`.
pub(crate) fn elicit_url_params(message: String, url: String, revision: Revision) -> Value {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let has_id = revision == Revision::V2025_11_25;
    let name = || format!("page-{}", LAST.fetch_add(1, Ordering::Relaxed) + 1);
    json!(ElicitRequestUrlParams {
        mode: UrlMode::Url,
        message,
        url,
        elicitation_id: has_id.then(name),
    })
}

/// Returns the parameters of `sampling/createMessage`.
///
/// # Errors
/// Returns the reason as part of a sentence if `revision` does not support the request.
pub(crate) fn sampling_params(
    mut request: CreateMessageRequestParams,
    revision: Revision,
) -> Result<Value, &'static str> {
    if let Some(tools) = request.tools.take() {
        let tools = tools.into_iter().map(|tool| {
            let tool = tool.with_schemas(|schema| lists::Schema::Tree(Cow::Owned(schema)));
            let tool = lists::convert_tool(tool, revision);
            tool.with_schemas(|schema| schema.into_tree().into_owned())
        });
        request.tools = Some(tools.collect());
    }
    if revision < Revision::V2025_11_25 {
        let messages = std::mem::take(&mut request.messages).into_iter();
        let messages = messages.map(|message| split_message(message, revision));
        let messages = messages.collect::<Result<Vec<_>, _>>()?;
        request.messages = messages.into_iter().flatten().collect();
    }
    Ok(json!(request))
}

/// Splits a message into one message per content block and removes `_meta`. Protocol versions
/// before 2025-11-25 allow only one block per message and no `_meta`.
fn split_message(
    message: SamplingMessage,
    revision: Revision,
) -> Result<Vec<SamplingMessage>, &'static str> {
    let SamplingMessage { role, content, .. } = message;
    let blocks = content.0.into_iter();
    let messages = blocks.map(|block| {
        let content = SamplingContents(vec![sampling_block(block, revision)?]);
        Ok(SamplingMessage {
            role,
            content,
            meta: None,
        })
    });
    messages.collect()
}

fn sampling_block(
    block: SamplingContent,
    revision: Revision,
) -> Result<SamplingContent, &'static str> {
    let block = match block {
        SamplingContent::Text(content) => ContentBlock::Text(content),
        SamplingContent::Image(content) => ContentBlock::Image(content),
        SamplingContent::Audio(content) => ContentBlock::Audio(content),
        SamplingContent::ToolUse(_) | SamplingContent::ToolResult(_) => {
            return Err("its revision does not support tools in sampling");
        }
    };
    Ok(match content::for_older_revision(block, revision) {
        ContentBlock::Image(content) => SamplingContent::Image(content),
        ContentBlock::Audio(content) => SamplingContent::Audio(content),
        ContentBlock::Text(content) => SamplingContent::Text(content),
        // `for_older_revision` never returns a resource for text, an image or audio.
        ContentBlock::ResourceLink(_) | ContentBlock::Resource(_) => {
            return Err("its revision does not support resources in sampling");
        }
    })
}

/// Returns the members of an `InputRequiredResult`.
pub(crate) fn input_required<Q: serde::Serialize>(requests: &Q, state: String) -> JsonObject {
    let mut members = JsonObject::new();
    members.insert("resultType".to_owned(), json!("input_required"));
    members.insert("inputRequests".to_owned(), json!(requests));
    members.insert("requestState".to_owned(), json!(state));
    members
}
