use serde::{Deserialize, Serialize};

/// The severity of a log message (RFC 5424); a more severe level compares greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum LoggingLevel {
    /// Details for debugging.
    Debug = 1,
    /// A normal event.
    Info,
    /// A normal but significant event.
    Notice,
    /// A possible problem.
    Warning,
    /// An operation failed.
    Error,
    /// A component failed.
    Critical,
    /// An operator must act immediately.
    Alert,
    /// The system is unusable.
    Emergency,
}

impl LoggingLevel {
    /// All levels, least severe first.
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

    /// The inverse of `self as u8`; `None` for 0.
    pub(crate) fn from_u8(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&level| level as u8 == number)
    }

    /// The error text for an invalid level.
    pub(crate) const CHOICES: &str = "a log level is one of `debug`, `info`, `notice`, \
        `warning`, `error`, `critical`, `alert` and `emergency`";
}
