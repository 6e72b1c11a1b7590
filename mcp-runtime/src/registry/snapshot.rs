use std::sync::Arc;

use super::common::{Common, Defined};
use super::lists::Lists;
use super::shelf::Shelf;
use super::{RegisteredPrompt, RegisteredResource, RegisteredTool};
use crate::error::{Error, Location};

/// Everything that a server serves at one time; never changed, only replaced.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// Counts the changes.
    pub(crate) version: u64,
    pub(crate) tools: Shelf<RegisteredTool>,
    pub(crate) prompts: Shelf<RegisteredPrompt>,
    pub(crate) resources: Shelf<RegisteredResource>,
    pub(crate) templates: Shelf<RegisteredResource>,
    /// What was listed of this snapshot.
    pub(crate) lists: Lists,
}

/// A resource that a URI names, and what the URI says about it.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) resource: Arc<RegisteredResource>,
    pub(crate) variables: Vec<(String, String)>,
}

impl Snapshot {
    /// The same definitions as the beginning of another version.
    pub(super) fn next(&self) -> Self {
        Self {
            version: self.version + 1,
            tools: self.tools.clone(),
            prompts: self.prompts.clone(),
            resources: self.resources.clone(),
            templates: self.templates.clone(),
            lists: Lists::default(),
        }
    }

    /// Adds a definition; the error says where the one of the same name is.
    pub(crate) fn add_tool(&mut self, tool: RegisteredTool) -> Result<(), Error> {
        let second = tool.common().location;
        self.tools
            .insert(tool)
            .map_err(|(name, first)| duplicate(name, &*first, second))
    }

    pub(crate) fn add_prompt(&mut self, prompt: RegisteredPrompt) -> Result<(), Error> {
        let second = prompt.common().location;
        self.prompts
            .insert(prompt)
            .map_err(|(name, first)| duplicate(name, &*first, second))
    }

    pub(crate) fn add_resource(&mut self, resource: RegisteredResource) -> Result<(), Error> {
        let second = resource.common().location;
        let shelf = match resource.template {
            Some(_) => &mut self.templates,
            None => &mut self.resources,
        };
        shelf
            .insert(resource)
            .map_err(|(name, first)| duplicate(name, &*first, second))
    }

    /// What a URI names: a fixed resource before any template, and of several
    /// templates that match the most particular one (see [`UriTemplate::rank`]).
    ///
    /// [`UriTemplate::rank`]: crate::uri_template::UriTemplate::rank
    pub(crate) fn resource(&self, uri: &str) -> Option<Found> {
        if let Some(resource) = self.resources.get(uri) {
            let resource = Arc::clone(resource);
            let variables = Vec::new();
            return Some(Found {
                resource,
                variables,
            });
        }
        let matching = self.templates.iter().filter_map(|family| {
            let template = family.template.as_ref()?;
            Some((template.rank(), family, template.variables_of(uri)?))
        });
        let (_, family, variables) = matching.min_by(|one, other| one.0.cmp(&other.0))?;
        Some(Found {
            resource: Arc::clone(family),
            variables,
        })
    }

    pub(crate) fn has_resources(&self) -> bool {
        !(self.resources.is_empty() && self.templates.is_empty())
    }

    /// Whether clients can be told of changed contents of any resource.
    pub(crate) fn subscribes(&self) -> bool {
        self.all_resources().any(|resource| resource.subscribe)
    }

    /// Whether any argument of a prompt or a template can be completed.
    pub(crate) fn completes(&self) -> bool {
        let mut prompts = self.prompts.iter().map(|prompt| prompt.common());
        let mut templates = self.templates.iter().map(|family| family.common());
        let completes = |common: &Common| common.arguments.completes();
        prompts.any(completes) || templates.any(completes)
    }

    /// Whether any body can send log messages.
    pub(crate) fn logs(&self) -> bool {
        self.tools.iter().any(|tool| tool.common().logs)
            || self.prompts.iter().any(|prompt| prompt.common().logs)
            || self.all_resources().any(|resource| resource.common().logs)
    }

    /// Whether the work of any tool can go on as a task.
    pub(crate) fn has_tasks(&self) -> bool {
        let mut tools = self.tools.iter();
        tools.any(|tool| tool.common().policy.task != super::TaskSupport::Forbidden)
    }

    /// Whether any tool is shown in an app.
    pub(crate) fn has_apps(&self) -> bool {
        self.tools.iter().any(|tool| tool.has_ui())
    }

    /// Whether a list of resources can be kept, or may differ at each time.
    pub(crate) fn resources_are_fixed(&self) -> bool {
        !self.all_resources().any(|resource| resource.lists())
    }

    /// Everything, whatever its kind.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = &dyn Defined> {
        let tools = self.tools.iter().map(|it| &**it as &dyn Defined);
        let prompts = self.prompts.iter().map(|it| &**it as &dyn Defined);
        let resources = self.all_resources().map(|it| &**it as &dyn Defined);
        tools.chain(prompts).chain(resources)
    }

    pub(crate) fn all_resources(&self) -> impl Iterator<Item = &Arc<RegisteredResource>> {
        self.resources.iter().chain(self.templates.iter())
    }
}

fn duplicate(name: String, first: &dyn Defined, second: Option<Location>) -> Error {
    Error::Duplicate {
        kind: first.kind().word(),
        name,
        first: first.common().location,
        second,
    }
}
