//! Questions to a client, as its revision has them.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::protocol::{
    ContentBlock, CreateMessageRequestParams, ElicitRequestFormParams, ElicitRequestUrlParams,
    JsonObject, Revision, SamplingContent, SamplingContents, SamplingMessage, UrlMode,
};

/// A form; an error names what the revision lacks.
pub(crate) fn form(
    message: String,
    requested: &Value,
    revision: Revision,
) -> Result<Value, &'static str> {
    if revision < Revision::V2025_06_18 {
        return Err("its revision has no forms");
    }
    let mut requested_schema = requested.clone();
    if revision < Revision::V2025_11_25
        && let Some(Value::Object(fields)) = requested_schema.get_mut("properties")
    {
        for field in fields.values_mut() {
            older_field(field)?;
        }
    }
    Ok(json!(ElicitRequestFormParams {
        message,
        requested_schema,
    }))
}

/// 2025-06-18 has one choice only, titled by `enumNames`, and defaults of booleans only.
fn older_field(field: &mut Value) -> Result<(), &'static str> {
    let Value::Object(keywords) = field else {
        return Ok(());
    };
    match keywords.get("type").and_then(Value::as_str) {
        Some("array") => return Err("the forms of its revision have no choice of several"),
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

/// A page; only 2025-11-25 names the interaction.
pub(crate) fn page(message: String, url: String, revision: Revision) -> Value {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let named = revision == Revision::V2025_11_25;
    let name = || format!("page-{}", LAST.fetch_add(1, Ordering::Relaxed) + 1);
    json!(ElicitRequestUrlParams {
        mode: UrlMode::Url,
        message,
        url,
        elicitation_id: named.then(name),
    })
}

/// A question to a model; an error names what the revision lacks.
pub(crate) fn sampling(
    mut question: CreateMessageRequestParams,
    revision: Revision,
) -> Result<Value, &'static str> {
    if let Some(tools) = question.tools.take() {
        let tools = tools.into_iter().map(|tool| {
            let tool = tool.with_schemas(|schema| super::Schema::Tree(Cow::Owned(schema)));
            let tool = super::tool(tool, revision);
            tool.with_schemas(|schema| schema.into_tree().into_owned())
        });
        question.tools = Some(tools.collect());
    }
    if revision < Revision::V2025_11_25 {
        let messages = std::mem::take(&mut question.messages).into_iter();
        let messages = messages.map(|message| older_messages(message, revision));
        let messages = messages.collect::<Result<Vec<_>, _>>()?;
        question.messages = messages.into_iter().flatten().collect();
    }
    Ok(json!(question))
}

/// Before 2025-11-25 a message has one block and no `_meta`.
fn older_messages(
    message: SamplingMessage,
    revision: Revision,
) -> Result<Vec<SamplingMessage>, &'static str> {
    let SamplingMessage { role, content, .. } = message;
    let blocks = content.0.into_iter();
    let messages = blocks.map(|block| {
        let content = SamplingContents(vec![older_block(block, revision)?]);
        Ok(SamplingMessage {
            role,
            content,
            meta: None,
        })
    });
    messages.collect()
}

fn older_block(
    block: SamplingContent,
    revision: Revision,
) -> Result<SamplingContent, &'static str> {
    let block = match block {
        SamplingContent::Text(content) => ContentBlock::Text(content),
        SamplingContent::Image(content) => ContentBlock::Image(content),
        SamplingContent::Audio(content) => ContentBlock::Audio(content),
        SamplingContent::ToolUse(_) | SamplingContent::ToolResult(_) => {
            return Err("the models of its revision have no tools");
        }
    };
    Ok(match super::content::older(block, revision) {
        ContentBlock::Image(content) => SamplingContent::Image(content),
        ContentBlock::Audio(content) => SamplingContent::Audio(content),
        ContentBlock::Text(content) => SamplingContent::Text(content),
        // Neither kind comes out of the three kinds that went in.
        ContentBlock::ResourceLink(_) | ContentBlock::Resource(_) => {
            return Err("the models of its revision take no resources");
        }
    })
}

/// The result that asks for input, for [`Payload::Object`](super::Payload::Object).
pub(crate) fn input_required<Q: serde::Serialize>(questions: &Q, state: String) -> JsonObject {
    let mut members = JsonObject::new();
    members.insert("resultType".to_owned(), json!("input_required"));
    members.insert("inputRequests".to_owned(), json!(questions));
    members.insert("requestState".to_owned(), json!(state));
    members
}
