use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::subscribers::Subscribers;

/// The resources with an update notification within the last [`PAUSE`]. The value is whether the
/// resource has changed since then.
#[derive(Debug, Default)]
pub(super) struct UpdateThrottle(Mutex<HashMap<String, bool>>);

/// The minimum time between two update notifications for the same resource.
const PAUSE: Duration = Duration::from_millis(100);

/// Sends the first update of a resource immediately, and combines all updates within [`PAUSE`] into
/// one notification at its end.
///
/// Outside a tokio runtime, it sends every update immediately.
pub(super) fn notify_throttled(
    subscribers: &Arc<Subscribers>,
    throttle: &Arc<UpdateThrottle>,
    uri: &str,
) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return subscribers.notify_update(uri);
    };
    if throttle.is_recent(uri) {
        return;
    }
    subscribers.notify_update(uri);
    let (subscribers, throttle) = (Arc::clone(subscribers), Arc::clone(throttle));
    let uri = uri.to_owned();
    runtime.spawn(async move {
        loop {
            tokio::time::sleep(PAUSE).await;
            if !throttle.take_changed(&uri) {
                return;
            }
            subscribers.notify_update(&uri);
        }
    });
}

impl UpdateThrottle {
    /// Checks whether clients were notified of the resource recently. If so, marks the resource as
    /// changed. Otherwise, adds it to the recent resources.
    fn is_recent(&self, uri: &str) -> bool {
        let mut recent = self.recent();
        let known = recent.get_mut(uri).map(|changed| *changed = true);
        if known.is_none() {
            recent.insert(uri.to_owned(), false);
        }
        known.is_some()
    }

    /// Checks whether the resource changed during the pause. If not, removes it from the recent
    /// resources.
    fn take_changed(&self, uri: &str) -> bool {
        let mut recent = self.recent();
        let changed = recent.get_mut(uri).is_some_and(std::mem::take);
        if !changed {
            recent.remove(uri);
        }
        changed
    }

    fn recent(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        // No code panics while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
