//! A server that is told to stop.

use std::time::Duration;

use mcp_runtime::HttpOptions;
use serde_json::json;
use wire::Revision;

use crate::caller::Caller;
use crate::host::{Host, RUNTIME};
use crate::line::PATIENCE;
use crate::talkative::gated;

#[test]
fn nothing_in_flight_ends_at_once() {
    let mut host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    host.stop();
    host.has_ended();
    assert!(caller.line.is_closed());
}

#[test]
fn streams_that_wait_for_nothing_end_properly() {
    let mut host = Host::start();
    let mut caller = Caller::ready(&host, Revision::V2025_11_25);
    assert!(caller.listen(&[]).is_stream());
    host.stop();
    while let Some(event) = caller.line.event() {
        assert_eq!(event.data.as_deref(), Some(""));
    }
    host.has_ended();
}

#[test]
fn calls_in_flight_are_answered() {
    for revision in crate::caller::ALL {
        let (gate, server) = gated();
        let mut host = Host::of(server);
        let mut caller = Caller::ready(&host, revision);
        let call = caller.call("wait", json!({}));
        // Keeps a client of 2025-11-25 from being let go.
        caller.send(&call, &[("Accept", "application/json")]);
        RUNTIME.block_on(gate.reached.notified());
        host.stop();
        std::thread::sleep(Duration::from_millis(20));
        gate.open.notify_one();
        let (head, body) = caller.line.reply();
        assert_eq!(head.status, 200, "{revision:?}");
        assert_eq!(caller.heard(&body)["id"], call["id"]);
        host.has_ended();
    }
}

#[test]
fn calls_that_do_not_end_are_cut_off() {
    for revision in crate::caller::ALL {
        let options = HttpOptions::new().drain(Duration::from_millis(100));
        let mut host = Host::of(gated().1.http(options));
        let mut caller = Caller::ready(&host, revision);
        let call = caller.call("forever", json!({}));
        caller.send(&call, &[]);
        std::thread::sleep(Duration::from_millis(50));
        host.stop();
        host.has_ended();
        assert!(caller.line.is_closed());
    }
}

#[cfg(unix)]
#[test]
fn a_process_stops_on_sigterm() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    let mut server = Command::new(env!("CARGO_BIN_EXE_test-server"))
        .args(["--http", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
    let line = lines.find(|line| line.as_ref().unwrap().contains("listening on"));
    let line = line.unwrap().unwrap();
    let address = line
        .split("http://")
        .nth(1)
        .unwrap()
        .strip_suffix("/mcp")
        .unwrap();
    let mut line = crate::line::Line::connect(address.parse().unwrap());
    line.request("PUT", &[], None);
    assert_eq!(line.reply().0.status, 405);
    let id = server.id().to_string();
    Command::new("kill").arg(&id).status().unwrap();
    let deadline = std::time::Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = server.try_wait().unwrap() {
            break status;
        }
        assert!(std::time::Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success());
    assert!(line.is_closed());
}
