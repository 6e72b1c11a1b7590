use super::common::Kind;
use super::{
    Definition, PromptDescriptor, RegisteredPrompt, RegisteredResource, RegisteredTool,
    ResourceDescriptor, Snapshot, ToolDescriptor,
};
use crate::context::State;
use crate::error::Error;

inventory::collect!(ToolDescriptor);
inventory::collect!(PromptDescriptor);
inventory::collect!(ResourceDescriptor);

/// Every tool that is linked, sorted by name and place.
pub(crate) fn linked_tools() -> Vec<RegisteredTool> {
    let descriptors = sorted(|tool: &ToolDescriptor| &tool.definition);
    descriptors
        .into_iter()
        .map(RegisteredTool::linked)
        .collect()
}

/// Adds everything that is linked, and tells all that is wrong with it.
pub(super) fn add_to(snapshot: &mut Snapshot, state: &State) -> Vec<Error> {
    let mut errors = Vec::new();
    for tool in sorted(|tool: &ToolDescriptor| &tool.definition) {
        errors.extend(tool.definition.unmet(Kind::Tool, state));
        errors.extend(snapshot.add_tool(RegisteredTool::linked(tool)).err());
    }
    for prompt in sorted(|prompt: &PromptDescriptor| &prompt.definition) {
        errors.extend(prompt.definition.unmet(Kind::Prompt, state));
        errors.extend(snapshot.add_prompt(RegisteredPrompt::linked(prompt)).err());
    }
    for resource in sorted(|resource: &ResourceDescriptor| &resource.definition) {
        errors.extend(resource.definition.unmet(Kind::Resource, state));
        let added = RegisteredResource::linked(resource);
        let added = added.and_then(|resource| snapshot.add_resource(resource));
        errors.extend(added.err());
    }
    errors
}

/// Link order is arbitrary, so nothing may depend on it.
fn sorted<T: inventory::Collect>(definition: impl Fn(&T) -> &Definition) -> Vec<&'static T> {
    let mut descriptors: Vec<&'static T> = inventory::iter::<T>.into_iter().collect();
    descriptors.sort_by_key(|descriptor| {
        let Definition { name, location, .. } = definition(descriptor);
        (*name, location.file, location.line)
    });
    descriptors
}
