//! Hides panic messages that may contain a secret.
//!
//! Rust's default panic hook prints the message of a panic to standard error, and user code may put
//! a secret into this message.

use std::cell::Cell;
use std::io::Write;
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::Once;
use std::thread;

thread_local! {
    /// Whether the code that runs on this thread handles secrets.
    static REDACTING: Cell<bool> = const { Cell::new(false) };
}

/// Runs user code. If it panics, the report of the panic does not contain the message.
pub(crate) fn with_redacted_panics<T>(run: impl FnOnce() -> T) -> T {
    /// A guard that restores the previous value, even if a panic unwinds the stack.
    struct RestoreOnDrop(bool);
    impl Drop for RestoreOnDrop {
        fn drop(&mut self) {
            REDACTING.set(self.0);
        }
    }
    install_hook();
    let _restore = RestoreOnDrop(REDACTING.replace(true));
    run()
}

/// Installs a panic hook at the first call with a secret. The previous hook still handles all
/// panics of code without secrets.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    // A hook cannot be set while the thread is panicking. The next call sets the hook.
    if thread::panicking() {
        return;
    }
    INSTALLED.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |panic| match REDACTING.get() {
            true => report(panic),
            false => previous(panic),
        }));
    });
}

fn report(panic: &PanicHookInfo<'_>) {
    let thread = thread::current();
    let name = thread.name().unwrap_or("<unnamed>");
    let location = panic.location().map(ToString::to_string);
    let location = location.unwrap_or_else(|| "an unknown location".to_owned());
    // Ignore the error, because a closed standard error cannot be reported.
    let _ = writeln!(
        std::io::stderr().lock(),
        "thread '{name}' panicked at {location}:\n\
         its message is left out, because the call has secrets"
    );
}
