use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use serde_json::{Value, json};

/// A server as a command, which serves over HTTP if it is told `--http ADDRESS`.
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// The floor has none, and answers one kind of request whoever asks.
    pub(crate) handshake: bool,
}

/// How many requests are made, and how many at once.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// How often all requests are written and all their replies read.
    pub rounds: u32,
    /// How many requests are written before their replies are read: lines over
    /// standard input and output, connections over HTTP.
    pub at_once: u32,
}

impl Load {
    pub(crate) fn requests(self) -> u32 {
        self.rounds * self.at_once
    }

    /// As much work at once, but so much less often.
    #[must_use]
    pub(crate) fn divided(self, by: u32) -> Self {
        let rounds = (self.rounds / by).max(1);
        Self { rounds, ..self }
    }
}

/// A process being driven.
struct Driven {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
}

impl Server {
    /// A server that wants a handshake.
    #[must_use]
    pub fn new(program: impl AsRef<Path>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            handshake: true,
        }
    }

    /// The floor, which knows one kind of request only.
    #[must_use]
    pub fn floor(program: impl AsRef<Path>) -> Self {
        Self {
            handshake: false,
            ..Self::new(program)
        }
    }

    /// The server with one more argument on its command line.
    #[must_use]
    pub fn with(mut self, argument: impl ToString) -> Self {
        self.arguments.push(argument.to_string());
        self
    }

    /// The processor time that the server takes for one request.
    ///
    /// What it takes to start and to end is measured apart and taken off.
    ///
    /// # Errors
    /// The server cannot be started, or answers wrongly.
    pub fn cost(&self, request: &Value, load: Load) -> io::Result<Duration> {
        let warm = Load {
            rounds: 64 / load.at_once.clamp(1, 64),
            ..load
        };
        let more = Load {
            rounds: warm.rounds + load.rounds,
            ..load
        };
        let idle = self.run(request, warm)?;
        let busy = self.run(request, more)?;
        Ok(busy.saturating_sub(idle) / load.requests())
    }

    /// The time that passes from the start of the process to its first list.
    ///
    /// # Errors
    /// The server cannot be started, or answers wrongly.
    pub fn start_to_list(&self) -> io::Result<Duration> {
        let begun = Instant::now();
        let mut driven = self.start()?;
        driven.exchange(&framed(&crate::tools_list(), 1), 1)?;
        let took = begun.elapsed();
        driven.end()?;
        Ok(took)
    }

    fn run(&self, request: &Value, load: Load) -> io::Result<Duration> {
        let before = spent();
        let mut driven = self.start()?;
        let requests: String = (1..=load.at_once).map(|id| framed(request, id)).collect();
        for _ in 0..load.rounds {
            driven.exchange(&requests, load.at_once)?;
        }
        driven.end()?;
        Ok(spent().saturating_sub(before))
    }

    fn start(&self) -> io::Result<Driven> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            return Err(io::Error::other("the pipes of the server are missing"));
        };
        let output = BufReader::with_capacity(1024 * 1024, output);
        let mut driven = Driven {
            child,
            input,
            output,
            line: Vec::new(),
        };
        if self.handshake {
            driven.exchange(&initialize(), 1)?;
            driven.input.write_all(initialized().as_bytes())?;
        }
        Ok(driven)
    }
}

impl Driven {
    /// Writes some lines and reads as many replies, all of which are results.
    fn exchange(&mut self, lines: &str, replies: u32) -> io::Result<()> {
        let Self {
            input,
            output,
            line,
            ..
        } = self;
        // A thread, because much would fill both pipes and stop both ends.
        thread::scope(|scope| {
            if lines.len() < 32 * 1024 {
                input.write_all(lines.as_bytes())?;
            } else {
                scope.spawn(|| input.write_all(lines.as_bytes()));
            }
            (0..replies).try_for_each(|_| read(output, line))
        })
    }

    fn end(mut self) -> io::Result<()> {
        drop(self.input);
        self.child.wait()?;
        Ok(())
    }
}

/// Reads one reply, which must be a result.
fn read(output: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    line.clear();
    output.read_until(b'\n', line)?;
    let (start, end) = (
        &line[..line.len().min(100)],
        &line[line.len().saturating_sub(100)..],
    );
    let [start, end] = [start, end].map(String::from_utf8_lossy);
    let is_result = start.contains("\"result\":") || end.contains("\"result\":");
    if is_result && !end.contains("\"isError\":true") {
        return Ok(());
    }
    Err(io::Error::other(format!("not a result: {start} … {end}")))
}

/// The processor time of all servers that have ended.
pub(crate) fn spent() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return Duration::ZERO;
    };
    let time = |time: TimeVal| {
        let micros = time.num_microseconds();
        Duration::from_micros(micros.try_into().unwrap_or(0))
    };
    time(usage.user_time()) + time(usage.system_time())
}

pub(crate) fn framed(request: &Value, id: u32) -> String {
    let mut request = request.clone();
    request["jsonrpc"] = "2.0".into();
    request["id"] = id.into();
    format!("{request}\n")
}

pub(crate) fn initialize() -> String {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "drive", "version": "1" },
    });
    framed(&json!({ "method": "initialize", "params": params }), 0)
}

pub(crate) fn initialized() -> String {
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    format!("{initialized}\n")
}
