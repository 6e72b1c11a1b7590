//! Standard error that nobody reads, that is closed, or whose reader is gone.

use std::io::Read;
use std::process::{Command, Stdio};

use serde_json::json;
use support::process::{ServerProcess, program};
use support::wire::Revision;

const SERVERS: [&str; 2] = ["test-server", "minimal-server"];
const BYTES: u64 = 256 * 1024;

/// A server with the calls that print; its standard error is a pipe that is not read.
fn start() -> (ServerProcess, std::process::ChildStderr) {
    let mut command = Command::new(program("test-server"));
    let (server, errors) = ServerProcess::spawn_with_stderr(&mut command, Stdio::piped());
    let server = server.initialize(Revision::V2025_11_25);
    (server, errors.unwrap())
}

fn call(server: &mut ServerProcess, id: u64, tool: &str, arguments: serde_json::Value) {
    server.call(id, tool, arguments);
    let answer = server.receive();
    assert_eq!(answer["id"], id, "{answer}");
    assert!(answer["result"].is_object(), "{answer}");
}

/// Prints in every way more than a pipe holds, with calls that log and panic after each.
fn print_in_every_way(server: &mut ServerProcess) {
    let bytes = json!({ "bytes": BYTES });
    let ways = [
        ("print_lines", json!({ "lines": 3_000 })),
        ("print_locked", bytes.clone()),
        ("print_in_child", bytes.clone()),
        ("print_later", bytes),
    ];
    for (id, (tool, arguments)) in (1..).step_by(10).zip(ways) {
        server.call(id, tool, arguments);
        let answer = server.receive();
        let text = &answer["result"]["content"][0]["text"];
        assert_eq!(text, "printed", "{answer}");
        call(server, id + 1, "fail_internally", json!({}));
        call(server, id + 2, "boom", json!({}));
    }
}

#[test]
fn unread_stderr_holds_up_neither_calls_nor_the_end_of_input() {
    let (mut server, _unread) = start();
    print_in_every_way(&mut server);
    for id in 100..1_100 {
        call(&mut server, id, "fail_internally", json!({}));
    }
    server.close_input();
    assert!(server.wait_for_exit().success());
}

#[test]
fn unread_stderr_does_not_hold_up_sigterm() {
    let (mut server, _unread) = start();
    call(&mut server, 1, "print_locked", json!({ "bytes": BYTES }));
    server.call(2, "block", json!({ "millis": 600_000 }));
    server.terminate();
    assert!(server.wait_for_exit().success());
}

#[test]
fn stderr_that_is_full_at_the_start_holds_up_nothing() {
    for name in SERVERS {
        let (reader, writer) = std::io::pipe().unwrap();
        let full = writer.try_clone().unwrap();
        let filled = Command::new("sh")
            .args(["-c", "head -c 65536 /dev/zero >&2"])
            .stderr(full)
            .status();
        assert!(filled.unwrap().success());
        let mut command = Command::new(program(name));
        let (server, _) = ServerProcess::spawn_with_stderr(&mut command, writer.into());
        let mut server = server.initialize(Revision::V2025_11_25);
        server.close_input();
        assert!(server.wait_for_exit().success());
        drop(reader);
    }
}

#[test]
fn printing_to_a_broken_stderr_does_not_fail_calls() {
    let (mut server, errors) = start();
    drop(errors);
    print_in_every_way(&mut server);
    server.close_input();
    assert!(server.wait_for_exit().success());
    for redirection in ["2>&-", "2>/dev/full"] {
        let script = format!("exec \"$0\" {redirection}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).arg(program("test-server"));
        if redirection == "2>/dev/full" && !std::path::Path::new("/dev/full").exists() {
            continue;
        }
        let mut server = ServerProcess::spawn(&mut command).initialize(Revision::V2025_11_25);
        print_in_every_way(&mut server);
        server.close_input();
        assert!(server.wait_for_exit().success(), "{redirection}");
    }
}

#[test]
fn stderr_that_is_read_is_complete_at_the_exit() {
    let (mut server, mut errors) = start();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        errors.read_to_string(&mut text).unwrap();
        text
    });
    for id in 0..10 {
        call(&mut server, id, "print_lines", json!({ "lines": 100 }));
    }
    call(&mut server, 10, "boom", json!({}));
    server.close_input();
    assert!(server.wait_for_exit().success());
    let text = reader.join().unwrap();
    for kind in ["error", "output"] {
        let lines = text.lines().filter(|line| line.starts_with(kind)).count();
        assert_eq!(lines, 1_000, "{kind}");
    }
    assert!(text.contains("tools found") && text.contains("panicked at"));
}

#[test]
fn lost_output_is_counted_once_stderr_is_read_again() {
    let (mut server, mut errors) = start();
    call(&mut server, 1, "print_lines", json!({ "lines": 20_000 }));
    let mut text = String::new();
    let mut bytes = [0; 4096];
    while !text.contains("bytes of output are missing") {
        let count = errors.read(&mut bytes).unwrap();
        assert!(count > 0, "the notice is missing");
        text.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    call(&mut server, 2, "print_lines", json!({ "lines": 1 }));
    server.close_input();
    assert!(server.wait_for_exit().success());
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert!(
        rest.contains("error line") && rest.contains("output line"),
        "{rest}"
    );
}

#[test]
fn http_server_does_not_wait_for_the_reader_of_stderr() {
    use std::io::{BufRead, BufReader};
    use support::http_connection::HttpConnection;

    let mut command = Command::new(program("test-server"));
    command.args(["--http", "127.0.0.1:0"]);
    let (mut server, errors) = ServerProcess::spawn_with_stderr(&mut command, Stdio::piped());
    let mut errors = BufReader::new(errors.unwrap());
    let mut line = String::new();
    while !line.contains("listening on") {
        line.clear();
        assert!(errors.read_line(&mut line).unwrap() > 0);
    }
    let address = line.trim().split("http://").nth(1).unwrap();
    let address = address.strip_suffix("/mcp").unwrap().parse().unwrap();
    let mut connection = HttpConnection::connect(address);
    for id in 0..3 {
        let params = json!({
            "name": "print_locked", "arguments": { "bytes": BYTES },
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        });
        let message =
            json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let headers = [
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "print_locked"),
        ];
        connection.send_request("POST", &headers, Some(&message.to_string()));
        assert_eq!(connection.read_response().0.status, 200);
    }
    server.terminate();
    assert!(server.wait_for_exit().success());
}
