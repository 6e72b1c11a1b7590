use std::future::Future;
use std::process::Child;

/// Completes when the process is told to stop.
///
/// The signal is waited for from the call on, not from the first poll: what
/// comes in between would otherwise end the process at once.
#[cfg(unix)]
pub(crate) fn terminated() -> impl Future<Output = &'static str> {
    use tokio::signal::unix::{SignalKind, signal};

    let waiting = signal(SignalKind::terminate());
    async {
        match waiting {
            Ok(mut terminate) => {
                terminate.recv().await;
                "SIGTERM"
            }
            Err(error) => {
                tracing::warn!("SIGTERM will not be waited for: {error}");
                std::future::pending().await
            }
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn terminated() -> impl Future<Output = &'static str> {
    std::future::pending()
}

/// Asks a process to stop that was not waited for yet; `false` where it cannot be asked.
#[cfg(unix)]
pub(crate) fn terminate(child: &Child) -> bool {
    use rustix::process::{Pid, Signal, kill_process};

    kill_process(Pid::from_child(child), Signal::TERM).is_ok()
}

#[cfg(not(unix))]
pub(crate) fn terminate(_: &Child) -> bool {
    false
}

/// Completes when the process, or the person before it, is told to stop.
#[cfg(feature = "http")]
pub(crate) fn stopped() -> impl Future<Output = ()> {
    let terminated = terminated();
    async {
        tokio::select! {
            _ = terminated => {}
            Ok(()) = tokio::signal::ctrl_c() => {}
        }
    }
}
