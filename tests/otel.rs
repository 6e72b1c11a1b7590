//! Spans as an OpenTelemetry collector receives them.

#[path = "otel/collector.rs"]
mod collector;
#[path = "otel/spans.rs"]
mod spans;
#[path = "otel/traced.rs"]
mod traced;
