//! Spans as an OpenTelemetry collector receives them.

mod collector;
mod spans;
mod traced_server;
