use super::common::{Defined, Kind};
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

/// Adds what is linked of the groups that are to be served, and tells all that is
/// wrong with it.
///
/// What is left out is another server's, which may have names and state of its own.
pub(super) fn add_to(
    snapshot: &mut Snapshot,
    state: &State,
    groups: Option<&[String]>,
) -> Vec<Error> {
    let mut errors = Vec::new();
    let served = |definition: &Definition| match (definition.group, groups) {
        (Some(own), Some(groups)) => groups.iter().any(|group| group == own),
        _ => true,
    };
    for tool in sorted(|tool: &ToolDescriptor| &tool.definition) {
        if !served(&tool.definition) {
            continue;
        }
        errors.extend(tool.definition.unmet(Kind::Tool, state));
        let tool = RegisteredTool::linked(tool);
        errors.extend(tool.common().contradictions(Kind::Tool));
        errors.extend(snapshot.add_tool(tool).err());
    }
    for prompt in sorted(|prompt: &PromptDescriptor| &prompt.definition) {
        if !served(&prompt.definition) {
            continue;
        }
        errors.extend(prompt.definition.unmet(Kind::Prompt, state));
        let prompt = RegisteredPrompt::linked(prompt);
        errors.extend(prompt.common().contradictions(Kind::Prompt));
        errors.extend(snapshot.add_prompt(prompt).err());
    }
    for resource in sorted(|resource: &ResourceDescriptor| &resource.definition) {
        if !served(&resource.definition) {
            continue;
        }
        errors.extend(resource.definition.unmet(Kind::Resource, state));
        match RegisteredResource::linked(resource) {
            Ok(resource) => {
                errors.extend(resource.contradictions());
                errors.extend(snapshot.add_resource(resource).err());
            }
            Err(error) => errors.push(error),
        }
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
