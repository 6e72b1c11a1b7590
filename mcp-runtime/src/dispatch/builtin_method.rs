use std::ops::RangeInclusive;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::capabilities::Capability;
use super::connection::Connection;
use super::core::Core;
use crate::call::{Execution, Reply};
use crate::codec::Payload;
use crate::context::RequestParts;
use crate::jsonrpc::Request;
use crate::protocol::{JsonObject, Revision};

/// A request with the connection and the parts that its method needs.
pub(crate) struct RoutedRequest<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) parts: &'a RequestParts<'a>,
    pub(super) connection: &'a Connection,
}

/// A function that handles the requests of a built-in method.
pub(super) type BuiltinMethodFn = fn(&Arc<Core>, &RoutedRequest<'_>) -> Execution<Reply>;

pub(super) const LEGACY: RangeInclusive<Revision> = Revision::V2024_11_05..=Revision::NEWEST_LEGACY;
pub(super) const MODERN: RangeInclusive<Revision> = Revision::V2026_07_28..=Revision::V2026_07_28;
pub(super) const ALL: RangeInclusive<Revision> = Revision::V2024_11_05..=Revision::V2026_07_28;

/// A method of the protocol, with the revisions that define it and the capability that it requires.
#[derive(Clone, Debug)]
pub(crate) struct BuiltinMethod {
    pub(super) method: &'static str,
    revisions: RangeInclusive<Revision>,
    capability: Option<Capability>,
    pub(super) run: BuiltinMethodFn,
    /// Whether the method may run a handler of the user.
    pub(super) runs_handlers: bool,
}

impl<'a> RoutedRequest<'a> {
    /// Returns the JSON text of the parameters, or an empty object if the request has no
    /// parameters.
    pub(super) fn params(&self) -> &'a str {
        self.request.params.map_or("{}", RawValue::get)
    }
}

impl BuiltinMethod {
    pub(super) const fn new(
        method: &'static str,
        revisions: RangeInclusive<Revision>,
        capability: Capability,
        run: BuiltinMethodFn,
    ) -> Self {
        Self {
            capability: Some(capability),
            ..Self::unconditional(method, revisions, run)
        }
    }

    /// Creates a route for a method that every server has.
    pub(super) const fn unconditional(
        method: &'static str,
        revisions: RangeInclusive<Revision>,
        run: BuiltinMethodFn,
    ) -> Self {
        Self {
            method,
            revisions,
            capability: None,
            run,
            runs_handlers: true,
        }
    }

    /// Marks a method that runs no handler of the user and therefore needs no tokio runtime.
    pub(super) const fn without_handlers(mut self) -> Self {
        self.runs_handlers = false;
        self
    }

    /// Checks whether the revision of a request defines the method, and whether the server has the
    /// required capability.
    pub(super) fn exists(&self, core: &Core, routed: &RoutedRequest<'_>) -> bool {
        let revision = routed.parts.revision;
        self.revisions.contains(&revision)
            && self.capability.is_none_or(|capability| {
                core.capabilities(routed.connection, revision)
                    .has(capability)
            })
    }
}

/// Returns an empty result.
pub(super) fn empty_result() -> Payload {
    Payload::Object(JsonObject::new())
}
