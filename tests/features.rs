//! Prompts, resources, and everything else besides tools.

#[path = "features/apps.rs"]
mod apps;
#[path = "features/changes.rs"]
mod changes;
#[path = "features/client_log.rs"]
mod client_log;
#[path = "features/completion.rs"]
mod completion;
#[path = "features/definitions.rs"]
mod definitions;
#[path = "features/listening.rs"]
mod listening;
#[path = "features/lists.rs"]
mod lists;
#[path = "features/parsing.rs"]
mod parsing;
#[path = "features/prompts.rs"]
mod prompts;
#[path = "features/requests.rs"]
mod requests;
#[path = "features/resources.rs"]
mod resources;
#[path = "features/switching.rs"]
mod switching;
#[allow(dead_code, reason = "shared with the other tests of the dispatcher")]
#[path = "dispatch/talk.rs"]
mod talk;
#[path = "features/telling.rs"]
mod telling;
#[path = "features/updates.rs"]
mod updates;
