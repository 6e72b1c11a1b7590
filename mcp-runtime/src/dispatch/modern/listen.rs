use std::collections::BTreeSet;
use std::sync::Arc;

use super::tasks;
use crate::call::{self, Execution, Reply};
use crate::codec::{self, Payload};
use crate::dispatch::capabilities::Capability;
use crate::dispatch::core::Core;
use crate::dispatch::route::{MODERN, Route, RoutedRequest};
use crate::dispatch::subscriptions::listen_stream::ListenStream;
use crate::dispatch::subscriptions::server_handle::ServerHandle;
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{SubscriptionFilter, SubscriptionsListenRequestParams, Task};
use crate::uri_template::normalize;

/// Opens a stream of notifications that lasts until one side closes it (specification
/// of 2026-07-28, *Subscriptions*).
pub(in crate::dispatch) const LISTEN: Route = Route::new(
    "subscriptions/listen",
    MODERN,
    Capability::Listening,
    listen,
);

/// The maximum number of resources, and of tasks, of one stream.
const MAX_SUBSCRIPTIONS: usize = 1024;
/// The maximum size of all URIs of one stream, in bytes, which bounds the time for
/// matching them.
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
        // The state of each task, which may have changed before the stream was open.
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
    // serde would read a struct from an array as well.
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

/// The resources that can be subscribed to and that the caller may read; the
/// acknowledgement leaves out the others.
///
/// # Errors
/// If the caller must try again later: without an error the stream would lack those
/// resources for its whole life.
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

/// The code of an error at a rate limit.
const LIMIT_REACHED: ErrorCode = ErrorCode::RATE_LIMITED;
/// The code of an error where no audit record can be written.
const NO_AUDIT: ErrorCode = ErrorCode::INTERNAL_ERROR;

/// Closes the stream when its request ends, in whatever way.
struct StreamGuard {
    handle: ServerHandle,
    stream: Arc<ListenStream>,
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        self.handle.close_stream(&self.stream);
    }
}
