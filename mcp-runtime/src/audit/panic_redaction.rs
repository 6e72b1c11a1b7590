//! Hides panic messages that may contain a secret: Rust's default panic hook prints the
//! message to standard error, and user code may put anything into it.

use std::cell::Cell;
use std::io::Write;
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::Once;
use std::thread;

thread_local! {
    /// Whether the code on this thread handles secrets.
    static REDACTING: Cell<bool> = const { Cell::new(false) };
}

/// Runs user code; a panic in it is reported without its message.
pub(crate) fn with_redacted_panics<T>(run: impl FnOnce() -> T) -> T {
    /// Restores the previous value, also when a panic unwinds.
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

/// Installs a hook in front of the one that exists at the first call with a secret. The
/// earlier hook handles all other panics.
fn install_hook() {
    static INSTALLED: Once = Once::new();
    // A hook cannot be set while the thread is panicking; the next call sets it.
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
    // A closed standard error cannot be reported.
    let _ = writeln!(
        std::io::stderr().lock(),
        "thread '{name}' panicked at {location}:\n\
         its message is left out, because the call has secrets"
    );
}
