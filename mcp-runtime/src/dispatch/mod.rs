//! Dispatching: one message in as bytes, at most one reply out as bytes.
//!
//! A [`Dispatcher`] does no I/O on sockets and never fails: every message results in a
//! reply or in silence. A call that does not finish at once is returned as a
//! [`PendingCall`], which the transport runs.
//!
//! The files form layers, each of which uses only those below:
//!
//! 1. `authenticate`, `explain`: more methods of the dispatcher
//! 2. `dispatcher`: from a message to its outcome
//! 3. `method_table` (the methods by name), `legacy::batch`, `client_notifications`
//! 4. `feature_methods`, `legacy`, `modern`: the methods of the protocol
//! 5. `list_methods`, `method` (custom and wrapped methods), `pending` (unfinished calls)
//! 6. `route`: a method of the protocol, and a request on its way to it
//! 7. `core`: what all methods share
//! 8. `subscriptions::server_handle`: changes what is served
//! 9. `connection`, `session`: the client of a request
//! 10. `subscriptions`: who is notified of changes
//! 11. `capabilities`, `list_entries`, `in_flight`, `request_meta`, `outcome`, `cursor`

mod authenticate;
mod capabilities;
mod client_notifications;
mod connection;
mod core;
mod cursor;
mod dispatcher;
mod explain;
mod feature_methods;
mod in_flight;
mod legacy;
mod list_entries;
mod list_methods;
mod method;
mod method_table;
mod modern;
mod outcome;
mod pending;
mod request_meta;
mod route;
mod session;
mod subscriptions;

pub use client_notifications::ClientNotification;
pub(crate) use client_notifications::NotificationHandlers;
pub use connection::Connection;
pub(crate) use core::Core;
pub use dispatcher::Dispatcher;
pub(crate) use method::MethodWrapper;
pub use method::{Method, MethodCall, NextMethod};
pub(crate) use method_table::MethodTable;
pub use outcome::{DispatchReply, DispatchStatus};
pub use pending::{DispatchOutcome, PendingCall};
#[cfg(feature = "http")]
pub(crate) use request_meta::RequestMeta;
#[cfg(feature = "http")]
pub(crate) use request_meta::RequestWithMeta;
pub use subscriptions::server_handle::ServerHandle;
#[cfg(feature = "http")]
pub(crate) use subscriptions::subscribers::MAX_LISTEN_STREAMS;

pub use crate::call::{Stage, StageEffect};
pub use crate::context::{ClientSink, TransportKind};
pub use crate::registry::DynamicDefinition;
