use std::sync::Arc;

use super::definition::{Definition, DefinitionMeta};
use super::definition_map::DefinitionMap;
use super::list_cache::ListCache;
use super::policy::TaskSupport;
use super::prompt::RegisteredPrompt;
use super::resource::RegisteredResource;
use super::tool::RegisteredTool;
use crate::error::Error;
use crate::uri_template::normalize;

/// All definitions of a server at one point in time. A snapshot is immutable, and each change
/// replaces it.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    pub(crate) tools: DefinitionMap<RegisteredTool>,
    pub(crate) prompts: DefinitionMap<RegisteredPrompt>,
    pub(crate) resources: DefinitionMap<RegisteredResource>,
    pub(crate) templates: DefinitionMap<RegisteredResource>,
    /// The encoded lists of this snapshot.
    pub(crate) lists: ListCache,
}

/// The resource or resource template that a URI matches.
#[derive(Debug)]
pub(crate) struct ResourceMatch {
    pub(crate) resource: Arc<RegisteredResource>,
    /// The names and values of the template's variables.
    pub(crate) variables: Vec<(String, String)>,
}

impl Snapshot {
    /// Returns a copy that can be changed. The copy does not contain the encoded lists.
    pub(super) fn to_edit(&self) -> Self {
        Self {
            tools: self.tools.clone(),
            prompts: self.prompts.clone(),
            resources: self.resources.clone(),
            templates: self.templates.clone(),
            lists: ListCache::default(),
        }
    }

    pub(super) fn add_tool(&mut self, tool: RegisteredTool) -> Result<(), Error> {
        insert(&mut self.tools, tool)
    }

    pub(super) fn add_prompt(&mut self, prompt: RegisteredPrompt) -> Result<(), Error> {
        insert(&mut self.prompts, prompt)
    }

    pub(super) fn add_resource(&mut self, resource: RegisteredResource) -> Result<(), Error> {
        let map = match resource.template {
            Some(_) => &mut self.templates,
            None => &mut self.resources,
        };
        insert(map, resource)
    }

    /// Finds the resource that a URI matches. Returns the resource with this URI or an equivalent
    /// URI (see [`normalize`]), or otherwise the most specific resource template that matches (see
    /// [`UriTemplate::rank`]).
    ///
    /// [`UriTemplate::rank`]: crate::uri_template::UriTemplate::rank
    pub(crate) fn resource(&self, uri: &str) -> Option<ResourceMatch> {
        let exact = self.resources.get(uri);
        if let Some(resource) = exact.or_else(|| self.resources.get(&normalize(uri))) {
            return Some(ResourceMatch {
                resource: Arc::clone(resource),
                variables: Vec::new(),
            });
        }
        let matches = self.templates.iter().filter_map(|resource| {
            let template = resource.template.as_ref()?;
            Some((template.rank(), resource, resource.match_uri(uri)?))
        });
        let (_, resource, variables) = matches.min_by(|one, other| one.0.cmp(&other.0))?;
        Some(ResourceMatch {
            resource: Arc::clone(resource),
            variables,
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.prompts.is_empty() && !self.has_resources()
    }

    pub(crate) fn has_resources(&self) -> bool {
        !(self.resources.is_empty() && self.templates.is_empty())
    }

    /// Whether clients can subscribe to any resource.
    pub(crate) fn can_subscribe(&self) -> bool {
        self.all_resources().any(|resource| resource.subscribe)
    }

    /// Whether any argument of a prompt or a resource template can be completed.
    pub(crate) fn can_complete(&self) -> bool {
        let prompts = self.prompts.iter().map(|it| &it.meta);
        let mut metas = prompts.chain(self.templates.iter().map(|it| &it.meta));
        metas.any(|meta| meta.arguments.has_completions())
    }

    /// Whether any handler can send log messages.
    pub(crate) fn can_log(&self) -> bool {
        self.definitions().any(|meta| meta.can_log)
    }

    /// Whether calls of any tool can continue as tasks. Disabled tools count as well, because
    /// clients poll the tasks that their calls have started.
    pub(crate) fn has_tasks(&self) -> bool {
        let mut tools = self.tools.iter_all();
        tools.any(|tool| tool.meta.policy.task != TaskSupport::Forbidden)
    }

    /// Whether any tool has an app that displays its results.
    pub(crate) fn has_apps(&self) -> bool {
        self.tools.iter().any(|tool| tool.has_ui())
    }

    /// Whether the list of resources can be cached, because no function lists resources.
    pub(crate) fn has_static_lists(&self) -> bool {
        !self.all_resources().any(|resource| resource.has_list())
    }

    /// Returns all enabled definitions of all kinds.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = &DefinitionMeta> {
        let tools = self.tools.iter().map(|it| &it.meta);
        let prompts = self.prompts.iter().map(|it| &it.meta);
        let resources = self.all_resources().map(|it| &it.meta);
        tools.chain(prompts).chain(resources)
    }

    pub(crate) fn all_resources(&self) -> impl Iterator<Item = &Arc<RegisteredResource>> {
        self.resources.iter().chain(self.templates.iter())
    }
}

/// Adds a definition.
///
/// # Errors
/// Returns an error with the locations of both definitions if the name is already used.
fn insert<T: Definition>(map: &mut DefinitionMap<T>, definition: T) -> Result<(), Error> {
    let second = definition.meta().location;
    map.insert(definition)
        .map_err(|(name, first)| Error::Duplicate {
            kind: first.meta().kind.as_str(),
            name,
            first: first.meta().location,
            second,
        })
}
