//! The methods of protocol revisions without a handshake, since 2026-07-28. Each request is
//! stateless.

mod discover;
pub(super) mod listen;
pub(super) mod tasks;

use super::builtin_method::BuiltinMethod;

/// The methods that only revisions without a handshake define, except the methods of tasks.
pub(super) const ROUTES: [BuiltinMethod; 2] = [discover::DISCOVER, listen::LISTEN];
