use super::{ToolOutcome, ToolOutput};
use crate::protocol::{
    AudioContent, CallToolResult, ContentBlock, EmbeddedResource, ImageContent, ResourceLink,
    TextContent,
};

/// A content block. A tool returns one block, a list of blocks or a tuple of blocks.
///
/// The trait is implemented for [`Text`](crate::Text), [`Image`](crate::Image),
/// [`Audio`](crate::Audio), [`ResourceLink`], [`Embedded`](crate::Embedded) and [`ContentBlock`],
/// an enum of all block types. The result has no structured content. If a tool returns an `Option`,
/// `None` becomes a successful result without content.
///
/// ```
/// use mcp_runtime::{Image, ResourceLink, Role, Text, prelude::*, protocol::ContentBlock};
/// # fn pixels() -> Vec<u8> { vec![] }
///
/// /// Draws the plan.
/// #[tool(read_only)]
/// fn draw() -> (Text, Image) {
///     let plan = Image::png(pixels()).audience([Role::User]).priority(0.9);
///     (Text::new("The plan, as of today:"), plan)
/// }
///
/// /// Lists the sheets of the plan.
/// #[tool(read_only)]
/// fn sheets() -> Vec<ContentBlock> {
///     vec![
///         "One sheet was found.".into(),
///         ResourceLink::new("file:///plan/1.svg", "sheet-1").mime_type("image/svg+xml").into(),
///     ]
/// }
/// # fn main() {}
/// ```
pub trait Content: Into<ContentBlock> {}

impl Content for ContentBlock {}
impl Content for TextContent {}
impl Content for ImageContent {}
impl Content for AudioContent {}
impl Content for ResourceLink {}
impl Content for EmbeddedResource {}

impl<C: Content> ToolOutput for C {
    fn into_result(self) -> ToolOutcome {
        content_result([self])
    }
}

impl<C: Content> ToolOutput for Vec<C> {
    fn into_result(self) -> ToolOutcome {
        content_result(self)
    }
}

impl<C: Content, const N: usize> ToolOutput for [C; N] {
    fn into_result(self) -> ToolOutcome {
        content_result(self)
    }
}

impl<C: Content> ToolOutput for Option<C> {
    fn into_result(self) -> ToolOutcome {
        content_result(self)
    }
}

macro_rules! tuples {
    ($(($($name:ident),*))*) => {$(
        impl<$($name: Content),*> ToolOutput for ($($name,)*) {
            fn into_result(self) -> ToolOutcome {
                #[allow(non_snake_case, reason = "each value is named like its type")]
                let ($($name,)*) = self;
                content_result::<ContentBlock>([$($name.into()),*])
            }
        }
    )*};
}

tuples! { (A, B) (A, B, C) (A, B, C, D) (A, B, C, D, E) (A, B, C, D, E, F) }

fn content_result<C: Into<ContentBlock>>(content: impl IntoIterator<Item = C>) -> ToolOutcome {
    Ok(CallToolResult {
        content: content.into_iter().map(Into::into).collect(),
        ..CallToolResult::default()
    })
}
