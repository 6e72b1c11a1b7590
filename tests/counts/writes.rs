//! Responses that are ready together are sent in one write.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::json;

/// The number of write system calls of a process, from Linux.
fn writes(process: u32) -> u64 {
    let counters = std::fs::read_to_string(format!("/proc/{process}/io")).unwrap();
    let line = counters
        .lines()
        .find_map(|line| line.strip_prefix("syscw: "));
    line.unwrap().parse().unwrap()
}

#[test]
fn requests_of_one_read_are_answered_in_one_write() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_test-server"))
        .env("MCP_LOG", "off")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut replies = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut exchange = |text: String, count: usize| {
        // Within the atomic size of a pipe, so that one read returns all of it.
        assert!(text.len() <= 4_096);
        input.write_all(text.as_bytes()).unwrap();
        for _ in 0..count {
            let reply = replies.next().unwrap().unwrap();
            assert!(reply.contains("\"result\":"), "{reply}");
        }
    };
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "probe", "version": "1" },
    });
    let initialize = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    exchange(format!("{initialize}\n"), 1);
    let requests = |tool: &str| {
        let params = json!({ "name": tool, "arguments": {} });
        let request =
            |id| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        (1..=30)
            .map(|id| format!("{}\n", request(id)))
            .collect::<String>()
    };
    for tool in ["nothing", "by_hand"] {
        let before = writes(server.id());
        exchange(requests(tool), 30);
        assert_eq!(writes(server.id()) - before, 1, "{tool}");
    }
    drop(input);
    server.wait().unwrap();
}
