use serde::{Deserialize, Serialize};

/// How severe a log message is (RFC 5424); more severe ones compare greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum LoggingLevel {
    /// For whoever looks for a fault.
    Debug = 1,
    /// Something usual happened.
    Info,
    /// Something unusual happened.
    Notice,
    /// Something may go wrong.
    Warning,
    /// Something went wrong.
    Error,
    /// A part does not work.
    Critical,
    /// Somebody must act at once.
    Alert,
    /// Nothing works.
    Emergency,
}

impl LoggingLevel {
    /// All of them, least severe first.
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

    /// The inverse of `self as u8`, where 0 means none.
    pub(crate) fn from_u8(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&level| level as u8 == number)
    }

    /// What is told to who sends another text.
    pub(crate) const CHOICES: &str = "a log level is one of `debug`, `info`, `notice`, \
        `warning`, `error`, `critical`, `alert` and `emergency`";
}
