//! Panics that might tell a secret: Rust's own report of a panic, on standard error,
//! shows its message, and the user's code may have put anything into that.

use std::cell::Cell;
use std::io::Write;
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::Once;
use std::thread;

thread_local! {
    /// Whether what runs on this thread has secrets.
    static DISCREET: Cell<bool> = const { Cell::new(false) };
}

/// Runs the user's code; a panic of it is reported without its message.
pub(crate) fn discreetly<T>(run: impl FnOnce() -> T) -> T {
    /// Puts back what was there, also when a panic comes through.
    struct Restored(bool);
    impl Drop for Restored {
        fn drop(&mut self) {
            DISCREET.set(self.0);
        }
    }
    install();
    let _restored = Restored(DISCREET.replace(true));
    run()
}

/// Puts our report in front of the hook that is there when the first call with a
/// secret comes; every other panic is left to that one.
fn install() {
    static INSTALLED: Once = Once::new();
    // Nobody may change hooks while a panic goes through the thread; the next call can.
    if thread::panicking() {
        return;
    }
    INSTALLED.call_once(|| {
        let other = take_hook();
        set_hook(Box::new(move |panic| match DISCREET.get() {
            true => report(panic),
            false => other(panic),
        }));
    });
}

fn report(panic: &PanicHookInfo<'_>) {
    let thread = thread::current();
    let name = thread.name().unwrap_or("<unnamed>");
    let place = panic.location().map(ToString::to_string);
    let place = place.unwrap_or_else(|| "an unknown place".to_owned());
    // There is nobody to tell that standard error is closed.
    let _ = writeln!(
        std::io::stderr().lock(),
        "thread '{name}' panicked at {place}:\n\
         what it says is left out, since it ran with secrets"
    );
}
