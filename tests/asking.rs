//! Questions to the client in the middle of a call, through the real client.

#[path = "asking/answers.rs"]
mod answers;
#[path = "asking/child.rs"]
mod child;
#[path = "asking/equal.rs"]
mod equal;
#[path = "asking/era.rs"]
mod era;
#[path = "asking/forms.rs"]
mod forms;
#[path = "asking/gate.rs"]
mod gate;
#[path = "asking/gone.rs"]
mod gone;
#[path = "asking/keys.rs"]
mod keys;
#[path = "asking/lists.rs"]
mod lists;
#[path = "asking/odd.rs"]
mod odd;
#[path = "asking/over_http.rs"]
mod over_http;
#[path = "http/place.rs"]
mod place;
#[allow(dead_code, reason = "made for more tests than these")]
#[path = "stdio/child.rs"]
mod process;
#[path = "asking/quiet.rs"]
mod quiet;
#[path = "asking/reentrant.rs"]
mod reentrant;
#[path = "asking/refusals.rs"]
mod refusals;
#[path = "asking/scripted.rs"]
mod scripted;
#[path = "asking/silent.rs"]
mod silent;
#[path = "asking/talk.rs"]
mod talk;
#[path = "asking/tools.rs"]
mod tools;
