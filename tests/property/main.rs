//! Property tests of the dispatcher and of argument types.

mod arbitrary_bytes;
mod equivalence;
mod in_flight;
mod in_flight_requests;
mod messages;
mod schema_agreement;
mod schema_instances;
mod types;
