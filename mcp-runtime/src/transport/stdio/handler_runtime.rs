use std::sync::OnceLock;

use tokio::runtime::{Builder, EnterGuard, Handle, Runtime};

/// The tokio runtime that handlers run on.
#[derive(Debug)]
pub(crate) struct HandlerRuntime {
    /// The runtime that serves.
    serving: Handle,
    /// A separate runtime for handlers, once started; `None` uses `serving`.
    own: OnceLock<Option<Runtime>>,
    /// Whether handlers can block the thread that controls the server.
    shared: bool,
}

impl HandlerRuntime {
    /// Uses the current runtime.
    pub(crate) fn current() -> Self {
        Self {
            serving: Handle::current(),
            own: OnceLock::from(None),
            shared: true,
        }
    }

    /// Uses a runtime that another thread than the current one drives.
    pub(crate) fn separate(runtime: &Runtime) -> Self {
        Self {
            serving: runtime.handle().clone(),
            own: OnceLock::from(None),
            shared: false,
        }
    }

    /// Whether handlers can block the thread that controls the server.
    pub(super) fn is_shared(&self) -> bool {
        self.shared
    }

    /// Starts a separate multi-threaded runtime on first use.
    ///
    /// Its threads would take most of a server's start time, and of an idle server's memory.
    pub(crate) fn on_demand() -> Self {
        Self {
            serving: Handle::current(),
            own: OnceLock::new(),
            shared: false,
        }
    }

    pub(super) fn handle(&self) -> &Handle {
        let own = self.own.get_or_init(|| {
            let started = Builder::new_multi_thread().enable_all().build();
            started
                .inspect_err(|error| {
                    tracing::error!(
                        "the handler runtime could not start, so calls share one thread: {error}"
                    );
                })
                .ok()
        });
        own.as_ref().map_or(&self.serving, Runtime::handle)
    }

    /// Enters the runtime on this thread, if it is started.
    pub(super) fn enter_if_started(&self) -> Option<EnterGuard<'_>> {
        self.own.get().map(|_| self.handle().enter())
    }
}

impl Drop for HandlerRuntime {
    fn drop(&mut self) {
        // Does not wait for threads that are blocked in a handler.
        if let Some(Some(runtime)) = self.own.take() {
            runtime.shutdown_background();
        }
    }
}
