use std::borrow::Cow;

use serde_json::Value;

use super::common::{Common, Defined, Handler, Kind};
use super::prompt::strings;
use super::{Definition, ResourceDescriptor};
use crate::context::State;
use crate::error::Error;
use crate::handler::Lender;
use crate::output::ResourceOutcome;
use crate::protocol::{CacheHints, Resource, ResourceTemplate};
use crate::uri_template::UriTemplate;

/// A resource in service, or a family of them.
#[derive(Debug)]
pub(crate) struct RegisteredResource {
    common: Common,
    form: Form,
    /// What its URIs look like, if it is a family.
    pub(crate) template: Option<UriTemplate>,
    /// Whether clients can be told when its contents change.
    pub(crate) subscribe: bool,
    pub(crate) cache: Option<CacheHints>,
    pub(crate) handler: Handler<ResourceOutcome>,
}

#[derive(Debug)]
enum Form {
    Linked(&'static ResourceDescriptor),
    One(Box<Resource>),
    Family(Box<ResourceTemplate>),
}

impl Defined for RegisteredResource {
    fn kind(&self) -> Kind {
        match &self.template {
            Some(_) => Kind::ResourceTemplate,
            None => Kind::Resource,
        }
    }
    fn common(&self) -> &Common {
        &self.common
    }
    fn common_mut(&mut self) -> &mut Common {
        &mut self.common
    }
}

impl RegisteredResource {
    pub(super) fn linked(descriptor: &'static ResourceDescriptor) -> Result<Self, Error> {
        let mut common = Common::linked(&descriptor.definition, descriptor.uri);
        common.policy = descriptor.policy;
        Ok(Self {
            common,
            template: template(descriptor.uri)?,
            subscribe: descriptor.subscribe,
            cache: descriptor.cache,
            form: Form::Linked(descriptor),
            handler: Handler::Linked(descriptor.prepare),
        })
    }

    pub(crate) fn made(resource: Resource, handler: Handler<ResourceOutcome>) -> Self {
        let (uri, name) = (resource.uri.clone(), resource.name.clone());
        Self {
            common: Common::made(uri, name, strings([].into_iter())),
            template: None,
            subscribe: true,
            cache: None,
            form: Form::One(Box::new(resource)),
            handler,
        }
    }

    pub(crate) fn made_family(
        family: ResourceTemplate,
        handler: Handler<ResourceOutcome>,
    ) -> Result<Self, Error> {
        let (uri, name) = (family.uri_template.clone(), family.name.clone());
        let parsed = parse(&uri)?;
        let variables = parsed.variables().map(|name| (name, parsed.requires(name)));
        Ok(Self {
            common: Common::made(uri, name, strings(variables)),
            template: Some(parsed),
            subscribe: true,
            cache: None,
            form: Form::Family(Box::new(family)),
            handler,
        })
    }

    /// An error for each way in which it contradicts itself: a variable that a
    /// URI may lack needs a parameter that may be absent.
    pub(super) fn contradictions(&self) -> Vec<Error> {
        let kind = self.kind();
        let mut errors: Vec<Error> = self.common.contradictions(kind).collect();
        let Some(template) = &self.template else {
            return errors;
        };
        let parameters = self.common.arguments.parameters.iter();
        let lacking = parameters
            .filter(|parameter| parameter.is_required() && !template.requires(parameter.name()));
        errors.extend(lacking.map(|parameter| Error::Contradiction {
            kind: kind.word(),
            name: self.common.name.clone().into_owned(),
            location: self.common.location,
            problem: format!(
                "a URI may lack the variable `{}`; make the parameter an `Option`",
                parameter.name()
            ),
        }));
        errors
    }

    /// The type of its contents.
    pub(crate) fn mime_type(&self) -> Option<&str> {
        match &self.form {
            Form::Linked(descriptor) => descriptor.mime_type,
            Form::One(resource) => resource.mime_type.as_deref(),
            Form::Family(family) => family.mime_type.as_deref(),
        }
    }

    /// What its `_meta` says of how an app is shown.
    pub(crate) fn ui(&self) -> Option<Value> {
        let meta = match &self.form {
            Form::Linked(descriptor) => descriptor.definition.meta.map(|meta| meta()),
            Form::One(resource) => resource.meta.clone(),
            Form::Family(family) => family.meta.clone(),
        };
        meta?.remove("ui")
    }

    /// Whether its list is made by a function, and may differ at each time.
    pub(crate) fn lists(&self) -> bool {
        matches!(&self.form, Form::Linked(descriptor) if descriptor.list.is_some())
    }

    /// The resources that it adds to the list, as the newest revision has them.
    pub(crate) fn listed(&self, state: &State) -> Vec<Resource> {
        let descriptor = match &self.form {
            Form::Linked(descriptor) => descriptor,
            Form::One(resource) => return vec![resource.as_ref().clone()],
            Form::Family(_) => return Vec::new(),
        };
        if let Some(list) = descriptor.list {
            return list(&Lender(state));
        }
        if self.template.is_some() {
            return Vec::new();
        }
        let ResourceTemplate {
            uri_template,
            name,
            title,
            description,
            mime_type,
            annotations,
            icons,
            meta,
        } = described(descriptor);
        vec![Resource {
            uri: uri_template,
            name,
            title,
            description,
            mime_type,
            size: descriptor.size,
            annotations,
            icons,
            meta,
        }]
    }

    /// The family as the newest revision lists it.
    pub(crate) fn to_template(&self) -> ResourceTemplate {
        match &self.form {
            Form::Linked(descriptor) => described(descriptor),
            Form::Family(family) => family.as_ref().clone(),
            // Fixed resources are on another shelf.
            Form::One(_) => ResourceTemplate::default(),
        }
    }
}

fn described(descriptor: &ResourceDescriptor) -> ResourceTemplate {
    let definition = &descriptor.definition;
    let Definition {
        name,
        title,
        icons,
        meta,
        ..
    } = definition;
    ResourceTemplate {
        uri_template: descriptor.uri.to_owned(),
        name: (*name).to_owned(),
        title: title.map(str::to_owned),
        description: Some(definition.told()),
        mime_type: descriptor.mime_type.map(str::to_owned),
        annotations: descriptor.annotations.map(|annotations| annotations()),
        icons: icons(),
        meta: meta.map(|meta| meta()),
    }
}

fn template(uri: &str) -> Result<Option<UriTemplate>, Error> {
    match uri.contains('{') {
        true => parse(uri).map(Some),
        false => Ok(None),
    }
}

fn parse(uri: &str) -> Result<UriTemplate, Error> {
    uri.parse().map_err(|problem| Error::UriTemplate {
        template: Cow::Borrowed(uri).into_owned(),
        problem,
    })
}
