//! Dispatching of messages to the methods of a server.
//!
//! A [`Dispatcher`] receives one message as bytes and produces at most one reply as bytes. It uses
//! no sockets and never fails. If a call does not finish immediately, it returns a [`PendingCall`],
//! which the transport runs.
//!
//! The modules form layers. Each layer uses only the layers that follow it in this list:
//!
//! 1. `authenticate` and `explain` contain further methods of the dispatcher.
//! 2. `dispatcher` turns a message into its outcome.
//! 3. `method_table`, `legacy::batch` and `client_notifications` process requests, batches and
//!    notifications.
//! 4. `feature_methods`, `legacy` and `modern` contain the methods of the protocol.
//! 5. `list_methods`, `method` and `pending` contain list methods, custom methods and pending
//!    calls.
//! 6. `builtin_method` defines a method of the protocol and a routed request.
//! 7. `core` contains the parts that all methods share.
//! 8. `subscriptions::server_handle` adds and removes definitions.
//! 9. `connection` and `session` represent the client of a request.
//! 10. `subscriptions` notifies clients of changes.
//! 11. `capabilities`, `list_entries`, `in_flight`, `request_meta`, `outcome` and `cursor` contain
//!     types that the other layers use.

mod authenticate;
mod builtin_method;
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
