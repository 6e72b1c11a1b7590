//! Hostile messages to every example, except those with their own test binary.

#[allow(dead_code, reason = "an example has its own `main`")]
#[path = "../examples/axum.rs"]
mod beside_axum;
#[allow(dead_code, reason = "an example has its own `main`")]
#[path = "../examples/booking.rs"]
mod booking;
#[path = "../examples/everything/content.rs"]
mod content;
#[path = "../examples/everything/forms.rs"]
mod forms;
#[path = "../examples/everything/input_requests.rs"]
mod input_requests;
#[allow(dead_code, reason = "an example has its own `main`")]
#[path = "../examples/library.rs"]
mod library;
#[path = "../examples/everything/list_changes.rs"]
mod list_changes;
#[allow(dead_code, reason = "an example has its own `main`")]
#[path = "../examples/notes.rs"]
mod notes;
#[path = "../examples/everything/notifications.rs"]
mod notifications;
#[path = "../examples/everything/prompts.rs"]
mod prompts;
#[path = "../examples/everything/resources.rs"]
mod resources;
#[path = "../examples/everything/tasks.rs"]
mod tasks;
#[path = "../examples/everything/transport.rs"]
mod transport;

use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::{Server, testing};

/// A resource that only the torture reads.
#[mcp_runtime::resource("file://{+path}")]
fn any_file(path: String) -> String {
    READ.fetch_add(1, Ordering::SeqCst);
    path
}

static READ: AtomicUsize = AtomicUsize::new(0);

#[tokio::test]
async fn examples_pass_torture() {
    let server = Server::new("examples", "1.0.0")
        .state(list_changes::Switches::default())
        .state(notes::Db::open(":memory:").unwrap());
    let report = testing::torture(&server.build().unwrap());
    assert_eq!(report.problems().count(), 0, "{report}");
    // No handler ran.
    assert_eq!(READ.load(Ordering::SeqCst), 0);
    let report = report.to_string();
    for tool in [
        "add",
        "add_note",
        "book_train",
        "count_words",
        "test_simple_text",
    ] {
        assert!(report.contains(&format!("\"{tool}\"")), "{tool}");
    }
}
