use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use super::table::Routed;
use super::{Dispatcher, cursor};
use crate::call::{self, Reply, Work};
use crate::codec::{self, Entries, Payload};
use crate::context::{RequestScope, State};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CacheScope, Resource, Revision};
use crate::registry::{Defined, Kind, Snapshot};

/// The result of one of the four list methods, sorted, a page at a time.
pub(super) fn list(dispatcher: &Dispatcher, call: &Routed<'_>, kind: Kind) -> Work<Reply> {
    let after = match position(call) {
        Ok(after) => after,
        Err(error) => return Work::Ready(Err(error)),
    };
    let page = Page {
        dispatcher: dispatcher.clone(),
        snapshot: dispatcher.core().service.registry.snapshot(),
        kind,
        revision: call.scope.revision,
        personal: None,
    };
    let page = page.for_caller(call.scope);
    if kind == Kind::Resource && !page.snapshot.resources_are_fixed() {
        // A function of the user's may block, so it runs where bodies do.
        return Work::Blocking(Box::new(move || page.listed(after.as_deref())));
    }
    let listed = page.after(page.kept(), after.as_deref());
    Work::Ready(Ok(Payload::Page(listed)))
}

/// The entry after which the page begins.
fn position(call: &Routed<'_>) -> Result<Option<String>, ErrorObject> {
    #[derive(Default, serde::Deserialize)]
    struct Params {
        #[serde(default)]
        cursor: Option<String>,
    }
    let Some(params) = call.request.params.map(RawValue::get) else {
        return Ok(None);
    };
    let params: Params = serde_json::from_str(params)
        .map_err(|_| ErrorObject::invalid_params("`cursor` must be a string"))?;
    let Some(cursor) = params.cursor else {
        return Ok(None);
    };
    let unknown = || {
        let cursor = crate::text::shortened(&cursor, 40);
        ErrorObject::invalid_params(format!(
            "unknown cursor `{cursor}`; start again without one"
        ))
    };
    cursor::read(&cursor).map(Some).ok_or_else(unknown)
}

struct Page {
    dispatcher: Dispatcher,
    snapshot: Arc<Snapshot>,
    kind: Kind,
    revision: Revision,
    /// What the caller does not see, where lists differ between callers.
    personal: Option<Hidden>,
}

/// Definitions by what they are found by.
type Hidden = HashSet<Cow<'static, str>>;

impl Page {
    /// Leaves out what the caller may not use: to be listed is to be callable.
    fn for_caller(mut self, scope: &RequestScope<'_>) -> Self {
        let service = &self.dispatcher.core().service;
        if service.is_personal(&self.snapshot) {
            let all = self.snapshot.definitions();
            let hidden =
                all.filter(|it| of_kind(*it, self.kind) && !call::sees(service, *it, scope));
            self.personal = Some(hidden.map(|it| it.common().key.clone()).collect());
        }
        self
    }

    /// What is listed, made once a snapshot where it is the same for all.
    fn kept(&self) -> Arc<Entries> {
        let hidden = self.personal.as_ref();
        let make = || fixed(&self.snapshot, self.kind, self.revision, hidden);
        if self.personal.is_some() {
            return Arc::new(make());
        }
        self.snapshot.lists.entries(self.kind, self.revision, make)
    }

    /// A page of a list that is made by functions.
    fn listed(&self, after: Option<&str>) -> Reply {
        let state = &self.dispatcher.core().service.state;
        let hidden = self.personal.as_ref();
        let made = || resources(&self.snapshot, state, self.revision, hidden);
        match std::panic::catch_unwind(std::panic::AssertUnwindSafe(made)) {
            Ok(entries) => Ok(Payload::Page(self.after(Arc::new(entries), after))),
            Err(_) => {
                tracing::error!("a function that lists resources panicked");
                Err(ErrorObject::internal())
            }
        }
    }

    fn after(&self, entries: Arc<Entries>, after: Option<&str>) -> codec::Page {
        let core = self.dispatcher.core();
        let mut hints = core.service.cache;
        if self.personal.is_some() {
            hints.scope = CacheScope::Private;
        }
        let part = (after, core.page_size);
        codec::Page::new(entries, member(self.kind), part, cursor::after, hints)
    }
}

/// Whether a definition is in the list of that kind: families list resources too.
fn of_kind(definition: &dyn Defined, kind: Kind) -> bool {
    match kind {
        Kind::Resource => matches!(definition.kind(), Kind::Resource | Kind::ResourceTemplate),
        kind => definition.kind() == kind,
    }
}

fn is_seen(definition: &dyn Defined, hidden: Option<&Hidden>) -> bool {
    hidden.is_none_or(|hidden| !hidden.contains(&definition.common().key))
}

const fn member(kind: Kind) -> &'static str {
    match kind {
        Kind::Tool => "tools",
        Kind::Prompt => "prompts",
        Kind::Resource => "resources",
        Kind::ResourceTemplate => "resourceTemplates",
    }
}

/// The entries that are the same until another snapshot, sorted.
fn fixed(snapshot: &Snapshot, kind: Kind, revision: Revision, hidden: Option<&Hidden>) -> Entries {
    match kind {
        Kind::Tool => encode(&snapshot.tools, hidden, |out, tool| {
            codec::write_tool(out, tool.to_protocol(), revision);
        }),
        Kind::Prompt => encode(&snapshot.prompts, hidden, |out, prompt| {
            json(out, &codec::prompt(prompt.to_protocol(), revision));
        }),
        Kind::Resource => {
            let fixed = snapshot
                .all_resources()
                .filter(|resource| !resource.lists() && is_seen(&***resource, hidden));
            let nothing = State::default();
            sorted(
                fixed.flat_map(|resource| resource.listed(&nothing)),
                revision,
            )
        }
        Kind::ResourceTemplate => encode(&snapshot.templates, hidden, |out, family| {
            json(
                out,
                &codec::resource_template(family.to_template(), revision),
            );
        }),
    }
}

/// All resources, also those that functions name.
fn resources(
    snapshot: &Snapshot,
    state: &State,
    revision: Revision,
    hidden: Option<&Hidden>,
) -> Entries {
    let all = snapshot
        .all_resources()
        .filter(|resource| is_seen(&***resource, hidden));
    sorted(all.flat_map(|resource| resource.listed(state)), revision)
}

fn sorted(resources: impl Iterator<Item = Resource>, revision: Revision) -> Entries {
    let listed = resources.map(|resource| {
        let (key, mut entry) = (resource.uri.clone(), Vec::new());
        json(&mut entry, &codec::resource(resource, revision));
        (key, entry)
    });
    let mut listed: Vec<(String, Vec<u8>)> = listed.collect();
    listed.sort();
    listed.dedup_by(|one, other| one.0 == other.0);
    let mut entries = Entries::default();
    for (key, entry) in listed {
        entries.push(key.into(), |out| out.extend_from_slice(&entry));
    }
    entries
}

fn encode<T: Defined>(
    shelf: &crate::registry::Shelf<T>,
    hidden: Option<&Hidden>,
    write: impl Fn(&mut Vec<u8>, &T),
) -> Entries {
    let mut entries = Entries::with_capacity(shelf.len());
    let seen = shelf
        .iter()
        .filter(|definition| is_seen(&***definition, hidden));
    for definition in seen {
        let key = definition.common().key.clone();
        entries.push(key, |out| write(out, definition));
    }
    entries
}

/// A wire type holds no maps with odd keys: it always serializes.
fn json<T: Serialize>(out: &mut Vec<u8>, value: &T) {
    let _ = serde_json::to_writer(out, value);
}

/// What a client would see of a list, in short: equal hashes are no news.
pub(super) fn fingerprint(snapshot: &Snapshot, kinds: &[Kind]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for &kind in kinds {
        let make = || fixed(snapshot, kind, Revision::NEWEST, None);
        let entries = snapshot.lists.entries(kind, Revision::NEWEST, make);
        entries.hash(&mut hasher);
    }
    hasher.finish()
}
