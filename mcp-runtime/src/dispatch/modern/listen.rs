use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::value::RawValue;

use super::tasks;
use crate::call::{self, Reply, Work};
use crate::codec::{self, Payload};
use crate::dispatch::Dispatcher;
use crate::dispatch::capability::Capability;
use crate::dispatch::live::{ServerHandle, Stream};
use crate::dispatch::table::{MODERN, Routed, Row};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{SubscriptionFilter, SubscriptionsListenRequestParams, Task};

/// A stream of what changes, open until one side ends it (specification of
/// 2026-07-28, *Subscriptions*).
pub(in crate::dispatch) const LISTEN: Row = Row::new(
    "subscriptions/listen",
    MODERN,
    Capability::Listening,
    listen,
);

/// A client that names more resources or tasks than this is told to name fewer.
const MOST: usize = 1024;

fn listen(dispatcher: &Dispatcher, call: &Routed<'_>) -> Work<Reply> {
    let asked = match asked(call) {
        Ok(asked) => asked,
        Err(error) => return Work::Ready(Err(error)),
    };
    let offer = dispatcher.offer(call.peer, call.scope.revision);
    let tells_of_tasks = offer.has(Capability::Tasks) && !asked.task_ids.is_empty();
    if tells_of_tasks && !call::knows_tasks(call.scope) {
        return Work::Ready(Err(call::no_tasks()));
    }
    let resource_subscriptions = match permitted(dispatcher, call, &asked) {
        Ok(permitted) => permitted,
        Err(error) => return Work::Ready(Err(error)),
    };
    let mut asked = SubscriptionFilter {
        resource_subscriptions,
        ..asked
    };
    let live = dispatcher.handle().clone();
    let (id, outgoing) = (call.request.id.clone(), Arc::clone(call.scope.outgoing()));
    let closing = call.peer.closing().clone();
    let (tasks, owner) = (Arc::clone(&dispatcher.core().tasks), tasks::owner(call));
    Work::Future(Box::pin(async move {
        asked.task_ids = match tells_of_tasks {
            true => tasks.permitted(owner.as_deref(), &asked.task_ids).await,
            false => Vec::new(),
        };
        let stream = live.listen(id, outgoing, asked, &offer);
        let stream = stream.ok_or_else(|| {
            let message = "the server has as many listen streams as it may have; end one first";
            ErrorObject::new(ErrorCode::INTERNAL_ERROR, message)
        })?;
        let seat = Seat { live, stream };
        // What happened to a task before it was listened for.
        for id in &seat.stream.tasks {
            let stream = Arc::clone(&seat.stream);
            let tell = Arc::new(move |task: &Task| stream.tell_task(task));
            tasks.show(owner.as_deref(), id, tell).await;
        }
        tokio::select! {
            () = seat.stream.ending.cancelled() => {}
            () = closing.cancelled() => {}
        }
        Ok(Payload::Object(codec::tagged(Some(&seat.stream.id))))
    }))
}

fn asked(call: &Routed<'_>) -> Result<SubscriptionFilter, ErrorObject> {
    let params = call.request.params.map_or("{}", RawValue::get);
    // An array would do for a struct as well.
    let filter = serde_json::from_str::<SubscriptionsListenRequestParams<'_>>(params).ok();
    let filter = filter.filter(|params| params.notifications.get().starts_with('{'));
    let filter = filter.and_then(|params| serde_json::from_str(params.notifications.get()).ok());
    let filter: SubscriptionFilter = filter.ok_or_else(|| {
        ErrorObject::invalid_params(
            "`subscriptions/listen` needs `notifications`, an object of `toolsListChanged`, \
             `promptsListChanged`, `resourcesListChanged`, `resourceSubscriptions` and `taskIds`",
        )
    })?;
    if filter.resource_subscriptions.len() > MOST || filter.task_ids.len() > MOST {
        let message = format!("a stream is about at most {MOST} resources and {MOST} tasks");
        return Err(ErrorObject::invalid_params(message));
    }
    Ok(filter)
}

/// The resources that tell of changes and that the caller may read; others are
/// left out of the acknowledgement.
///
/// # Errors
/// Where the caller, or everybody, has to try again later: what it could hear of
/// then would be missing from the stream for good.
fn permitted(
    dispatcher: &Dispatcher,
    call: &Routed<'_>,
    asked: &SubscriptionFilter,
) -> Result<Vec<String>, ErrorObject> {
    let service = &dispatcher.core().service;
    let (mut permitted, mut admitted): (Vec<String>, _) = (Vec::new(), BTreeSet::new());
    for uri in &asked.resource_subscriptions {
        if permitted.contains(uri) {
            continue;
        }
        match call::permit_reading(service, call.scope, LISTEN.method, uri, &mut admitted) {
            Ok(found) if found.resource.subscribe => permitted.push(uri.clone()),
            Err(error) if matches!(error.code, LATER | STOPPED) => return Err(error),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(permitted)
}

/// What is answered at a limit, and where no audit record can be written.
const LATER: ErrorCode = ErrorCode::RATE_LIMITED;
const STOPPED: ErrorCode = ErrorCode::INTERNAL_ERROR;

/// Gives up the stream however its request ends.
struct Seat {
    live: ServerHandle,
    stream: Arc<Stream>,
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.live.hang_up(&self.stream);
    }
}
