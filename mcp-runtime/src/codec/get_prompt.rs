use super::content::write_block;
use super::trailing_members::TrailingMembers;
use super::writer::{write_json, write_key};
use crate::protocol::{GetPromptResult, Revision};

pub(super) fn write(
    end: &TrailingMembers,
    out: &mut Vec<u8>,
    revision: Revision,
    result: &GetPromptResult,
) {
    out.push(b'{');
    if let Some(description) = &result.description {
        write_key(out, "description");
        write_json(out, description);
    }
    write_key(out, "messages");
    out.push(b'[');
    for (index, message) in result.messages.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"role\":");
        write_json(out, &message.role);
        out.extend_from_slice(b",\"content\":");
        write_block(out, revision, &message.content);
        out.push(b'}');
    }
    out.push(b']');
    end.write(out, revision, Some("complete"), result.meta.as_ref());
}
