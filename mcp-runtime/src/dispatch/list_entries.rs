//! The sorted and encoded entries of the tool, prompt, resource and resource template lists.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use crate::codec::{self, SerializedList};
use crate::context::State;
use crate::protocol::{Resource, Revision};
use crate::registry::{Definition, DefinitionKind, DefinitionMap, DefinitionMeta, Snapshot};

/// The keys of the definitions that are hidden from a caller.
pub(super) type HiddenKeys = HashSet<Cow<'static, str>>;

/// Returns the entries of a list that depend only on the snapshot. Leaves out the entries of list
/// functions.
pub(super) fn static_entries(
    snapshot: &Snapshot,
    kind: DefinitionKind,
    revision: Revision,
    hidden: Option<&HiddenKeys>,
) -> SerializedList {
    match kind {
        DefinitionKind::Tool => encode(&snapshot.tools, hidden, |out, tool| {
            codec::write_tool(out, tool.to_protocol(), revision);
        }),
        DefinitionKind::Prompt => encode(&snapshot.prompts, hidden, |out, prompt| {
            json(out, &codec::convert_prompt(prompt.to_protocol(), revision));
        }),
        DefinitionKind::Resource => {
            let resources = snapshot.all_resources();
            let resources = resources.filter(|it| !it.has_list() && is_visible(it.meta(), hidden));
            let state = State::default();
            sorted(resources.flat_map(|it| it.list(&state)), revision)
        }
        DefinitionKind::ResourceTemplate => encode(&snapshot.templates, hidden, |out, it| {
            json(
                out,
                &codec::convert_resource_template(it.to_template(), revision),
            );
        }),
    }
}

/// Returns the entries of all resources, including the resources that list functions return.
pub(super) fn resource_entries(
    snapshot: &Snapshot,
    state: &State,
    revision: Revision,
    hidden: Option<&HiddenKeys>,
) -> SerializedList {
    let resources = snapshot.all_resources();
    let visible = resources.filter(|resource| is_visible(resource.meta(), hidden));
    sorted(visible.flat_map(|resource| resource.list(state)), revision)
}

/// Returns a hash of the lists of `kinds`. The hash only changes if clients can see a difference.
pub(super) fn fingerprint(snapshot: &Snapshot, kinds: &[DefinitionKind]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for &kind in kinds {
        let encode = || static_entries(snapshot, kind, Revision::NEWEST, None);
        let entries = snapshot.lists.entries(kind, Revision::NEWEST, encode);
        entries.hash(&mut hasher);
    }
    hasher.finish()
}

fn is_visible(definition: &DefinitionMeta, hidden: Option<&HiddenKeys>) -> bool {
    hidden.is_none_or(|hidden| !hidden.contains(&definition.key))
}

fn sorted(resources: impl Iterator<Item = Resource>, revision: Revision) -> SerializedList {
    let encoded = resources.map(|resource| {
        let (key, mut entry) = (resource.uri.clone(), Vec::new());
        json(&mut entry, &codec::convert_resource(resource, revision));
        (key, entry)
    });
    let mut encoded: Vec<(String, Vec<u8>)> = encoded.collect();
    encoded.sort();
    encoded.dedup_by(|one, other| one.0 == other.0);
    let mut entries = SerializedList::default();
    for (key, entry) in encoded {
        entries.push(key.into(), |out| out.extend_from_slice(&entry));
    }
    entries
}

fn encode<T: Definition>(
    definitions: &DefinitionMap<T>,
    hidden: Option<&HiddenKeys>,
    write: impl Fn(&mut Vec<u8>, &T),
) -> SerializedList {
    let mut entries = SerializedList::with_capacity(definitions.len());
    let visible = definitions
        .iter()
        .filter(|it| is_visible(it.meta(), hidden));
    for definition in visible {
        let key = definition.meta().key.clone();
        entries.push(key, |out| write(out, definition));
    }
    entries
}

/// Serializes a protocol type. This cannot fail, because all keys are strings.
fn json<T: Serialize>(out: &mut Vec<u8>, value: &T) {
    let _ = serde_json::to_writer(out, value);
}
