use std::fmt;

use serde_json::{Value, json};

use super::answers::{Asked, Probe};
use crate::dispatch::Dispatcher;
use crate::protocol::Revision;

/// What a server answered to hostile and odd messages, row by row.
#[derive(Clone, Debug)]
pub struct Torture {
    /// One a question, in a fixed order.
    pub rows: Vec<TortureRow>,
}

/// One question.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TortureRow {
    /// What was asked, and of which revision or tool.
    pub question: String,
    /// What came, shortened; empty for silence.
    pub answer: String,
    /// What should have come instead; `None` if it is good.
    pub problem: Option<String>,
}

impl Torture {
    /// The rows that are not as they should be.
    pub fn problems(&self) -> impl Iterator<Item = &TortureRow> {
        self.rows.iter().filter(|row| row.problem.is_some())
    }
}

/// Asks a server what clients get wrong, and what attackers try.
///
/// No body runs: every call names a tool that does not exist, or brings
/// arguments that its schema refuses. Must be called inside a tokio runtime if
/// methods of the server's own use one.
///
/// ```standalone_crate
/// use mcp_runtime::{Server, prelude::*, testing::torture};
///
/// /// Adds.
/// #[tool(inline)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// let report = torture(&Server::new("example", "1.0.0").build()?);
/// assert_eq!(report.problems().count(), 0, "{report}");
/// # Ok::<(), mcp_runtime::Error>(())
/// ```
#[must_use]
pub fn torture(server: &Dispatcher) -> Torture {
    let mut rows = Vec::new();
    rows.extend(before_the_handshake(server));
    for revision in Revision::ALL {
        let mut probe = Probe::ready(server, revision);
        rows.extend(envelopes(&mut probe));
        rows.extend(silence(&mut probe));
        rows.extend(names(&mut probe));
        rows.extend(tools(&mut probe));
    }
    Torture { rows }
}

fn before_the_handshake(server: &Dispatcher) -> Vec<TortureRow> {
    let mut probe = Probe::silent(server);
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let mut rows = vec![
        probe
            .ask("a list before the handshake", &list)
            .error(-32600),
    ];
    let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" });
    rows.push(probe.ask("a ping before the handshake", &ping).result());
    for version in ["1999-01-01", "", "2026-07-28"] {
        let mut probe = Probe::silent(server);
        let newest = Revision::NEWEST_LEGACY.as_str();
        let asked = probe.initialize(&format!("a handshake in version `{version}`"), version);
        rows.push(asked.has("/result/protocolVersion", &json!(newest)));
    }
    rows
}

/// Messages that are none.
fn envelopes(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let garbage = [
        "",
        "{",
        "nonsense",
        "\u{0}",
        "{\"jsonrpc\":\"2.0\",\"id\":1",
    ];
    let mut rows: Vec<_> = garbage
        .into_iter()
        .map(|text| {
            probe
                .ask_text("text that is no JSON", text.as_bytes())
                .error(-32700)
        })
        .collect();
    let asked = probe.ask_text("bytes that are no text", b"{\"jsonrpc\":\"\xff\xfe\"}");
    rows.push(asked.error(-32700));
    rows.push(
        probe
            .ask_text("very deep JSON", deep.as_bytes())
            .any_error(),
    );
    for text in ["1", "null", "\"text\"", "{}", "[]", "[1]"] {
        rows.push(
            probe
                .ask_text("JSON that is no message", text.as_bytes())
                .any_error(),
        );
    }
    for message in [
        json!({ "id": 1, "method": "tools/list" }),
        json!({ "jsonrpc": "1.0", "id": 1, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": null, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 1.5, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": {}, "method": "tools/list" }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": 7 }),
    ] {
        rows.push(probe.ask("a malformed request", &message).error(-32600));
    }
    let batch = json!([{ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }]);
    let asked = probe.ask("a batch", &batch);
    rows.push(match probe.revision {
        Revision::V2025_03_26 => asked.has("/0/id", &json!(1)),
        _ => asked.error(-32600),
    });
    rows
}

/// Messages that are never answered.
fn silence(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let notes = [
        json!({ "jsonrpc": "2.0", "method": "notifications/nonsense" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 99 } }),
        json!({ "jsonrpc": "2.0", "id": 99, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 99, "error": { "code": 1, "message": "no" } }),
    ];
    let asked = notes.map(|note| probe.ask("a message that is not answered", &note));
    asked.map(Asked::silent).into()
}

/// Methods and tools that do not exist.
fn names(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let mut rows = vec![
        probe
            .request("an unknown method", "no/such", json!({}))
            .error(-32601),
    ];
    let long = "x".repeat(10_000);
    for name in ["no such tool", "", "../../etc/passwd", &long] {
        let call = json!({ "name": name, "arguments": {} });
        let asked = probe.request("an unknown tool", "tools/call", call);
        rows.push(asked.error(-32602).shorter_than(1000));
    }
    for call in [json!({}), json!({ "name": 7 }), json!({ "arguments": {} })] {
        let asked = probe.request("a call without a name", "tools/call", call);
        rows.push(asked.error(-32602));
    }
    let cursor = json!({ "cursor": "nonsense" });
    rows.push(
        probe
            .request("an unknown cursor", "tools/list", cursor)
            .any_error(),
    );
    rows
}

/// What every tool is asked.
fn tools(probe: &mut Probe<'_>) -> Vec<TortureRow> {
    let first = probe.request("the list", "tools/list", json!({}));
    let Some(tools) = first.pointer("/result/tools").and_then(Value::as_array) else {
        return vec![first.result()];
    };
    let tools = tools.clone();
    let again = probe.request("the list again", "tools/list", json!({}));
    let mut rows = vec![again.has("/result/tools", &json!(tools))];
    for tool in &tools {
        rows.extend(one_tool(probe, tool));
    }
    rows
}

fn one_tool(probe: &mut Probe<'_>, tool: &Value) -> Vec<TortureRow> {
    let (name, schema) = (&tool["name"], &tool["inputSchema"]);
    let of = |question: &str| format!("{question} of {name}");
    let mut rows = Vec::new();
    let plain = schema["type"] == "object" && schema["properties"].is_object();
    rows.push(probe.seen(
        &of("the schema"),
        schema,
        plain,
        "an object with `properties`",
    ));
    let mut call = |question: &str, arguments: Value| {
        let call = json!({ "name": name, "arguments": arguments });
        probe.request(&of(question), "tools/call", call)
    };
    for arguments in [json!([1]), json!("text"), json!(7)] {
        rows.push(call("arguments that are no object", arguments).refused());
    }
    if schema["additionalProperties"] == false {
        let asked = call("an unknown argument", json!({ "no such argument": 1 }));
        rows.push(asked.refused().telling("no such argument"));
    }
    let required = schema["required"].as_array();
    if let Some(missing) = required.and_then(|required| required.first()?.as_str()) {
        rows.push(call("no arguments", json!({})).refused().telling(missing));
    }
    rows
}

impl fmt::Display for Torture {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.rows {
            row.fmt(formatter)?;
            writeln!(formatter)?;
        }
        Ok(())
    }
}

impl fmt::Display for TortureRow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            question, answer, ..
        } = self;
        match &self.problem {
            None => write!(formatter, "good  {question}"),
            Some(problem) => write!(formatter, "BAD   {question}: {problem}, got {answer}"),
        }
    }
}
