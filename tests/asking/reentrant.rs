//! Clients in the process of their server that act on what they are told.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_runtime::protocol::{Resource, Revision, Tool};
use mcp_runtime::{Added, Client, Dispatcher, ServerMessage};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::gate::server;

/// Runs it in a thread that may be stuck without holding up the tests.
fn unstuck(test: impl Future<Output = ()> + Send + 'static) {
    let (done, ended) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(test);
        done.send(()).unwrap();
    });
    ended.recv_timeout(Duration::from_secs(20)).expect("an end");
}

fn resource(uri: &str) -> Added {
    let resource = Resource {
        uri: uri.to_owned(),
        name: uri.to_owned(),
        ..Resource::default()
    };
    Added::resource(resource, |_| async { Ok("text") })
}

async fn connect(revision: Revision) -> (Arc<Client>, Dispatcher) {
    let dispatcher = server().build().unwrap();
    dispatcher.handle().add(resource("made://one")).unwrap();
    let builder = Client::builder().revision(revision);
    let client = builder.connect(dispatcher.clone()).await.unwrap();
    (Arc::new(client), dispatcher)
}

/// Lets the client do `act` with each message, and tells the methods afterwards.
fn act<A>(
    client: &Arc<Client>,
    act: impl Fn(Arc<Client>) -> A + Send + Sync + 'static,
) -> UnboundedReceiver<String>
where
    A: Future<Output = ()> + Send + 'static,
{
    let (acted, heard) = unbounded_channel();
    let shared = Arc::downgrade(client);
    client.duplex().set_handler(move |message: ServerMessage| {
        let acted = acted.clone();
        let done = shared.upgrade().map(&act);
        async move {
            if let Some(done) = done {
                done.await;
            }
            acted.send(message.method).unwrap();
            Ok(Value::Null)
        }
    });
    heard
}

const RESOURCES: &str = "notifications/resources/list_changed";
const TOOLS: &str = "notifications/tools/list_changed";

#[test]
fn a_client_may_ask_for_more_when_it_is_told_of_a_change() {
    unstuck(async {
        let (client, dispatcher) = connect(Revision::V2025_11_25).await;
        let mut heard = act(&client, |client| async move {
            let params = json!({ "uri": "made://two" });
            client.request("resources/subscribe", params).await.unwrap();
        });
        dispatcher.handle().add(resource("made://two")).unwrap();
        assert_eq!(heard.recv().await.unwrap(), RESOURCES);
        dispatcher.handle().resource_updated("made://two");
        assert_eq!(
            heard.recv().await.unwrap(),
            "notifications/resources/updated"
        );
    });
}

#[test]
fn a_client_may_change_the_server_when_it_is_told_of_a_change() {
    unstuck(async {
        let (client, dispatcher) = connect(Revision::V2025_11_25).await;
        let handle = dispatcher.handle().clone();
        let mut heard = act(&client, move |_| {
            handle.enable_tool("add");
            async {}
        });
        assert!(dispatcher.handle().disable_tool("add"));
        assert_eq!(heard.recv().await.unwrap(), TOOLS);
        // The change back is told as well.
        assert_eq!(heard.recv().await.unwrap(), TOOLS);
    });
}

#[test]
fn a_client_that_listens_may_change_the_server() {
    unstuck(async {
        let (client, dispatcher) = connect(Revision::V2026_07_28).await;
        let handle = dispatcher.handle().clone();
        let mut heard = act(&client, move |_| {
            handle.disable_tool("add");
            async {}
        });
        let params = json!({ "notifications": { "toolsListChanged": true } });
        let listen = client.exchange("subscriptions/listen", params);
        let hear = async {
            let acknowledged = "notifications/subscriptions/acknowledged";
            assert_eq!(heard.recv().await.unwrap(), acknowledged);
            assert_eq!(heard.recv().await.unwrap(), TOOLS);
        };
        tokio::select! {
            ended = listen => panic!("{ended:?}"),
            () = hear => {}
        }
    });
}

/// A tool that tells how far it is while nobody else may have the lock.
fn locked(lock: Arc<Mutex<u32>>) -> Added {
    let tool = Tool {
        name: "locked".to_owned(),
        input_schema: json!({ "type": "object" }),
        ..Tool::default()
    };
    Added::tool(tool, move |_, context| {
        let mut count = lock.lock().unwrap();
        for _ in 0..3 {
            *count += 1;
            context.progress(f64::from(*count), None);
        }
        async { Ok("done") }
    })
}

#[test]
fn what_a_body_tells_is_handled_outside_of_it_and_before_its_reply() {
    unstuck(async {
        let lock = Arc::new(Mutex::new(0));
        let dispatcher = server().build().unwrap();
        dispatcher.handle().add(locked(Arc::clone(&lock))).unwrap();
        let (shown, told) = channel();
        let builder = Client::builder().on_progress(move |progress| {
            let count = *lock.lock().unwrap();
            shown.send((progress.progress, count)).unwrap();
        });
        let client = builder.connect(dispatcher).await.unwrap();
        client.call::<String>("locked", ()).await.unwrap();
        let told: Vec<_> = told.try_iter().collect();
        assert_eq!(told, [(1.0, 3), (2.0, 3), (3.0, 3)]);
    });
}

#[test]
fn what_makes_additions_may_itself_change_the_server() {
    unstuck(async {
        let (_client, dispatcher) = connect(Revision::V2025_11_25).await;
        let handle = dispatcher.handle();
        let made = ["made://two", "made://three"].map(resource);
        let made = made.into_iter().inspect(|_| {
            handle.disable_tool("add");
        });
        handle.add_all(made).unwrap();
    });
}

/// Switches a tool off with its end.
struct Last(Dispatcher);

impl Drop for Last {
    fn drop(&mut self) {
        self.0.handle().disable_tool("add");
    }
}

#[test]
fn the_end_of_a_handler_may_change_the_server() {
    unstuck(async {
        let (client, dispatcher) = connect(Revision::V2025_11_25).await;
        let last = Last(dispatcher.clone());
        let two = Resource {
            uri: "made://two".to_owned(),
            name: "two".to_owned(),
            ..Resource::default()
        };
        let two = Added::resource(two, move |_| {
            let _kept = &last;
            async { Ok("text") }
        });
        dispatcher.handle().add(two).unwrap();
        assert!(dispatcher.handle().remove_resource("made://two"));
        // Until something else is known, the last list is kept in its place.
        dispatcher.handle().add(resource("made://three")).unwrap();
        let tools = client.list_tools().await.unwrap();
        assert!(tools.iter().all(|tool| tool.name != "add"));
    });
}

#[test]
fn a_client_outlives_the_runtime_that_it_was_made_in() {
    let runtime = || tokio::runtime::Runtime::new().unwrap();
    let first = runtime();
    let (client, dispatcher) = first.block_on(connect(Revision::V2025_11_25));
    first.shutdown_background();
    runtime().block_on(async {
        for uri in ["made://two", "made://three"] {
            dispatcher.handle().add(resource(uri)).unwrap();
            let listed = client.list_resources();
            let listed = tokio::time::timeout(Duration::from_secs(20), listed);
            let listed = listed.await.unwrap().unwrap();
            assert!(listed.iter().any(|it| it.uri == uri));
        }
    });
}
