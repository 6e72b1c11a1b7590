//! Floods by one client, one file for each: the others must still be served, and the
//! server must hold no more than its limits.

mod abandoned_calls;
mod idle_streams;
mod many_sessions;
