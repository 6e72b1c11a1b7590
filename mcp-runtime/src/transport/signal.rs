use std::future::Future;
use std::process::Child;

/// Completes when the process receives SIGTERM, and returns the signal's name.
///
/// The signal handler is installed by the call, not by the first poll; otherwise a signal
/// in between would end the process.
#[cfg(unix)]
pub(crate) fn sigterm() -> impl Future<Output = &'static str> {
    use tokio::signal::unix::{SignalKind, signal};

    let stream = signal(SignalKind::terminate());
    async {
        match stream {
            Ok(mut stream) => {
                stream.recv().await;
                "SIGTERM"
            }
            Err(error) => {
                tracing::warn!("SIGTERM cannot be handled: {error}");
                std::future::pending().await
            }
        }
    }
}

#[cfg(not(unix))]
pub(crate) fn sigterm() -> impl Future<Output = &'static str> {
    std::future::pending()
}

/// Sends SIGTERM to a child process; `false` on failure and on other systems than Unix.
///
/// The child must not have been waited for, since its id could belong to another process.
#[cfg(unix)]
pub(crate) fn send_sigterm(child: &Child) -> bool {
    use rustix::process::{Pid, Signal, kill_process};

    kill_process(Pid::from_child(child), Signal::TERM).is_ok()
}

#[cfg(not(unix))]
pub(crate) fn send_sigterm(_: &Child) -> bool {
    false
}

/// Completes when the process receives SIGTERM or Ctrl-C.
#[cfg(feature = "http")]
pub(crate) fn shutdown_signal() -> impl Future<Output = ()> {
    let sigterm = sigterm();
    async {
        tokio::select! {
            _ = sigterm => {}
            Ok(()) = tokio::signal::ctrl_c() => {}
        }
    }
}
