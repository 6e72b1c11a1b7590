//! Serializes results, notifications and requests for each protocol revision.
//!
//! Handlers create messages for the newest revision. This module removes the members that the
//! client's revision does not have.

mod call_tool;
mod content;
mod get_prompt;
mod input_request;
mod lifecycle;
mod lists;
mod notification;
mod read_resource;
mod result_wrapping;
mod serialized_list;
mod trailing_members;
mod writer;

use trailing_members::TrailingMembers;
use writer::{write_json, write_key};

use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{
    CacheHints, CallToolResult, GetPromptResult, JsonObject, ReadResourceResult, Revision,
};

pub(crate) use input_request::{
    elicit_form_params, elicit_url_params, input_required, sampling_params,
};
pub(crate) use lifecycle::{convert_capabilities, convert_implementation};
pub(crate) use lists::{
    Schema, convert_prompt, convert_resource, convert_resource_template, convert_tool, write_tool,
};
pub(crate) use notification::{
    list_changed, listen_meta, listen_stream_ended, log_message, progress, resource_updated,
    subscription_acknowledged, task,
};
pub(crate) use result_wrapping::ResultWrapping;
pub(crate) use serialized_list::{ListPage, SerializedList};

/// The result of a request.
#[derive(Debug)]
pub(crate) enum Payload {
    /// A page of a list. The page is already converted to the client's revision.
    Page(ListPage),
    /// The members of the result.
    Object(JsonObject),
    /// The members and the cache hints of the result.
    Cacheable(JsonObject, CacheHints),
    /// The result of `tools/call`.
    CallTool(CallToolResult, ResultWrapping),
    /// The result of `prompts/get`.
    GetPrompt(GetPromptResult),
    /// The result of `resources/read`.
    ReadResource(ReadResourceResult, CacheHints),
}

/// Returns the error for an unknown resource. The error code depends on the revision
/// (specification, *Resources*, *Error handling*).
pub(crate) fn resource_not_found(revision: Revision, uri: &str) -> ErrorObject {
    let code = match revision.is_modern() {
        true => ErrorCode::INVALID_PARAMS,
        false => ErrorCode::RESOURCE_NOT_FOUND,
    };
    let shown = crate::text::truncate(uri, 200);
    let message = format!("there is no resource `{shown}`; `resources/list` lists them");
    ErrorObject::new(code, message).with_data(serde_json::json!({ "uri": uri }))
}

impl From<CallToolResult> for Payload {
    fn from(result: CallToolResult) -> Self {
        Self::CallTool(result, ResultWrapping::ByValue)
    }
}

/// A serializer of results, which adds the name and version of the server.
#[derive(Debug)]
pub(crate) struct Codec(TrailingMembers);

impl Codec {
    pub(crate) fn new(server: &crate::protocol::Implementation) -> Self {
        Self(TrailingMembers::new(server))
    }

    /// Converts `payload` to the form of `revision` and appends its JSON.
    pub(crate) fn write(&self, out: &mut Vec<u8>, revision: Revision, payload: &Payload) {
        match payload {
            Payload::Page(page) => self.write_page(out, revision, page),
            Payload::Object(members) => self.write_object(out, revision, members, None),
            Payload::Cacheable(members, hints) => {
                self.write_object(out, revision, members, Some(*hints));
            }
            Payload::GetPrompt(result) => get_prompt::write(&self.0, out, revision, result),
            Payload::ReadResource(result, hints) => {
                read_resource::write(&self.0, out, revision, result, *hints);
            }
            Payload::CallTool(result, wrap) => {
                call_tool::write(&self.0, out, revision, result, *wrap);
            }
        }
    }

    fn write_page(&self, out: &mut Vec<u8>, revision: Revision, page: &ListPage) {
        let entries = page.json();
        // Reserve space for the whole result to avoid a second copy of a long list. The other
        // members usually need less than 1024 bytes.
        out.reserve(entries.len() + 1024);
        out.push(b'{');
        write_key(out, page.member);
        out.push(b'[');
        out.extend_from_slice(entries);
        out.push(b']');
        if let Some(cursor) = &page.next_cursor {
            write_key(out, "nextCursor");
            write_json(out, cursor);
        }
        read_resource::write_cache_hints(out, revision, page.hints);
        self.0.write(out, revision, Some("complete"), None);
    }

    fn write_object(
        &self,
        out: &mut Vec<u8>,
        revision: Revision,
        members: &JsonObject,
        hints: Option<CacheHints>,
    ) {
        out.push(b'{');
        let mut own_meta = None;
        for (name, value) in members {
            match (name.as_str(), value.as_object()) {
                ("resultType", _) if !revision.is_modern() => {}
                ("_meta", Some(meta)) => own_meta = Some(meta),
                _ => {
                    write_key(out, name);
                    write_json(out, value);
                }
            }
        }
        if let Some(hints) = hints {
            read_resource::write_cache_hints(out, revision, hints);
        }
        let result_type = (!members.contains_key("resultType")).then_some("complete");
        self.0.write(out, revision, result_type, own_meta);
    }
}
