//! Revisions without a handshake, since 2026-07-28: each request is stateless.

mod discover;
pub(super) mod listen;
pub(super) mod tasks;

use super::route::Route;

/// The methods that only these revisions have, except those of tasks.
pub(super) const ROUTES: [Route; 2] = [discover::DISCOVER, listen::LISTEN];
