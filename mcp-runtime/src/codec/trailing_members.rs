use super::writer::{write_json, write_key, write_separator};
use crate::protocol::{Implementation, JsonObject, Revision, meta};

/// The last members of a result, which are `resultType` and `_meta`.
#[derive(Debug)]
pub(super) struct TrailingMembers {
    /// The start of `_meta` for protocol version 2026-07-28. It is the text
    /// `"_meta":{"…serverInfo":{…}` without the last closing brace.
    server_meta: String,
}

impl TrailingMembers {
    pub(super) fn new(server: &Implementation) -> Self {
        let info = serde_json::to_string(server).unwrap_or_else(|_| "{}".to_owned());
        let key = meta::SERVER_INFO;
        Self {
            server_meta: format!("\"_meta\":{{\"{key}\":{info}"),
        }
    }

    /// Appends `_meta` and the closing brace of a result. For modern revisions, appends
    /// `resultType` too and adds the name and version of the server to `_meta`.
    pub(super) fn write(
        &self,
        out: &mut Vec<u8>,
        revision: Revision,
        result_type: Option<&str>,
        own_meta: Option<&JsonObject>,
    ) {
        if !revision.is_modern() {
            if let Some(meta) = own_meta {
                write_key(out, "_meta");
                write_json(out, meta);
            }
            out.push(b'}');
            return;
        }
        if let Some(result_type) = result_type {
            write_key(out, "resultType");
            write_json(out, result_type);
        }
        write_separator(out);
        out.extend_from_slice(self.server_meta.as_bytes());
        for (name, value) in own_meta.into_iter().flatten() {
            if name != meta::SERVER_INFO {
                write_key(out, name);
                write_json(out, value);
            }
        }
        out.extend_from_slice(b"}}");
    }
}
