/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum DefinitionKind {
    Tool,
    Prompt,
    Resource,
    ResourceTemplate,
}

impl DefinitionKind {
    /// Returns the name of the kind in messages.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Prompt => "prompt",
            Self::Resource => "resource",
            Self::ResourceTemplate => "resource template",
        }
    }
}
