//! Spans as an OpenTelemetry collector receives them.

#[path = "otel/collector.rs"]
mod collector;
#[path = "otel/spans.rs"]
mod spans;
