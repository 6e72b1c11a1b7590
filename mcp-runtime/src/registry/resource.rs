use serde_json::Value;

use super::definition::{Definition, DefinitionMeta, Handler, HandlerResult, Reply, merge_meta};
use super::descriptor::ResourceDescriptor;
use super::kind::DefinitionKind;
use super::prompt::string_arguments;
use crate::codec::{Payload, resource_not_found};
use crate::context::State;
use crate::error::Error;
use crate::handler::StateProvider;
use crate::output::ResourceOutcome;
use crate::protocol::{
    CacheHints, JsonObject, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
    Revision,
};
use crate::uri_template::{UriTemplate, is_relative_path, normalize};

/// A resource or a resource template of the server.
#[derive(Debug)]
pub(crate) struct RegisteredResource {
    pub(super) meta: DefinitionMeta,
    /// The entry in the list of resources or templates, with a normalized URI. For a template,
    /// `uri` is the URI template.
    resource: Resource,
    /// The parsed URI template, or `None` for a resource with a fixed URI.
    pub(crate) template: Option<UriTemplate>,
    /// Whether clients can subscribe to changes of the contents.
    pub(crate) subscribe: bool,
    /// Lists the existing resources of a resource template.
    list: Option<fn(&StateProvider<'_>) -> Vec<Resource>>,
    /// Whether the values of URI variables may be paths that leave their directory.
    pub(super) allow_path_traversal: bool,
    handler: Handler<ResourceOutcome>,
}

impl RegisteredResource {
    pub(super) fn from_descriptor(descriptor: &'static ResourceDescriptor) -> Result<Self, Error> {
        let (definition, uri) = (&descriptor.definition, descriptor.uri);
        let template = uri.contains('{').then(|| parse(uri)).transpose()?;
        let kind = match &template {
            Some(_) => DefinitionKind::ResourceTemplate,
            None => DefinitionKind::Resource,
        };
        let policy = descriptor.policy;
        let mut meta = DefinitionMeta::from_descriptor(kind, definition, uri, policy);
        meta.cache = descriptor.cache;
        let resource = Resource {
            uri: match &template {
                Some(_) => uri.to_owned(),
                None => normalize(uri).into_owned(),
            },
            name: definition.name.to_owned(),
            title: definition.title.map(str::to_owned),
            description: Some(definition.full_description()),
            mime_type: descriptor.mime_type.map(str::to_owned),
            size: descriptor.size,
            annotations: descriptor.annotations.map(|annotations| annotations()),
            icons: (definition.icons)(),
            meta: definition.meta.map(|meta| meta()),
        };
        Ok(Self {
            meta,
            resource,
            template,
            subscribe: descriptor.subscribe,
            list: descriptor.list,
            allow_path_traversal: descriptor.allow_path_traversal,
            handler: Handler::Static(descriptor.prepare),
        })
    }

    pub(super) fn dynamic(mut resource: Resource, handler: Handler<ResourceOutcome>) -> Self {
        let (kind, schema) = (DefinitionKind::Resource, string_arguments([].into_iter()));
        let meta = DefinitionMeta::dynamic(kind, &resource.uri, &resource.name, schema);
        resource.uri = normalize(&resource.uri).into_owned();
        Self {
            meta,
            resource,
            template: None,
            subscribe: true,
            list: None,
            allow_path_traversal: false,
            handler,
        }
    }

    pub(super) fn dynamic_template(
        template: ResourceTemplate,
        handler: Handler<ResourceOutcome>,
    ) -> Result<Self, Error> {
        let resource = Resource {
            uri: template.uri_template,
            name: template.name,
            title: template.title,
            description: template.description,
            mime_type: template.mime_type,
            size: None,
            annotations: template.annotations,
            icons: template.icons,
            meta: template.meta,
        };
        let template = parse(&resource.uri)?;
        let variables = template.variables();
        let schema = string_arguments(variables.map(|name| (name, template.requires(name))));
        let kind = DefinitionKind::ResourceTemplate;
        Ok(Self {
            meta: DefinitionMeta::dynamic(kind, &resource.uri, &resource.name, schema),
            resource,
            template: Some(template),
            subscribe: true,
            list: None,
            allow_path_traversal: false,
            handler,
        })
    }

    /// Returns the errors in the definition that would make reads fail. One of them is a required
    /// parameter whose variable a matching URI may lack.
    pub(super) fn errors(&self) -> Vec<Error> {
        let mut errors: Vec<Error> = self.meta.errors().collect();
        if let Some(template) = &self.template {
            let parameters = self.meta.arguments.parameters.iter();
            let missing = parameters.filter(|it| it.is_required() && !template.requires(it.name()));
            errors.extend(missing.map(|parameter| {
                let name = parameter.name();
                self.meta.error(format!(
                    "a URI may lack the variable `{name}`; make the parameter an `Option`"
                ))
            }));
        }
        errors
    }

    /// Returns the variables of a URI that matches the template, or `None` if the URI does not
    /// match.
    ///
    /// A URI does not match if the value of a variable leaves its directory, because handlers open
    /// files with these values.
    pub(super) fn match_uri(&self, uri: &str) -> Option<Vec<(String, String)>> {
        let variables = self.template.as_ref()?.match_uri(uri)?;
        let mut values = variables.iter();
        let is_safe = values.all(|(_, value)| is_relative_path(value));
        if is_safe || self.allow_path_traversal {
            return Some(variables);
        }
        let template = &*self.meta.key;
        tracing::debug!(template, "a URI with a path traversal does not match");
        None
    }

    /// Whether a function lists the resources. If so, the list may differ each time.
    pub(crate) fn has_list(&self) -> bool {
        self.list.is_some()
    }

    /// Returns the entries in the list of resources, in the format of the newest protocol revision.
    pub(crate) fn list(&self, state: &State) -> Vec<Resource> {
        match (self.list, &self.template) {
            (Some(list), _) => list(&StateProvider(state)),
            (None, Some(_)) => Vec::new(),
            (None, None) => vec![self.resource.clone()],
        }
    }

    /// Returns the resource template in the format of the newest protocol revision.
    pub(crate) fn to_template(&self) -> ResourceTemplate {
        let Resource {
            uri: uri_template,
            name,
            title,
            description,
            mime_type,
            size: _,
            annotations,
            icons,
            meta,
        } = self.resource.clone();
        ResourceTemplate {
            uri_template,
            name,
            title,
            description,
            mime_type,
            annotations,
            icons,
            meta,
        }
    }
}

fn parse(uri: &str) -> Result<UriTemplate, Error> {
    uri.parse().map_err(|problem| Error::UriTemplate {
        template: uri.to_owned(),
        problem,
    })
}

/// The contents of a resource, or `None` if the resource does not exist.
type Contents = Option<Vec<ResourceContents>>;

/// The data of the resource and the request that a result contains.
#[derive(Debug)]
pub(crate) struct ReadContext {
    uri: String,
    mime_type: Option<String>,
    /// The display settings of an app. Clients read them from the contents of the resource (MCP
    /// Apps).
    ui: Option<Value>,
    hints: CacheHints,
    revision: Revision,
}

impl ReadContext {
    /// Adds the URI, the MIME type and the display settings to contents without a URI.
    fn complete(&self, contents: &mut ResourceContents) {
        let (ResourceContents::Text {
            uri,
            mime_type,
            meta,
            ..
        }
        | ResourceContents::Blob {
            uri,
            mime_type,
            meta,
            ..
        }) = contents;
        if !uri.is_empty() {
            return;
        }
        uri.clone_from(&self.uri);
        if mime_type.is_none() {
            mime_type.clone_from(&self.mime_type);
        }
        if let Some(ui) = &self.ui {
            let members = JsonObject::from_iter([("ui".to_owned(), ui.clone())]);
            merge_meta(meta, members);
        }
    }
}

impl Definition for RegisteredResource {
    const METHOD: &'static str = "resources/read";
    const WORD: &'static str = "resource";
    type Value = Contents;
    type Request = String;
    type ReplyContext = ReadContext;

    fn meta(&self) -> &DefinitionMeta {
        &self.meta
    }

    fn handler(&self) -> &Handler<HandlerResult<Self>> {
        &self.handler
    }

    /// Returns the normalized URI if it differs from the key.
    fn other_key(&self) -> Option<String> {
        let differs = self.resource.uri != self.meta.key;
        differs.then(|| self.resource.uri.clone())
    }

    fn reply_context(&self, uri: String, hints: CacheHints, revision: Revision) -> ReadContext {
        let meta = self.resource.meta.as_ref();
        ReadContext {
            uri,
            mime_type: self.resource.mime_type.clone(),
            ui: meta.and_then(|meta| meta.get("ui")).cloned(),
            hints,
            revision,
        }
    }

    fn content_bytes(value: &Contents) -> usize {
        let contents = value.iter().flatten();
        contents.map(ResourceContents::content_bytes).sum()
    }

    /// Creates the reply, which is an error if the handler has found no such resource.
    fn reply(value: Contents, context: ReadContext) -> Reply {
        let Some(mut contents) = value else {
            return Err(resource_not_found(context.revision, &context.uri));
        };
        contents.iter_mut().for_each(|it| context.complete(it));
        let meta = None;
        let result = ReadResourceResult { contents, meta };
        Ok(Payload::ReadResource(result, context.hints))
    }

    fn is_not_found(value: &Contents) -> bool {
        value.is_none()
    }

    /// Adds the members to the `_meta` of each of the contents, because the result has no `_meta`.
    fn add_meta(value: &mut Contents, members: JsonObject) {
        for contents in value.iter_mut().flatten() {
            let (ResourceContents::Text { meta, .. } | ResourceContents::Blob { meta, .. }) =
                contents;
            merge_meta(meta, members.clone());
        }
    }
}
