use std::future::Future;

/// Waits until the process receives SIGTERM, and returns the signal's name.
///
/// The function installs the signal handler before it returns the future. Otherwise a signal before
/// the first poll would end the process.
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

/// Waits until the process receives SIGTERM or Ctrl-C.
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
