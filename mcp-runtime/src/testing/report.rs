use std::fmt;

use crate::text::truncate;

/// A report of the responses of a server to invalid and hostile messages, which
/// [`torture`](super::torture()) returns.
#[derive(Clone, Debug)]
pub struct TortureReport {
    /// The rows of the report in a fixed order, one for each check.
    pub rows: Vec<TortureRow>,
}

/// A message and the response of the server in a [`TortureReport`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TortureRow {
    /// A description of the message, with the protocol revision and the tool.
    pub case: String,
    /// The truncated response, which is empty if the server sent no response.
    pub response: String,
    /// The problem of the response, or `None` if the response is correct.
    pub problem: Option<String>,
}

impl TortureReport {
    /// Returns the rows with a problem.
    pub fn problems(&self) -> impl Iterator<Item = &TortureRow> {
        self.rows.iter().filter(|row| row.problem.is_some())
    }
}

impl TortureRow {
    /// Creates a row. A response with paths of source files of the server becomes a problem.
    pub(super) fn new(case: String, response: String, problem: Option<String>) -> Self {
        let mut row = Self {
            case,
            response,
            problem,
        };
        let leaks = [".rs:", "panicked at", "stack backtrace"];
        if row.problem.is_none() && leaks.iter().any(|leak| row.response.contains(leak)) {
            row.problem = Some("expected no trace of the source".to_owned());
        }
        if row.response.len() >= 2000 {
            row.response = truncate(&row.response, 2000).into_owned();
        }
        row
    }

    /// Adds a problem if the response does not contain `word`, which a model needs to correct its
    /// call.
    pub(super) fn naming(mut self, word: &str) -> Self {
        // The errors of access control do not describe the tool.
        let codes = ["-31401", "-31403", "-31429", "-32000", "-32001", "-32003"];
        let is_denied = codes
            .iter()
            .any(|code| self.response.contains(&format!("\"code\":{code},")));
        let names_it = self.response.contains(word) || is_denied;
        if self.problem.is_none() && !names_it {
            self.problem = Some(format!("expected the response to name `{word}`"));
        }
        self
    }

    pub(super) fn shorter_than(mut self, bytes: usize) -> Self {
        if self.problem.is_none() && self.response.len() >= bytes {
            self.problem = Some(format!("expected less than {bytes} bytes"));
        }
        self
    }
}

impl fmt::Display for TortureReport {
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
        let Self { case, response, .. } = self;
        match &self.problem {
            None => write!(formatter, "ok    {case}"),
            Some(problem) => write!(formatter, "FAIL  {case}: {problem}, got {response}"),
        }
    }
}
