//! In-process clients that use the server from a notification handler.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcp_runtime::client::ServerMessage;
use mcp_runtime::dispatch::DynamicDefinition;
use mcp_runtime::protocol::{Resource, Revision, Tool};
use mcp_runtime::{Client, Dispatcher};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::gate::server;

/// Runs a test on a thread, so that a deadlock fails the test instead of blocking it.
fn with_deadline(test: impl Future<Output = ()> + Send + 'static) {
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

fn resource(uri: &str) -> DynamicDefinition {
    let resource = Resource {
        uri: uri.to_owned(),
        name: uri.to_owned(),
        ..Resource::default()
    };
    DynamicDefinition::resource(resource, |_| async { Ok("text") })
}

async fn connect(revision: Revision) -> (Arc<Client>, Dispatcher) {
    let dispatcher = server().build().unwrap();
    dispatcher.handle().add(resource("made://one")).unwrap();
    let builder = Client::builder().revision(revision);
    let client = builder.connect(dispatcher.clone()).await.unwrap();
    (Arc::new(client), dispatcher)
}

/// Runs `act` for each message of the server; the receiver gets the methods afterwards.
fn act_on_messages<A>(
    client: &Arc<Client>,
    act: impl Fn(Arc<Client>) -> A + Send + Sync + 'static,
) -> UnboundedReceiver<String>
where
    A: Future<Output = ()> + Send + 'static,
{
    let (sender, methods) = unbounded_channel();
    let shared = Arc::downgrade(client);
    client.duplex().set_handler(move |message: ServerMessage| {
        let sender = sender.clone();
        let action = shared.upgrade().map(&act);
        async move {
            if let Some(action) = action {
                action.await;
            }
            sender.send(message.method).unwrap();
            Ok(Value::Null)
        }
    });
    methods
}

const RESOURCES: &str = "notifications/resources/list_changed";
const TOOLS: &str = "notifications/tools/list_changed";

#[test]
fn client_can_subscribe_from_a_notification_handler() {
    with_deadline(async {
        let (client, dispatcher) = connect(Revision::V2025_11_25).await;
        let mut methods = act_on_messages(&client, |client| async move {
            let params = json!({ "uri": "made://two" });
            client.request("resources/subscribe", params).await.unwrap();
        });
        dispatcher.handle().add(resource("made://two")).unwrap();
        assert_eq!(methods.recv().await.unwrap(), RESOURCES);
        dispatcher.handle().resource_updated("made://two");
        assert_eq!(
            methods.recv().await.unwrap(),
            "notifications/resources/updated"
        );
    });
}

#[test]
fn client_can_change_the_server_from_a_notification_handler() {
    with_deadline(async {
        let (client, dispatcher) = connect(Revision::V2025_11_25).await;
        let handle = dispatcher.handle().clone();
        let mut methods = act_on_messages(&client, move |_| {
            handle.enable_tool("add");
            async {}
        });
        assert!(dispatcher.handle().disable_tool("add"));
        assert_eq!(methods.recv().await.unwrap(), TOOLS);
        // Reverting the change notifies again.
        assert_eq!(methods.recv().await.unwrap(), TOOLS);
    });
}

#[test]
fn listening_client_can_change_the_server() {
    with_deadline(async {
        let (client, dispatcher) = connect(Revision::V2026_07_28).await;
        let handle = dispatcher.handle().clone();
        let mut methods = act_on_messages(&client, move |_| {
            handle.disable_tool("add");
            async {}
        });
        let params = json!({ "notifications": { "toolsListChanged": true } });
        let listen = client.request_once("subscriptions/listen", params);
        let receive = async {
            let acknowledged = "notifications/subscriptions/acknowledged";
            assert_eq!(methods.recv().await.unwrap(), acknowledged);
            assert_eq!(methods.recv().await.unwrap(), TOOLS);
        };
        tokio::select! {
            ended = listen => panic!("{ended:?}"),
            () = receive => {}
        }
    });
}

/// A tool that reports progress while it holds the lock.
fn locked(lock: Arc<Mutex<u32>>) -> DynamicDefinition {
    let tool = Tool {
        name: "locked".to_owned(),
        input_schema: json!({ "type": "object" }),
        ..Tool::default()
    };
    DynamicDefinition::tool(tool, move |_, context| {
        let mut count = lock.lock().unwrap();
        for _ in 0..3 {
            *count += 1;
            context.progress(f64::from(*count), None);
        }
        async { Ok("done") }
    })
}

#[test]
fn progress_is_delivered_outside_the_handler_and_before_its_response() {
    with_deadline(async {
        let lock = Arc::new(Mutex::new(0));
        let dispatcher = server().build().unwrap();
        dispatcher.handle().add(locked(Arc::clone(&lock))).unwrap();
        let (sender, received) = channel();
        let builder = Client::builder().on_progress(move |progress| {
            let count = *lock.lock().unwrap();
            sender.send((progress.progress, count)).unwrap();
        });
        let client = builder.connect(dispatcher).await.unwrap();
        client.call::<String>("locked", ()).await.unwrap();
        let received: Vec<_> = received.try_iter().collect();
        assert_eq!(received, [(1.0, 3), (2.0, 3), (3.0, 3)]);
    });
}

#[test]
fn iterator_passed_to_add_all_can_change_the_server() {
    with_deadline(async {
        let (_client, dispatcher) = connect(Revision::V2025_11_25).await;
        let handle = dispatcher.handle();
        let definitions = ["made://two", "made://three"].map(resource);
        let definitions = definitions.into_iter().inspect(|_| {
            handle.disable_tool("add");
        });
        handle.add_all(definitions).unwrap();
    });
}

/// Disables a tool when it is dropped.
struct DisablesOnDrop(Dispatcher);

impl Drop for DisablesOnDrop {
    fn drop(&mut self) {
        self.0.handle().disable_tool("add");
    }
}

#[test]
fn dropping_a_handler_can_change_the_server() {
    with_deadline(async {
        let (client, dispatcher) = connect(Revision::V2025_11_25).await;
        let guard = DisablesOnDrop(dispatcher.clone());
        let two = Resource {
            uri: "made://two".to_owned(),
            name: "two".to_owned(),
            ..Resource::default()
        };
        let two = DynamicDefinition::resource(two, move |_| {
            let _guard = &guard;
            async { Ok("text") }
        });
        dispatcher.handle().add(two).unwrap();
        assert!(dispatcher.handle().remove_resource("made://two"));
        // The dispatcher keeps the previous definitions until the next change.
        dispatcher.handle().add(resource("made://three")).unwrap();
        let tools = client.list_tools().await.unwrap();
        assert!(tools.iter().all(|tool| tool.name != "add"));
    });
}

#[test]
fn client_outlives_the_runtime_it_was_created_in() {
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
