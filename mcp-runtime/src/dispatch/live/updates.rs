use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Audience;

/// Which resources were told of a moment ago, and whether they changed since.
#[derive(Debug, Default)]
pub(super) struct Updates(Mutex<HashMap<String, bool>>);

/// However often a resource changes, a client hears of it once in this time.
const PAUSE: Duration = Duration::from_millis(100);

/// Tells of a change at once, and of all that follow within the pause at its end.
pub(super) fn tell(audience: &Arc<Audience>, updates: &Arc<Updates>, uri: &str) {
    let runtime = tokio::runtime::Handle::try_current();
    let Ok(runtime) = runtime else {
        // Without a clock there is no pause.
        return audience.tell_update(uri);
    };
    if updates.is_recent(uri) {
        return;
    }
    audience.tell_update(uri);
    let (audience, updates) = (Arc::clone(audience), Arc::clone(updates));
    let uri = uri.to_owned();
    runtime.spawn(async move {
        loop {
            tokio::time::sleep(PAUSE).await;
            if !updates.changed_since(&uri) {
                return;
            }
            audience.tell_update(&uri);
        }
    });
}

impl Updates {
    /// Whether the resource was told of a moment ago; if so it counts as changed
    /// since, and if not it is told of now.
    fn is_recent(&self, uri: &str) -> bool {
        let mut recent = self.recent();
        let known = recent.get_mut(uri).map(|changed| *changed = true);
        if known.is_none() {
            recent.insert(uri.to_owned(), false);
        }
        known.is_some()
    }

    /// Whether the resource changed in the pause; without a change it is forgotten.
    fn changed_since(&self, uri: &str) -> bool {
        let mut recent = self.recent();
        let changed = recent.get_mut(uri).is_some_and(std::mem::take);
        if !changed {
            recent.remove(uri);
        }
        changed
    }

    fn recent(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        // Only flags change under the lock, and nothing there panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
