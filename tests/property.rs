//! Rules that hold for whatever comes.

#[path = "property/agreement.rs"]
mod agreement;
#[path = "property/bytes.rs"]
mod bytes;
#[path = "property/flight.rs"]
mod flight;
#[path = "property/instances.rs"]
mod instances;
#[path = "property/meaning.rs"]
mod meaning;
#[path = "property/messages.rs"]
mod messages;
#[path = "property/types.rs"]
mod types;
#[path = "property/work.rs"]
mod work;
