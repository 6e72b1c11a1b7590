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
use crate::uri_template::{UriTemplate, normalize};

/// A resource or a resource template that the server has.
#[derive(Debug)]
pub(crate) struct RegisteredResource {
    pub(super) meta: DefinitionMeta,
    /// What is listed, with a normalized URI; the URI of a template is the template.
    resource: Resource,
    /// The parsed template, if it is one.
    pub(crate) template: Option<UriTemplate>,
    /// Whether clients can subscribe to changes of its contents.
    pub(crate) subscribe: bool,
    /// Lists the resources of a template that exist.
    list: Option<fn(&StateProvider<'_>) -> Vec<Resource>>,
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
            handler,
        })
    }

    /// The errors that would make every read fail; also a variable that a URI may lack
    /// but whose parameter is required.
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

    /// Whether a function lists its resources, so that the list may differ each time.
    pub(crate) fn has_list(&self) -> bool {
        self.list.is_some()
    }

    /// The resources that it adds to the list, in the newest revision.
    pub(crate) fn list(&self, state: &State) -> Vec<Resource> {
        match (self.list, &self.template) {
            (Some(list), _) => list(&StateProvider(state)),
            (None, Some(_)) => Vec::new(),
            (None, None) => vec![self.resource.clone()],
        }
    }

    /// The resource template in the newest revision.
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

/// The contents of a resource; `None` if it does not exist.
type Contents = Option<Vec<ResourceContents>>;

/// What a result gets from the resource and the request.
#[derive(Debug)]
pub(crate) struct ReadContext {
    uri: String,
    mime_type: Option<String>,
    /// How an app is shown, which hosts read from its contents (MCP Apps).
    ui: Option<Value>,
    hints: CacheHints,
    revision: Revision,
}

impl ReadContext {
    /// Completes contents that name no URI with what is known about the resource.
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

    /// The normalized URI, if it differs.
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

    /// Which URIs of a template exist only its handler knows.
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

    /// Adds the members to each of the contents, which have a `_meta` each.
    fn add_meta(value: &mut Contents, members: JsonObject) {
        for contents in value.iter_mut().flatten() {
            let (ResourceContents::Text { meta, .. } | ResourceContents::Blob { meta, .. }) =
                contents;
            merge_meta(meta, members.clone());
        }
    }
}
