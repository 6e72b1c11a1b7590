use std::sync::Arc;

use super::builtin_method::RoutedRequest;
use super::core::Core;
use super::cursor;
use super::list_entries::{HiddenKeys, resource_entries, static_entries};
use crate::call::{self, Execution, Reply};
use crate::codec::{self, Payload, SerializedList};
use crate::context::RequestParts;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CacheScope, Revision};
use crate::registry::{DefinitionKind, DefinitionMeta, Snapshot};

/// Handles a list method. The reply contains one page of the sorted list of `kind`.
pub(super) fn list(
    core: &Arc<Core>,
    routed: &RoutedRequest<'_>,
    kind: DefinitionKind,
) -> Execution<Reply> {
    let after = match start_key(routed) {
        Ok(after) => after,
        Err(error) => return Execution::Ready(Err(error)),
    };
    let mut list = ListRequest {
        core: Arc::clone(core),
        snapshot: core.server.registry.snapshot(),
        kind,
        revision: routed.parts.revision,
        hidden: None,
    };
    list.hide_for_caller(routed.parts);
    if kind == DefinitionKind::Resource && !list.snapshot.has_static_lists() {
        // List functions may block, so they run like blocking handlers.
        return Execution::Blocking(Box::new(move || list.dynamic_page(after.as_deref())));
    }
    let page = list.page(list.cached_entries(), after.as_deref());
    Execution::Ready(Ok(Payload::Page(page)))
}

/// Returns the key of the entry after which the page begins.
fn start_key(routed: &RoutedRequest<'_>) -> Result<Option<String>, ErrorObject> {
    #[derive(Default, serde::Deserialize)]
    struct Params {
        #[serde(default)]
        cursor: Option<String>,
    }
    let params: Params = serde_json::from_str(routed.params())
        .map_err(|_| ErrorObject::invalid_params("`cursor` must be a string"))?;
    let Some(cursor) = params.cursor else {
        return Ok(None);
    };
    let unknown = || {
        let cursor = crate::text::truncate(&cursor, 40);
        ErrorObject::invalid_params(format!(
            "unknown cursor `{cursor}`; start again without one"
        ))
    };
    cursor::decode(&cursor).map(Some).ok_or_else(unknown)
}

struct ListRequest {
    core: Arc<Core>,
    snapshot: Arc<Snapshot>,
    kind: DefinitionKind,
    revision: Revision,
    /// The definitions that are hidden from the caller, or `None` if all callers see the same list.
    hidden: Option<HiddenKeys>,
}

impl ListRequest {
    /// Hides the definitions that the caller is not allowed to use.
    fn hide_for_caller(&mut self, parts: &RequestParts<'_>) {
        let server = &self.core.server;
        if server.is_personal(&self.snapshot) {
            let listed = self.snapshot.definitions();
            let hidden = listed
                .filter(|it| is_listed_as(it, self.kind) && !call::is_visible(server, it, parts))
                .map(|it| it.key.clone());
            self.hidden = Some(hidden.collect());
        }
    }

    /// Returns the encoded entries. If all callers see the same list, the snapshot caches the
    /// entries.
    fn cached_entries(&self) -> Arc<SerializedList> {
        let hidden = self.hidden.as_ref();
        let encode = || static_entries(&self.snapshot, self.kind, self.revision, hidden);
        if self.hidden.is_some() {
            return Arc::new(encode());
        }
        self.snapshot
            .lists
            .entries(self.kind, self.revision, encode)
    }

    /// Returns a page of a list, including the resources that list functions return.
    fn dynamic_page(&self, after: Option<&str>) -> Reply {
        let (state, hidden) = (&self.core.server.state, self.hidden.as_ref());
        let encode = || resource_entries(&self.snapshot, state, self.revision, hidden);
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(encode)) {
            Ok(entries) => Ok(Payload::Page(self.page(Arc::new(entries), after))),
            Err(_) => {
                tracing::error!("a function that lists resources panicked");
                Err(ErrorObject::internal())
            }
        }
    }

    fn page(&self, entries: Arc<SerializedList>, after: Option<&str>) -> codec::ListPage {
        let mut hints = self.core.server.cache;
        if self.hidden.is_some() {
            hints.scope = CacheScope::Private;
        }
        let part = (after, self.core.page_size);
        codec::ListPage::new(entries, member(self.kind), part, cursor::encode, hints)
    }
}

/// Checks whether a definition belongs to the list of `kind`. A resource template may also list
/// resources.
fn is_listed_as(definition: &DefinitionMeta, kind: DefinitionKind) -> bool {
    let own = definition.kind;
    own == kind || (kind == DefinitionKind::Resource && own == DefinitionKind::ResourceTemplate)
}

/// Returns the name of the result member that contains the list.
const fn member(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Tool => "tools",
        DefinitionKind::Prompt => "prompts",
        DefinitionKind::Resource => "resources",
        DefinitionKind::ResourceTemplate => "resourceTemplates",
    }
}
