use serde_json::Value;

use super::{Outcome, Target, merge};
use crate::call::{Reply, Service};
use crate::codec::{self, Payload};
use crate::context::RequestScope;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{
    CacheHints, CacheScope, JsonObject, ReadResourceResult, ResourceContents, Revision,
};
use crate::registry::{Defined, Handler, RegisteredResource, Snapshot};

/// What is read, and how it is answered.
#[derive(Debug)]
pub(crate) struct Reading {
    uri: String,
    mime_type: Option<String>,
    /// How an app wants to be shown, which hosts look for at its contents (MCP Apps).
    ui: Option<Value>,
    hints: CacheHints,
    revision: Revision,
}

impl Reading {
    /// Says of a part that names no other resource what is said of this one.
    fn complete(&self, part: &mut ResourceContents) {
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
        }) = part;
        if !uri.is_empty() {
            return;
        }
        uri.clone_from(&self.uri);
        if mime_type.is_none() {
            mime_type.clone_from(&self.mime_type);
        }
        if let Some(ui) = &self.ui {
            let under = JsonObject::from_iter([("ui".to_owned(), ui.clone())]);
            merge(meta, under);
        }
    }
}

/// The contents, and the `_meta` of their result.
type Contents = Option<Vec<ResourceContents>>;

impl Target for RegisteredResource {
    const METHOD: &'static str = "resources/read";
    const WORD: &'static str = "resource";
    type Value = Contents;
    type Request = String;
    type Shape = Reading;

    fn absent(_: &Service, scope: &RequestScope<'_>, _: &Snapshot, name: &str) -> ErrorObject {
        codec::resource_not_found(scope.revision, name)
    }

    fn bytes(value: &Contents) -> usize {
        let parts = value.iter().flatten();
        parts.map(ResourceContents::content_bytes).sum()
    }

    fn handler(&self) -> &Handler<Outcome<Self>> {
        &self.handler
    }

    fn shape(&self, uri: String, service: &Service, revision: Revision) -> Reading {
        let mut hints = self.cache.unwrap_or(service.cache);
        if service.guards.are_personal() || self.common().is_closed() {
            hints.scope = CacheScope::Private;
        }
        Reading {
            uri,
            mime_type: self.mime_type().map(str::to_owned),
            ui: self.ui(),
            hints,
            revision,
        }
    }

    /// A family does not know which of its URIs exist; its function does.
    fn success(value: Contents, reading: Reading) -> Reply {
        let Some(mut contents) = value else {
            return Err(codec::resource_not_found(reading.revision, &reading.uri));
        };
        for part in &mut contents {
            reading.complete(part);
        }
        let meta = None;
        let result = ReadResourceResult { contents, meta };
        Ok(Payload::ReadResource(result, reading.hints))
    }

    fn is_absent(value: &Contents) -> bool {
        value.is_none()
    }

    /// Contents have a `_meta` each; what the request's handler set is on all of them.
    fn add_meta(value: &mut Contents, under: JsonObject) {
        for part in value.iter_mut().flatten() {
            let (ResourceContents::Text { meta, .. } | ResourceContents::Blob { meta, .. }) = part;
            merge(meta, under.clone());
        }
    }

    fn invalid(text: &str) -> Reply {
        Err(ErrorObject::invalid_params(text.to_owned()))
    }

    fn failure(text: &str) -> Reply {
        Err(ErrorObject::new(ErrorCode::INTERNAL_ERROR, text.to_owned()))
    }
}
