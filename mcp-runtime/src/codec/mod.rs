//! What a result looks like in each revision: the place that strips and adds.
//!
//! A handler never sees a revision; it makes the newest shape, and this module
//! writes what the client's revision has of it.

mod call_tool;
mod content;
mod entries;
mod get_prompt;
mod lifecycle;
mod lists;
mod notification;
mod question;
mod read_resource;
mod wrap;

use serde_json::json as value;

use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{
    CacheHints, CallToolResult, GetPromptResult, JsonObject, ReadResourceResult, Revision, meta,
};

pub(crate) use entries::{Entries, Page};
pub(crate) use lifecycle::{capabilities, implementation};
pub(crate) use lists::{Schema, prompt, resource, resource_template, tool, write_tool};
pub(crate) use notification::{
    acknowledged, ended, list_changed, log_message, progress, resource_updated, tagged, task,
};
pub(crate) use question::{form, input_required, page, sampling};
pub(crate) use wrap::Wrap;

/// The result of a request before it is written.
#[derive(Debug)]
pub(crate) enum Payload {
    /// A page of a list, its entries already as the revision wants them.
    Page(Page),
    /// The members of any object.
    Object(JsonObject),
    /// Such members and what revisions with caches say about keeping them.
    Cacheable(JsonObject, CacheHints),
    /// The result of `tools/call`.
    CallTool(CallToolResult, Wrap),
    /// The result of `prompts/get`.
    GetPrompt(GetPromptResult),
    /// The result of `resources/read`.
    ReadResource(ReadResourceResult, CacheHints),
}

/// That there is no such resource, in the code of the revision
/// (specification, *Resources*, *Error handling*).
pub(crate) fn resource_not_found(revision: Revision, uri: &str) -> ErrorObject {
    let code = match revision.is_modern() {
        true => ErrorCode::INVALID_PARAMS,
        false => ErrorCode::RESOURCE_NOT_FOUND,
    };
    let shown = crate::text::truncate(uri, 200);
    let message = format!("there is no resource `{shown}`; `resources/list` names those that are");
    ErrorObject::new(code, message).with_data(value!({ "uri": uri }))
}

impl From<CallToolResult> for Payload {
    fn from(result: CallToolResult) -> Self {
        Self::CallTool(result, Wrap::ByValue)
    }
}

/// Writes results for one server.
#[derive(Debug)]
pub(crate) struct Codec {
    /// `"_meta":{"…serverInfo":{…}}` without the closing brace, for modern results.
    server_meta: String,
}

impl Codec {
    pub(crate) fn new(server: &crate::protocol::Implementation) -> Self {
        let info = serde_json::to_string(server).unwrap_or_else(|_| "{}".to_owned());
        let key = meta::SERVER_INFO;
        Self {
            server_meta: format!("\"_meta\":{{\"{key}\":{info}"),
        }
    }

    /// Appends `payload` as an object of `revision`.
    pub(crate) fn write(&self, out: &mut Vec<u8>, revision: Revision, payload: &Payload) {
        match payload {
            Payload::Page(page) => self.page(out, revision, page),
            Payload::Object(members) => self.object(out, revision, members, None),
            Payload::Cacheable(members, hints) => self.object(out, revision, members, Some(*hints)),
            Payload::GetPrompt(result) => get_prompt::write(self, out, revision, result),
            Payload::ReadResource(result, hints) => {
                read_resource::write(self, out, revision, result, *hints);
            }
            Payload::CallTool(result, wrap) => call_tool::write(self, out, revision, result, *wrap),
        }
    }

    fn page(&self, out: &mut Vec<u8>, revision: Revision, page: &Page) {
        let json = page.json();
        // What stands around the entries is short, and a long list copied once.
        out.reserve(json.len() + 1024);
        out.push(b'{');
        member(out, page.member);
        out.push(b'[');
        out.extend_from_slice(json);
        out.push(b']');
        if let Some(cursor) = &page.next_cursor {
            member(out, "nextCursor");
            self::json(out, cursor);
        }
        read_resource::cache(out, revision, page.hints);
        self.close(out, revision, Some("complete"), None);
    }

    fn object(
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
                    member(out, name);
                    json(out, value);
                }
            }
        }
        if let Some(hints) = hints {
            read_resource::cache(out, revision, hints);
        }
        let result_type = (!members.contains_key("resultType")).then_some("complete");
        self.close(out, revision, result_type, own_meta);
    }

    /// Ends a result: its type and the server's name where the revision has them.
    fn close(
        &self,
        out: &mut Vec<u8>,
        revision: Revision,
        result_type: Option<&str>,
        own_meta: Option<&JsonObject>,
    ) {
        if !revision.is_modern() {
            if let Some(meta) = own_meta {
                member(out, "_meta");
                json(out, meta);
            }
            out.push(b'}');
            return;
        }
        if let Some(result_type) = result_type {
            member(out, "resultType");
            json(out, result_type);
        }
        separate(out);
        out.extend_from_slice(self.server_meta.as_bytes());
        for (name, value) in own_meta.into_iter().flatten() {
            if name != meta::SERVER_INFO {
                member(out, name);
                json(out, value);
            }
        }
        out.extend_from_slice(b"}}");
    }
}

fn separate(out: &mut Vec<u8>) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
}

fn member(out: &mut Vec<u8>, name: &str) {
    separate(out);
    json(out, name);
    out.push(b':');
}

/// Appends a value that always serializes: wire types hold no maps with odd keys.
fn json<T: serde::Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    let _ = serde_json::to_writer(out, value);
}
