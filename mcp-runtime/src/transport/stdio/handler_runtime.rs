use std::sync::OnceLock;

use tokio::runtime::{Builder, EnterGuard, Handle, Runtime};

/// The tokio runtime that handlers run on.
#[derive(Debug)]
pub(crate) struct HandlerRuntime {
    /// The runtime on which handlers run if `own` is `None`.
    serving: Handle,
    /// The separate runtime for handlers, once it has started.
    own: OnceLock<Option<Runtime>>,
    /// Whether handlers run on the runtime of the server, and can therefore block it.
    shared: bool,
}

impl HandlerRuntime {
    /// Runs handlers on the current runtime.
    pub(crate) fn current() -> Self {
        Self {
            serving: Handle::current(),
            own: OnceLock::from(None),
            shared: true,
        }
    }

    /// Runs handlers on a runtime that does not run on the current thread.
    pub(crate) fn separate(runtime: &Runtime) -> Self {
        Self {
            serving: runtime.handle().clone(),
            own: OnceLock::from(None),
            shared: false,
        }
    }

    /// Whether handlers run on the runtime of the server, and can therefore block it.
    pub(super) fn is_shared(&self) -> bool {
        self.shared
    }

    /// Runs handlers on a separate multi-threaded runtime, which starts on first use.
    ///
    /// The threads of this runtime would take most of the server's start time and most of the
    /// memory of an idle server.
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

    /// Enters the runtime on this thread if the runtime has started.
    pub(super) fn enter_if_started(&self) -> Option<EnterGuard<'_>> {
        self.own.get().map(|_| self.handle().enter())
    }
}

impl Drop for HandlerRuntime {
    fn drop(&mut self) {
        // This call does not wait for threads that are blocked in a handler.
        if let Some(Some(runtime)) = self.own.take() {
            runtime.shutdown_background();
        }
    }
}
