use std::collections::BTreeSet;
use std::sync::Arc;

use super::tasks;
use crate::call::{self, Execution, Reply};
use crate::codec::{self, Payload};
use crate::dispatch::builtin_method::{BuiltinMethod, MODERN, RoutedRequest};
use crate::dispatch::capabilities::Capability;
use crate::dispatch::core::Core;
use crate::dispatch::subscriptions::listen_stream::ListenStream;
use crate::dispatch::subscriptions::server_handle::ServerHandle;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{SubscriptionFilter, SubscriptionsListenRequestParams, Task};
use crate::uri_template::normalize;

/// The method that opens a stream of notifications. The stream lasts until the client or the server
/// closes it (specification of 2026-07-28, *Subscriptions*).
pub(in crate::dispatch) const LISTEN: BuiltinMethod = BuiltinMethod::new(
    "subscriptions/listen",
    MODERN,
    Capability::Listening,
    listen,
);

/// The maximum number of resources of a stream, and the maximum number of tasks of a stream.
const MAX_SUBSCRIPTIONS: usize = 1024;
/// The maximum total size of the URIs of one stream, in bytes. It limits the time for matching the
/// URIs.
const MAX_URI_BYTES: usize = 256 * 1024;

fn listen(core: &Arc<Core>, routed: &RoutedRequest<'_>) -> Execution<Reply> {
    try_listen(core, routed).unwrap_or_else(|error| Execution::Ready(Err(error)))
}

fn try_listen(
    core: &Arc<Core>,
    routed: &RoutedRequest<'_>,
) -> Result<Execution<Reply>, ErrorObject> {
    let mut filter = filter(routed)?;
    let capabilities = core.capabilities(routed.connection, routed.parts.revision);
    let with_tasks = capabilities.has(Capability::Tasks) && !filter.task_ids.is_empty();
    if with_tasks && !call::supports_tasks(routed.parts) {
        return Err(call::missing_task_support());
    }
    filter.resource_subscriptions = permitted_resources(core, routed, &filter)?;
    let handle = core.handle.clone();
    let (id, sink) = (routed.request.id.clone(), Arc::clone(routed.parts.sink()));
    let closing = routed.connection.closing().clone();
    let (tasks, owner) = (Arc::clone(&core.tasks), tasks::owner(routed));
    Ok(Execution::Future(Box::pin(async move {
        filter.task_ids = match with_tasks {
            true => tasks.filter_owned(owner.as_deref(), &filter.task_ids).await,
            false => Vec::new(),
        };
        let stream = handle.open_stream(id, sink, filter, &capabilities);
        let stream = stream.ok_or_else(|| {
            let message = "the server has as many listen streams as it may have; end one first";
            ErrorObject::new(ErrorCode::INTERNAL_ERROR, message)
        })?;
        let guard = StreamGuard { handle, stream };
        // Send the state of each task, because it may have changed before the stream was open.
        for id in &guard.stream.tasks {
            let stream = Arc::clone(&guard.stream);
            let notify = Arc::new(move |task: &Task| stream.notify_task(task));
            tasks.notify_current(owner.as_deref(), id, notify).await;
        }
        tokio::select! {
            () = guard.stream.closing.cancelled() => {}
            () = closing.cancelled() => {}
        }
        Ok(Payload::Object(codec::listen_meta(Some(&guard.stream.id))))
    })))
}

fn filter(routed: &RoutedRequest<'_>) -> Result<SubscriptionFilter, ErrorObject> {
    let params: Option<SubscriptionsListenRequestParams<'_>> =
        serde_json::from_str(routed.params()).ok();
    // Require an object, because serde would also deserialize a struct from an array.
    let filter = params.map(|params| params.notifications.get());
    let filter = filter.filter(|filter| filter.starts_with('{'));
    let filter = filter.and_then(|filter| serde_json::from_str(filter).ok());
    let filter: SubscriptionFilter = filter.ok_or_else(|| {
        ErrorObject::invalid_params(
            "`subscriptions/listen` needs `notifications`, an object of `toolsListChanged`, \
             `promptsListChanged`, `resourcesListChanged`, `resourceSubscriptions` and `taskIds`",
        )
    })?;
    let longest = filter
        .resource_subscriptions
        .len()
        .max(filter.task_ids.len());
    if longest > MAX_SUBSCRIPTIONS {
        return Err(ErrorObject::invalid_params(format!(
            "a stream is about at most {MAX_SUBSCRIPTIONS} resources and {MAX_SUBSCRIPTIONS} tasks"
        )));
    }
    let uris = filter.resource_subscriptions.iter();
    if uris.map(String::len).sum::<usize>() > MAX_URI_BYTES {
        return Err(ErrorObject::invalid_params(format!(
            "the URIs of a stream have at most {MAX_URI_BYTES} bytes; open several streams"
        )));
    }
    Ok(filter)
}

/// Returns the requested resources that support subscriptions and that the caller may read. The
/// acknowledgement leaves out all other resources.
///
/// # Errors
/// Returns an error if the server cannot check a resource at present. Without the error, the stream
/// would never include this resource.
fn permitted_resources(
    core: &Core,
    routed: &RoutedRequest<'_>,
    filter: &SubscriptionFilter,
) -> Result<Vec<String>, ErrorObject> {
    let (mut permitted, mut checked) = (Vec::new(), BTreeSet::new());
    for uri in &filter.resource_subscriptions {
        if !checked.insert(normalize(uri)) {
            continue;
        }
        let (server, method) = (&core.server, LISTEN.method);
        match call::permit_reading(server, routed.parts, method, uri) {
            Ok(found) if found.resource.subscribe => permitted.push(uri.clone()),
            Err(error) if matches!(error.code, LIMIT_REACHED | NO_AUDIT) => return Err(error),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(permitted)
}

/// The error code for an exceeded rate limit.
const LIMIT_REACHED: ErrorCode = ErrorCode::RATE_LIMITED;
/// The error code for a failure to write an audit record.
const NO_AUDIT: ErrorCode = ErrorCode::INTERNAL_ERROR;

/// A guard that closes the stream when its request ends.
struct StreamGuard {
    handle: ServerHandle,
    stream: Arc<ListenStream>,
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        self.handle.close_stream(&self.stream);
    }
}
