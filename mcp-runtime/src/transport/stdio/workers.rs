use std::sync::OnceLock;

use tokio::runtime::{Builder, EnterGuard, Handle, Runtime};

/// The runtime that bodies run on.
#[derive(Debug)]
pub(crate) struct Workers {
    /// The one that serves.
    serving: Handle,
    /// Another one for bodies, once it is started; `None` where there is none.
    own: OnceLock<Option<Runtime>>,
}

impl Workers {
    /// The runtime that this is called in.
    pub(crate) fn current() -> Self {
        Self {
            serving: Handle::current(),
            own: OnceLock::from(None),
        }
    }

    /// A runtime of their own, started when it is first needed: a thread for each
    /// processor is most of what a start would cost, and an idle server of its size.
    pub(crate) fn on_demand() -> Self {
        Self {
            serving: Handle::current(),
            own: OnceLock::new(),
        }
    }

    pub(super) fn handle(&self) -> &Handle {
        let own = self.own.get_or_init(|| {
            let started = Builder::new_multi_thread().enable_all().build();
            started
                .inspect_err(|error| tracing::error!("calls share one thread: {error}"))
                .ok()
        });
        own.as_ref().map_or(&self.serving, Runtime::handle)
    }

    /// Lets the thread use the runtime, if it is started.
    pub(super) fn enter_if_started(&self) -> Option<EnterGuard<'_>> {
        self.own.get().map(|_| self.handle().enter())
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // Threads that are stuck in a handler are not waited for.
        if let Some(Some(runtime)) = self.own.take() {
            runtime.shutdown_background();
        }
    }
}
