//! Prompts, resources, completion, notifications and dynamic definitions.

mod apps;
mod client_log;
mod completion;
#[allow(dead_code, reason = "shared with a server binary")]
#[path = "../fixtures/definitions.rs"]
mod definitions;
mod dynamic_definitions;
mod enable_disable;
mod lists;
mod notifications;
mod parsed_arguments;
mod prompts;
mod request_context;
mod resource_updates;
mod resources;
mod subscriptions;
