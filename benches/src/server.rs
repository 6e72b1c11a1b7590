use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use serde_json::{Value, json};

/// The command of a server, which serves over HTTP with the argument `--http ADDRESS`.
#[derive(Clone, Debug)]
pub struct Server {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    /// Whether the server has a handshake; the floor has none.
    pub(crate) handshake: bool,
}

/// How many requests are sent, and how many are in flight.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// How often all requests are written and all their responses read.
    pub rounds: u32,
    /// How many requests are written before their responses are read. Over HTTP each has
    /// its own connection.
    pub in_flight: u32,
}

impl Load {
    pub(crate) fn requests(self) -> u32 {
        self.rounds * self.in_flight
    }

    /// Divides the number of rounds.
    #[must_use]
    pub(crate) fn divided(self, by: u32) -> Self {
        let rounds = (self.rounds / by).max(1);
        Self { rounds, ..self }
    }
}

/// A running server on standard input and output.
struct StdioProcess {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
}

impl Server {
    /// Creates the command of a server with a handshake.
    #[must_use]
    pub fn new(program: impl AsRef<Path>) -> Self {
        Self {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            handshake: true,
        }
    }

    /// Creates the command of the floor, which handles one kind of request.
    #[must_use]
    pub fn floor(program: impl AsRef<Path>) -> Self {
        Self {
            handshake: false,
            ..Self::new(program)
        }
    }

    /// Adds an argument to the command line.
    #[must_use]
    pub fn with(mut self, argument: impl ToString) -> Self {
        self.arguments.push(argument.to_string());
        self
    }

    /// Measures the processor time of the server per request.
    ///
    /// The time to start and to end is measured separately and subtracted.
    ///
    /// # Errors
    /// Fails if the server cannot be started or responds with an error.
    pub fn cost(&self, request: &Value, load: Load) -> io::Result<Duration> {
        let warm_up = Load {
            rounds: 64 / load.in_flight.clamp(1, 64),
            ..load
        };
        let full = Load {
            rounds: warm_up.rounds + load.rounds,
            ..load
        };
        let base = self.run(request, warm_up)?;
        let total = self.run(request, full)?;
        Ok(total.saturating_sub(base) / load.requests())
    }

    /// Measures the wall-clock time from the start of the process to its first list.
    ///
    /// # Errors
    /// Fails if the server cannot be started or responds with an error.
    pub fn start_to_list(&self) -> io::Result<Duration> {
        let started = Instant::now();
        let mut process = self.start()?;
        process.exchange(&to_line(&crate::tools_list(), 1), 1)?;
        let elapsed = started.elapsed();
        process.end()?;
        Ok(elapsed)
    }

    fn run(&self, request: &Value, load: Load) -> io::Result<Duration> {
        let before = children_cpu_time();
        let mut process = self.start()?;
        let requests: String = (1..=load.in_flight)
            .map(|id| to_line(request, id))
            .collect();
        for _ in 0..load.rounds {
            process.exchange(&requests, load.in_flight)?;
        }
        process.end()?;
        Ok(children_cpu_time().saturating_sub(before))
    }

    fn start(&self) -> io::Result<StdioProcess> {
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
        let mut process = StdioProcess {
            child,
            input,
            output,
            line: Vec::new(),
        };
        if self.handshake {
            process.exchange(&initialize(), 1)?;
            process.input.write_all(initialized().as_bytes())?;
        }
        Ok(process)
    }
}

impl StdioProcess {
    /// Writes lines and reads their responses, which must be results.
    fn exchange(&mut self, lines: &str, responses: u32) -> io::Result<()> {
        let Self {
            input,
            output,
            line,
            ..
        } = self;
        // Many lines are written by a thread, since full pipes would block both sides.
        thread::scope(|scope| {
            if lines.len() < 32 * 1024 {
                input.write_all(lines.as_bytes())?;
            } else {
                scope.spawn(|| input.write_all(lines.as_bytes()));
            }
            (0..responses).try_for_each(|_| read(output, line))
        })
    }

    fn end(mut self) -> io::Result<()> {
        drop(self.input);
        self.child.wait()?;
        Ok(())
    }
}

/// Reads one response, which must be a result.
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

/// Returns the processor time of all child processes that have ended.
pub(crate) fn children_cpu_time() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return Duration::ZERO;
    };
    let time = |time: TimeVal| {
        let micros = time.num_microseconds();
        Duration::from_micros(micros.try_into().unwrap_or(0))
    };
    time(usage.user_time()) + time(usage.system_time())
}

/// Returns a request as one line.
pub(crate) fn to_line(request: &Value, id: u32) -> String {
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
    to_line(&json!({ "method": "initialize", "params": params }), 0)
}

pub(crate) fn initialized() -> String {
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    format!("{initialized}\n")
}
