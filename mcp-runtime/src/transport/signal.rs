/// Completes when the process is told to stop.
#[cfg(unix)]
pub(crate) async fn terminated() -> &'static str {
    use tokio::signal::unix::{SignalKind, signal};

    match signal(SignalKind::terminate()) {
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

#[cfg(not(unix))]
pub(crate) async fn terminated() -> &'static str {
    std::future::pending().await
}

/// Completes when the process, or the person before it, is told to stop.
#[cfg(feature = "http")]
pub(crate) async fn stopped() {
    tokio::select! {
        _ = terminated() => {}
        Ok(()) = tokio::signal::ctrl_c() => {}
    }
}
