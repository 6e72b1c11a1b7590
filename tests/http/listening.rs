//! What a server tells without being asked, and while it is at work.

use std::time::Duration;

use mcp_runtime::HttpOptions;
use serde_json::{Value, json};
use wire::Revision;

use crate::caller::{ALL, Caller, claim};
use crate::host::Host;
use crate::line::Event;

const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

#[test]
fn progress_is_told_on_the_stream_of_its_request() {
    let host = Host::start();
    for revision in ALL {
        let mut caller = Caller::ready(&host, revision);
        let mut call = caller.call("report", json!({}));
        call["params"]["_meta"]["progressToken"] = "t".into();
        caller.send(&call, &[]);
        assert!(caller.line.head().is_stream());
        let mut told = Vec::new();
        while let Some(Event { id, data, .. }) = caller.line.event() {
            assert_eq!(id.is_some(), revision.is_legacy());
            let data = data.unwrap();
            if !data.is_empty() {
                told.push(caller.heard(&data));
            }
        }
        let progress: Vec<_> = told.iter().map(|it| &it["params"]["progress"]).collect();
        assert_eq!(progress, [&json!(1), &json!(2), &json!(3), &Value::Null]);
        assert_eq!(told[3]["id"], call["id"]);
    }
}

#[test]
fn without_a_token_there_is_nothing_to_stream() {
    let host = Host::start();
    for revision in ALL {
        let mut caller = Caller::ready(&host, revision);
        let call = json!({ "name": "report", "arguments": {} });
        assert_eq!(caller.ask("tools/call", call).0, 200);
    }
}

fn listen(caller: &mut Caller) -> Value {
    listen_to(caller, json!({ "toolsListChanged": true }))
}

/// The acknowledgement comes before all else, and says what is listened to.
fn listen_to(caller: &mut Caller, wanted: Value) -> Value {
    let params = json!({ "notifications": wanted, "_meta": claim() });
    let request = caller.request("subscriptions/listen", params);
    caller.send(&request, &[]);
    assert!(caller.line.head().is_stream());
    let (event, ack) = caller.event().unwrap();
    assert_eq!(event.id, None);
    assert_eq!(ack["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(ack["params"]["_meta"][SUBSCRIPTION], request["id"]);
    assert_eq!(ack["params"]["notifications"], wanted);
    request["id"].clone()
}

#[test]
fn a_change_is_told_to_those_who_listen() {
    let host = Host::start();
    let mut modern = Caller::ready(&host, Revision::V2026_07_28);
    let id = listen(&mut modern);
    let mut legacy = Caller::ready(&host, Revision::V2025_06_18);
    assert!(legacy.listen(&[]).is_stream());
    assert!(host.endpoint.dispatcher().handle().disable_tool("nothing"));
    for (caller, id) in [(&mut modern, id), (&mut legacy, Value::Null)] {
        let (_, told) = caller.event().unwrap();
        assert_eq!(told["method"], "notifications/tools/list_changed");
        assert_eq!(told["params"]["_meta"][SUBSCRIPTION], id);
    }
}

#[test]
fn a_change_is_kept_for_a_client_that_is_not_there() {
    let host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2025_06_18);
    assert!(host.endpoint.dispatcher().handle().disable_tool("nothing"));
    assert!(caller.listen(&[]).is_stream());
    let (event, told) = caller.event().unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed");
    caller.line(&host).hang_up();
    assert!(host.endpoint.dispatcher().handle().enable_tool("nothing"));
    assert!(
        caller
            .listen(&[("Last-Event-ID", &event.id.unwrap())])
            .is_stream()
    );
    let (_, told) = caller.event().unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed");
}

#[test]
fn who_listens_is_told_that_the_server_stops() {
    let mut host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    let id = listen(&mut caller);
    host.stop();
    let (_, last) = caller.event().unwrap();
    assert_eq!(
        (&last["id"], &last["result"]["resultType"]),
        (&id, &json!("complete"))
    );
    assert_eq!(caller.event(), None);
    host.has_ended();
}

#[test]
fn each_listener_hears_what_it_asked_for_under_its_own_id() {
    let host = Host::start();
    let tools = json!({ "toolsListChanged": true });
    let prompts = json!({ "promptsListChanged": true });
    let both = json!({ "toolsListChanged": true, "promptsListChanged": true });
    let mut listeners: Vec<_> = [tools.clone(), prompts, both, tools]
        .into_iter()
        .map(|wanted| {
            let mut caller = Caller::ready(&host, Revision::V2026_07_28);
            // So that no two ids are the same.
            for _ in 0..host.endpoint.stream_count() {
                caller.request("ping", json!({}));
            }
            let id = listen_to(&mut caller, wanted);
            (caller, id)
        })
        .collect();
    assert_eq!(host.endpoint.stream_count(), 4);
    let handle = host.endpoint.dispatcher().handle();
    assert!(handle.disable_prompt("greet"));
    assert!(handle.disable_tool("nothing"));
    let tools = "notifications/tools/list_changed";
    let prompts = "notifications/prompts/list_changed";
    let expected: [&[&str]; 4] = [&[tools], &[prompts], &[prompts, tools], &[tools]];
    for ((caller, id), expected) in listeners.iter_mut().zip(expected) {
        for method in expected {
            let (event, told) = caller.event().unwrap();
            assert_eq!(told["method"], *method);
            assert_eq!(told["params"]["_meta"][SUBSCRIPTION], *id);
            assert_eq!(event.id, None);
        }
    }
    host.endpoint.end_streams();
    for (caller, id) in &mut listeners {
        let (_, last) = caller.event().unwrap();
        assert_eq!(last["id"], *id);
        assert_eq!(caller.event(), None);
    }
    host.has_no_streams();
}

#[test]
fn a_silent_stream_is_kept_open_by_comments() {
    let host = Host::with(HttpOptions::new().keep_alive(Duration::from_millis(10)));
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    listen(&mut caller);
    for _ in 0..3 {
        assert_eq!(caller.line.block(), Some(Event::default()));
    }
    assert!(host.endpoint.dispatcher().handle().disable_tool("nothing"));
    assert!(caller.event().is_some());
}

#[test]
fn a_listener_that_goes_leaves_nothing_behind() {
    let host = Host::start();
    for _ in 0..20 {
        let mut caller = Caller::ready(&host, Revision::V2026_07_28);
        listen(&mut caller);
        caller.line.hang_up();
    }
    host.has_no_streams();
    // Whoever went is told nothing, and whoever stayed is.
    let mut caller = Caller::ready(&host, Revision::V2026_07_28);
    let id = listen(&mut caller);
    assert!(host.endpoint.dispatcher().handle().disable_tool("nothing"));
    assert_eq!(
        caller.event().unwrap().1["params"]["_meta"][SUBSCRIPTION],
        id
    );
    assert_eq!(host.endpoint.stream_count(), 1);
}
