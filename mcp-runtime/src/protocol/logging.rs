use serde::{Deserialize, Serialize};

/// The severity of a log message (RFC 5424). A more severe level compares as greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum LoggingLevel {
    /// Details for debugging.
    Debug = 1,
    /// A normal event.
    Info,
    /// A normal event that is important.
    Notice,
    /// A possible problem.
    Warning,
    /// A failure of an operation.
    Error,
    /// A failure of a component.
    Critical,
    /// A condition that requires immediate action by an operator.
    Alert,
    /// A failure of the whole system.
    Emergency,
}

impl LoggingLevel {
    /// All levels in ascending order of severity.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// Returns the level whose discriminant is `number`. Returns `None` if there is no such level.
    pub(crate) fn from_u8(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&level| level as u8 == number)
    }

    /// The error message for an invalid level.
    pub(crate) const CHOICES: &str = "a log level is one of `debug`, `info`, `notice`, \
        `warning`, `error`, `critical`, `alert` and `emergency`";
}
