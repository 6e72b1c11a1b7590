use super::content::content;
use super::result_end::ResultEnd;
use super::writer::{json, member};
use crate::protocol::{GetPromptResult, Revision};

pub(super) fn write(
    end: &ResultEnd,
    out: &mut Vec<u8>,
    revision: Revision,
    result: &GetPromptResult,
) {
    out.push(b'{');
    if let Some(description) = &result.description {
        member(out, "description");
        json(out, description);
    }
    member(out, "messages");
    out.push(b'[');
    for (index, message) in result.messages.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"role\":");
        json(out, &message.role);
        out.extend_from_slice(b",\"content\":");
        content(out, revision, &message.content);
        out.push(b'}');
    }
    out.push(b']');
    end.write(out, revision, Some("complete"), result.meta.as_ref());
}
