//! Runs the commands of the example's README and checks their results.
//!
//! A line `COMMAND # STATUS TEXT: …` in its code is run by the shell; the response
//! must have that status and contain that text.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_guarded-notes");
const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/guarded_notes");
const README: &str = include_str!("../../examples/guarded_notes/README.md");

/// Marks in the output the response to the line with the following number.
const MARK: &str = "@@@ line ";

/// A process of the example in its own directory.
pub(crate) struct Example {
    child: Child,
    folder: PathBuf,
    pub(crate) address: String,
}

impl Example {
    pub(crate) fn start() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(format!("mcp-notes-{process}-{number}"));
        std::fs::create_dir_all(&folder).unwrap();
        let mut child = Command::new(PROGRAM)
            .args(["--http", "127.0.0.1:0"])
            .env("KEYS", format!("{EXAMPLE}/keys.json"))
            .env_remove("RUST_LOG")
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.find_map(|line| {
            let line = line.unwrap();
            let (_, url) = line.split_once("listening on http://")?;
            Some(url.strip_suffix("/mcp")?.to_owned())
        });
        // Read stderr, so that the process does not block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            folder,
            address: address.unwrap(),
        }
    }

    /// Runs a script of the README, adapted to this process.
    fn run(&self, script: &str) -> String {
        let script = script
            .replace("127.0.0.1:8080", &self.address)
            .replace("examples/guarded_notes", EXAMPLE)
            .replace("cargo run --example guarded_notes --", PROGRAM);
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("KEYS", format!("{EXAMPLE}/keys.json"))
            .current_dir(&self.folder)
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "is `curl` here? {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn audit(&self) -> String {
        std::fs::read_to_string(self.folder.join("guarded-notes.audit.jsonl")).unwrap()
    }

    /// Kills the process.
    pub(crate) fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn records(&self) -> Vec<Value> {
        let text = self.audit();
        let lines = text.lines();
        lines.map(|it| serde_json::from_str(it).unwrap()).collect()
    }
}

impl Drop for Example {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The shell code of the README, without the command that starts the server.
fn code() -> Vec<&'static str> {
    let mut lines = README.lines();
    let mut code = Vec::new();
    while lines.by_ref().any(|line| line == "```sh") {
        code.extend(lines.by_ref().take_while(|line| *line != "```"));
    }
    assert!(code.remove(0).ends_with("-- --http 127.0.0.1:8080"));
    code
}

/// The expected status and text of a line.
fn expected(line: &str) -> Option<(&str, &str)> {
    let (_, comment) = line.rsplit_once("# ")?;
    let (status, rest) = comment.split_once(' ')?;
    let (text, _) = rest.rsplit_once(": ")?;
    let is_status = status.len() == 3 && status.bytes().all(|digit| digit.is_ascii_digit());
    is_status.then_some((status, text))
}

#[test]
fn every_readme_step_has_the_documented_result() {
    let example = Example::start();
    let code = code();
    let mut script = String::from("set -e\n");
    for (number, line) in code.iter().enumerate() {
        if expected(line).is_some() {
            script += &format!("echo; echo '{MARK}{number}'\n");
        }
        script += line;
        script += "\n";
    }
    let output = example.run(&script);
    let mut steps = 0;
    for answer in output.split(MARK).skip(1) {
        let (number, answer) = answer.split_once('\n').unwrap();
        let line = code[number.parse::<usize>().unwrap()];
        let (status, text) = expected(line).unwrap();
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{line}\n{answer}"
        );
        assert!(answer.replace('\\', "").contains(text), "{line}\n{answer}");
        steps += 1;
    }
    assert_eq!(
        steps,
        code.iter().filter(|line| expected(line).is_some()).count()
    );
    assert!(steps > 10, "{output}");
    let by_hand = example.records();
    for outcome in [
        "bad_token",
        "forbidden",
        "success",
        "input_required",
        "declined",
        "rate_limited",
    ] {
        assert!(
            by_hand.iter().any(|it| it["outcome"] == outcome),
            "{outcome}"
        );
    }
    let last = by_hand.last().unwrap();
    assert_eq!(
        (&last["channel"], &last["principal"]),
        (&"cli".into(), &"alice".into())
    );
    assert!(!format!("{by_hand:?}").contains("hello"));
}
