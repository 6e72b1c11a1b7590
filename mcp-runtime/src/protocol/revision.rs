use std::fmt;
use std::str::FromStr;

/// A protocol version, which is identified by its date. A newer revision compares as greater.
///
/// ```
/// use mcp_runtime::protocol::Revision;
///
/// let revision: Revision = "2025-06-18".parse().unwrap();
/// assert!(revision < Revision::NEWEST);
/// assert!("2025-06-19".parse::<Revision>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Revision {
    /// The first protocol version.
    V2024_11_05 = 1,
    /// Adds batches, tool annotations and audio content.
    V2025_03_26,
    /// Adds structured content and elicitation. Removes batches.
    V2025_06_18,
    /// Adds icons and URL mode for elicitation. This is the last revision with an `initialize`
    /// request.
    V2025_11_25,
    /// Removes sessions. Each request contains the protocol version and the capabilities of the
    /// client.
    V2026_07_28,
}

impl Revision {
    /// All revisions in ascending order.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];
    /// The newest revision.
    pub const NEWEST: Self = Self::V2026_07_28;
    /// The newest revision in which a session starts with an `initialize` request.
    pub const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// Returns the date in the form in which messages contain it, for example `2025-06-18`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Checks whether the revision has no sessions, so each request contains the protocol version.
    #[must_use]
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }

    /// Returns the index of this revision in [`ALL`](Self::ALL).
    pub(crate) const fn index(self) -> usize {
        self as usize - 1
    }

    /// Returns the revision whose discriminant is `number`. Returns `None` if there is no such
    /// revision.
    pub(crate) fn from_u8(number: u8) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|&revision| revision as u8 == number)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The error for a string that is not a protocol revision.
#[derive(Debug, thiserror::Error)]
#[error("no such protocol revision; the known ones are {}", Revision::ALL.map(Revision::as_str).join(", "))]
pub struct UnknownRevision;

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, UnknownRevision> {
        Self::ALL
            .into_iter()
            .find(|revision| revision.as_str() == text)
            .ok_or(UnknownRevision)
    }
}
