use serde_json::Value;

/// The schema of a tool that a rule applies to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SchemaKind {
    Input,
    Output,
}

/// A schema within a tool, and its location.
pub(super) struct SchemaLocation<'a> {
    pub(super) root: &'a Value,
    pub(super) schema: &'a Value,
    pub(super) kind: SchemaKind,
    pub(super) pointer: String,
    /// The number of enclosing schemas, which is 0 for the root.
    pub(super) depth: usize,
}
