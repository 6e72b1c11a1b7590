use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::subscribers::Subscribers;

/// The resources that clients were notified of within the last [`PAUSE`], each with
/// whether it changed since.
#[derive(Debug, Default)]
pub(super) struct UpdateThrottle(Mutex<HashMap<String, bool>>);

/// The minimum time between two notifications about the same resource.
const PAUSE: Duration = Duration::from_millis(100);

/// Sends the first update at once, and those within the pause as one at its end.
///
/// Outside of a tokio runtime every update is sent at once.
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
    /// Whether clients were notified of the resource recently; if so it is marked as
    /// changed, otherwise it is recent from now on.
    fn is_recent(&self, uri: &str) -> bool {
        let mut recent = self.recent();
        let known = recent.get_mut(uri).map(|changed| *changed = true);
        if known.is_none() {
            recent.insert(uri.to_owned(), false);
        }
        known.is_some()
    }

    /// Whether the resource changed in the pause; if not it is no longer recent.
    fn take_changed(&self, uri: &str) -> bool {
        let mut recent = self.recent();
        let changed = recent.get_mut(uri).is_some_and(std::mem::take);
        if !changed {
            recent.remove(uri);
        }
        changed
    }

    fn recent(&self) -> MutexGuard<'_, HashMap<String, bool>> {
        // Nothing panics while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
