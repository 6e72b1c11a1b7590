use super::descriptor::{CommonDescriptor, PromptDescriptor, ResourceDescriptor, ToolDescriptor};
use super::kind::DefinitionKind;
use super::prompt::RegisteredPrompt;
use super::resource::RegisteredResource;
use super::snapshot::Snapshot;
use super::tool::RegisteredTool;
use crate::context::State;
use crate::error::Error;

inventory::collect!(ToolDescriptor);
inventory::collect!(PromptDescriptor);
inventory::collect!(ResourceDescriptor);

/// Returns all tools that are linked into the binary, sorted by name.
pub(crate) fn static_tools() -> Vec<RegisteredTool> {
    let tools = sorted(|tool: &ToolDescriptor| &tool.definition).into_iter();
    tools.map(RegisteredTool::from_descriptor).collect()
}

/// Adds the definitions of the selected groups that are linked into the binary. Returns all errors.
///
/// Definitions of other groups are not checked, because they may belong to another server with
/// different state.
pub(super) fn add_to(
    snapshot: &mut Snapshot,
    state: &State,
    groups: Option<&[String]>,
) -> Vec<Error> {
    let mut errors = Vec::new();
    let selected = |definition: &CommonDescriptor| match (definition.group, groups) {
        (Some(own), Some(groups)) => groups.iter().any(|group| group == own),
        _ => true,
    };
    for tool in sorted(|tool: &ToolDescriptor| &tool.definition) {
        if selected(&tool.definition) {
            errors.extend(tool.definition.errors(DefinitionKind::Tool, state));
            let tool = RegisteredTool::from_descriptor(tool);
            errors.extend(tool.meta.errors());
            errors.extend(snapshot.add_tool(tool).err());
        }
    }
    for prompt in sorted(|prompt: &PromptDescriptor| &prompt.definition) {
        if selected(&prompt.definition) {
            errors.extend(prompt.definition.errors(DefinitionKind::Prompt, state));
            let prompt = RegisteredPrompt::from_descriptor(prompt);
            errors.extend(prompt.meta.errors());
            errors.extend(snapshot.add_prompt(prompt).err());
        }
    }
    for resource in sorted(|resource: &ResourceDescriptor| &resource.definition) {
        if selected(&resource.definition) {
            errors.extend(resource.definition.errors(DefinitionKind::Resource, state));
            match RegisteredResource::from_descriptor(resource) {
                Ok(resource) => {
                    errors.extend(resource.errors());
                    errors.extend(snapshot.add_resource(resource).err());
                }
                Err(error) => errors.push(error),
            }
        }
    }
    errors.extend(missing_apps(snapshot));
    errors
}

/// Returns an error for each tool whose app is not a resource of the server. A client reads this
/// resource to display the app (MCP Apps).
fn missing_apps(snapshot: &Snapshot) -> Vec<Error> {
    let missing = snapshot.tools.iter().filter_map(|tool| {
        let uri = tool.ui_resource()?;
        snapshot.resource(uri).is_none().then(|| {
            tool.meta.error(format!(
                "its app is the resource `{uri}`, which does not exist; add it: \
                 `#[resource(\"{uri}\", mime_type = \"text/html;profile=mcp-app\")]`"
            ))
        })
    });
    missing.collect()
}

/// Returns all descriptors of one kind, sorted by name. The order in which `inventory` returns them
/// is arbitrary.
fn sorted<T: inventory::Collect>(definition: impl Fn(&T) -> &CommonDescriptor) -> Vec<&'static T> {
    let mut descriptors: Vec<&'static T> = inventory::iter::<T>.into_iter().collect();
    descriptors.sort_by_key(|descriptor| {
        let CommonDescriptor { name, location, .. } = definition(descriptor);
        (*name, location.file, location.line)
    });
    descriptors
}
