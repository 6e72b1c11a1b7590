//! What a result looks like in each revision: the place that strips and adds.
//!
//! A handler never sees a revision; it makes the newest shape, and this module
//! writes what the client's revision has of it.

mod call_tool;
mod list_tools;
mod question;
mod wrap;

use crate::protocol::{CallToolResult, JsonObject, Revision, meta};

pub(crate) use list_tools::tool;
pub(crate) use question::{form, input_required, page, sampling};
pub(crate) use wrap::Wrap;

/// The result of a request before it is written.
#[derive(Debug)]
pub(crate) enum Payload {
    /// A finished object, already as the revision wants it.
    Encoded(std::sync::Arc<str>),
    /// The members of any object.
    Object(JsonObject),
    /// The result of `tools/call`.
    CallTool(CallToolResult, Wrap),
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
            Payload::Encoded(json) => out.extend_from_slice(json.as_bytes()),
            Payload::Object(members) => self.object(out, revision, members),
            Payload::CallTool(result, wrap) => call_tool::write(self, out, revision, result, *wrap),
        }
    }

    /// An object as `write` makes it, kept for answers that are always the same.
    pub(crate) fn encode(&self, revision: Revision, members: &JsonObject) -> std::sync::Arc<str> {
        let mut out = Vec::new();
        self.object(&mut out, revision, members);
        // Only JSON was written, and JSON is UTF-8.
        String::from_utf8(out).unwrap_or_default().into()
    }

    fn object(&self, out: &mut Vec<u8>, revision: Revision, members: &JsonObject) {
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
