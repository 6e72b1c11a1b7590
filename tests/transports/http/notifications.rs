//! Progress, list changes and listen streams.

use std::time::Duration;

use mcp_runtime::transport::HttpOptions;
use serde_json::{Value, json};
use support::wire::Revision;

use crate::http::gated_tools::{start_server, start_server_with};
use support::http_client::{HttpClient, request_meta};
use support::http_connection::SseEvent;

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

#[test]
fn progress_is_sent_on_the_stream_of_its_request() {
    let server = start_server();
    for revision in Revision::ALL {
        let mut client = HttpClient::initialized(&server, revision);
        let mut call = client.new_call("report", json!({}));
        call["params"]["_meta"]["progressToken"] = "t".into();
        client.send(&call, &[]);
        assert!(client.connection.read_head().is_stream());
        let mut messages = Vec::new();
        while let Some(SseEvent { id, data, .. }) = client.connection.next_event() {
            assert_eq!(id.is_some(), revision.is_legacy());
            let data = data.unwrap();
            if !data.is_empty() {
                messages.push(client.check(&data));
            }
        }
        let progress: Vec<_> = messages
            .iter()
            .map(|it| &it["params"]["progress"])
            .collect();
        assert_eq!(progress, [&json!(1), &json!(2), &json!(3), &Value::Null]);
        assert_eq!(messages[3]["id"], call["id"]);
    }
}

#[test]
fn response_without_progress_is_not_streamed() {
    let server = start_server();
    for revision in Revision::ALL {
        let mut client = HttpClient::initialized(&server, revision);
        let call = json!({ "name": "report", "arguments": {} });
        assert_eq!(client.request("tools/call", call).0, 200);
    }
}

fn listen(client: &mut HttpClient) -> Value {
    listen_to(client, json!({ "toolsListChanged": true }))
}

/// Opens a listen stream and checks that the acknowledgement comes first.
fn listen_to(client: &mut HttpClient, wanted: Value) -> Value {
    let params = json!({ "notifications": wanted, "_meta": request_meta() });
    let request = client.new_request("subscriptions/listen", params);
    client.send(&request, &[]);
    assert!(client.connection.read_head().is_stream());
    let (event, ack) = client.next_message().unwrap();
    assert_eq!(event.id, None);
    assert_eq!(ack["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(ack["params"]["_meta"][SUBSCRIPTION], request["id"]);
    assert_eq!(ack["params"]["notifications"], wanted);
    request["id"].clone()
}

#[test]
fn list_change_is_sent_to_listeners() {
    let server = start_server();
    let mut modern = HttpClient::initialized(&server, Revision::V2026_07_28);
    let id = listen(&mut modern);
    let mut legacy = HttpClient::initialized(&server, Revision::V2025_06_18);
    assert!(legacy.open_stream(&[]).is_stream());
    assert!(
        server
            .endpoint
            .dispatcher()
            .handle()
            .disable_tool("nothing")
    );
    for (client, id) in [(&mut modern, id), (&mut legacy, Value::Null)] {
        let (_, notification) = client.next_message().unwrap();
        assert_eq!(notification["method"], "notifications/tools/list_changed");
        assert_eq!(notification["params"]["_meta"][SUBSCRIPTION], id);
    }
}

#[test]
fn list_change_is_kept_for_a_disconnected_session() {
    let server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2025_06_18);
    assert!(
        server
            .endpoint
            .dispatcher()
            .handle()
            .disable_tool("nothing")
    );
    assert!(client.open_stream(&[]).is_stream());
    let (event, notification) = client.next_message().unwrap();
    assert_eq!(notification["method"], "notifications/tools/list_changed");
    client.reconnect(&server).close();
    assert!(server.endpoint.dispatcher().handle().enable_tool("nothing"));
    assert!(
        client
            .open_stream(&[("Last-Event-ID", &event.id.unwrap())])
            .is_stream()
    );
    let (_, notification) = client.next_message().unwrap();
    assert_eq!(notification["method"], "notifications/tools/list_changed");
}

#[test]
fn listen_stream_gets_its_result_on_shutdown() {
    let mut server = start_server();
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let id = listen(&mut client);
    server.stop();
    let (_, last) = client.next_message().unwrap();
    assert_eq!(
        (&last["id"], &last["result"]["resultType"]),
        (&id, &json!("complete"))
    );
    assert_eq!(client.next_message(), None);
    server.wait_for_exit();
}

#[test]
fn each_listener_gets_its_notifications_under_its_own_id() {
    let server = start_server();
    let tools = json!({ "toolsListChanged": true });
    let prompts = json!({ "promptsListChanged": true });
    let both = json!({ "toolsListChanged": true, "promptsListChanged": true });
    let mut listeners: Vec<_> = [tools.clone(), prompts, both, tools]
        .into_iter()
        .map(|wanted| {
            let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
            // Use up ids, so that every listener has a different one.
            for _ in 0..server.endpoint.stream_count() {
                client.new_request("ping", json!({}));
            }
            let id = listen_to(&mut client, wanted);
            (client, id)
        })
        .collect();
    assert_eq!(server.endpoint.stream_count(), 4);
    let handle = server.endpoint.dispatcher().handle();
    assert!(handle.disable_prompt("greet"));
    assert!(handle.disable_tool("nothing"));
    let tools = "notifications/tools/list_changed";
    let prompts = "notifications/prompts/list_changed";
    let expected: [&[&str]; 4] = [&[tools], &[prompts], &[prompts, tools], &[tools]];
    for ((client, id), expected) in listeners.iter_mut().zip(expected) {
        for method in expected {
            let (event, notification) = client.next_message().unwrap();
            assert_eq!(notification["method"], *method);
            assert_eq!(notification["params"]["_meta"][SUBSCRIPTION], *id);
            assert_eq!(event.id, None);
        }
    }
    server.endpoint.close_listen_streams();
    for (client, id) in &mut listeners {
        let (_, last) = client.next_message().unwrap();
        assert_eq!(last["id"], *id);
        assert_eq!(client.next_message(), None);
    }
    server.wait_for_no_streams();
}

#[test]
fn idle_stream_gets_keep_alive_comments() {
    let server = start_server_with(HttpOptions::new().keep_alive(Duration::from_millis(10)));
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    listen(&mut client);
    for _ in 0..3 {
        assert_eq!(client.connection.next_block(), Some(SseEvent::default()));
    }
    assert!(
        server
            .endpoint
            .dispatcher()
            .handle()
            .disable_tool("nothing")
    );
    assert!(client.next_message().is_some());
}

#[test]
fn disconnected_listener_leaves_nothing_behind() {
    let server = start_server();
    for _ in 0..20 {
        let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
        listen(&mut client);
        client.connection.close();
    }
    server.wait_for_no_streams();
    // Only connected listeners are notified.
    let mut client = HttpClient::initialized(&server, Revision::V2026_07_28);
    let id = listen(&mut client);
    assert!(
        server
            .endpoint
            .dispatcher()
            .handle()
            .disable_tool("nothing")
    );
    assert_eq!(
        client.next_message().unwrap().1["params"]["_meta"][SUBSCRIPTION],
        id
    );
    assert_eq!(server.endpoint.stream_count(), 1);
}
