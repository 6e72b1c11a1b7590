use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::call::{self, Reply, Work};
use crate::codec::Payload;
use crate::dispatch::Dispatcher;
use crate::dispatch::capability::Capability;
use crate::dispatch::table::{MODERN, Routed, Row};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CallToolRequestParams, JsonObject, Task};
use crate::registry::{Defined, TaskSupport};
use crate::task::{self, Tasks};

/// The methods of the extension `io.modelcontextprotocol/tasks`.
pub(in crate::dispatch) const ROWS: [Row; 3] = [
    Row::new("tasks/cancel", MODERN, Capability::Tasks, cancel),
    Row::new("tasks/get", MODERN, Capability::Tasks, get),
    Row::new("tasks/update", MODERN, Capability::Tasks, update),
];

impl Dispatcher {
    /// How many tasks run, or wait for their clients.
    #[must_use]
    pub fn task_count(&self) -> usize {
        self.core().tasks.count()
    }

    /// Ends all tasks that run, as before the server stops: they have failed then,
    /// with a message that says so.
    ///
    /// The servers of this crate do so by themselves; one that is mounted in
    /// another does not know when that one stops.
    pub async fn stop_tasks(&self) {
        self.core().tasks.stop().await;
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    task_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateParams {
    task_id: String,
    input_responses: JsonObject,
}

fn get(dispatcher: &Dispatcher, call: &Routed<'_>) -> Work<Reply> {
    with_task(
        dispatcher,
        call,
        |tasks, owner, params: Params| async move {
            let task = tasks.get(owner.as_deref(), &params.task_id).await?;
            Ok(Payload::Object(members(&task, "complete")))
        },
    )
}

fn update(dispatcher: &Dispatcher, call: &Routed<'_>) -> Work<Reply> {
    with_task(
        dispatcher,
        call,
        |tasks, owner, params: UpdateParams| async move {
            let answers = params.input_responses;
            tasks
                .update(owner.as_deref(), &params.task_id, answers)
                .await?;
            Ok(Payload::Object(JsonObject::new()))
        },
    )
}

fn cancel(dispatcher: &Dispatcher, call: &Routed<'_>) -> Work<Reply> {
    with_task(
        dispatcher,
        call,
        |tasks, owner, params: Params| async move {
            tasks.cancel(owner.as_deref(), &params.task_id).await?;
            Ok(Payload::Object(JsonObject::new()))
        },
    )
}

/// Reads the parameters of a method about one task, for a client that knows tasks.
fn with_task<P, F, A>(dispatcher: &Dispatcher, call: &Routed<'_>, method: F) -> Work<Reply>
where
    P: DeserializeOwned,
    F: FnOnce(Arc<Tasks>, Option<String>, P) -> A,
    A: Future<Output = Reply> + Send + 'static,
{
    if !call::knows_tasks(call.scope) {
        return Work::Ready(Err(call::no_tasks()));
    }
    let params = call.request.params.map_or("{}", RawValue::get);
    // An array would do for a struct as well.
    let params = Some(params).filter(|params| params.starts_with('{'));
    let Some(params) = params.and_then(|params| serde_json::from_str(params).ok()) else {
        let message = "`taskId` must be a string, and `inputResponses` of `tasks/update` an object";
        return Work::Ready(Err(ErrorObject::invalid_params(message)));
    };
    let tasks = Arc::clone(&dispatcher.core().tasks);
    Work::Future(Box::pin(method(tasks, owner(call), params)))
}

/// Whose tasks these are; without authentication all callers are the same.
pub(super) fn owner(call: &Routed<'_>) -> Option<String> {
    call.scope.principal_id().map(str::to_owned)
}

/// Calls a tool, whose work may go on as a task.
///
/// What is ready at once, and a question that is asked at once, is the answer
/// itself: rounds of questions come before the task (SEP-2663).
pub(in crate::dispatch) fn call_tool(dispatcher: &Dispatcher, call: &Routed<'_>) -> Work<Reply> {
    let service = &dispatcher.core().service;
    let params = call.request.params.map_or("{}", RawValue::get);
    let as_task = can_be_task(dispatcher, call, params) && call::knows_tasks(call.scope);
    if as_task {
        let seat = || Arc::new(call.peer.in_flight().seat()) as _;
        call.scope.seat.get_or_init(seat);
    }
    match call::call_tool(service, call.scope, params) {
        Work::Future(mut body) if as_task => {
            match body.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(reply) => Work::Ready(reply),
                Poll::Pending => begin(dispatcher, call, Work::Future(body)),
            }
        }
        work @ Work::Blocking(_) if as_task => begin(dispatcher, call, work),
        work => work,
    }
}

fn can_be_task(dispatcher: &Dispatcher, call: &Routed<'_>, params: &str) -> bool {
    let snapshot = dispatcher.core().service.registry.snapshot();
    if !task::AVAILABLE || !call.scope.revision.is_modern() || !snapshot.has_tasks() {
        return false;
    }
    let request = CallToolRequestParams::read(params);
    let tool = request.and_then(|request| snapshot.tools.get(&request.name).cloned());
    tool.is_some_and(|tool| tool.common().policy.task != TaskSupport::Forbidden)
}

/// Lets the work go on, and answers with the task that it is now.
fn begin(dispatcher: &Dispatcher, call: &Routed<'_>, work: Work<Reply>) -> Work<Reply> {
    let (dispatcher, revision) = (dispatcher.clone(), call.scope.revision);
    let context = Arc::clone(call.scope.context());
    let cancellation = call.scope.cancellation().clone();
    // Held by the body as well, which may have a thread that goes on.
    let (owner, seat) = (owner(call), call.scope.seat.get().map(Arc::clone));
    Work::Future(Box::pin(async move {
        let tasks = &dispatcher.core().tasks;
        let (task, running) = match tasks.begin(owner, cancellation.clone()).await {
            Ok(begun) => begun,
            // What it did so far would be done again by a client that comes back: so
            // this is a call as any other, which the server may decide of itself.
            Err(error) => {
                tracing::warn!(%error, "a task that cannot be kept goes on as a call");
                let reply = work.run(&cancellation).await;
                return reply.unwrap_or_else(|| Err(ErrorObject::internal()));
            }
        };
        context.asking.ask_at(Arc::clone(&running.desk));
        // A task tells nothing but its status.
        context.telling.end();
        let codec = dispatcher.clone();
        tasks.run(running, async move {
            let _seat = seat;
            let reply = work.run(&cancellation).await;
            reply.map(|reply| {
                let payload = reply?;
                let mut json = Vec::new();
                codec.core().codec.write(&mut json, revision, &payload);
                serde_json::from_slice(&json).map_err(|_| ErrorObject::internal())
            })
        });
        Ok(Payload::Object(members(&task, "task")))
    }))
}

fn members(task: &Task, result_type: &str) -> JsonObject {
    let Value::Object(mut members) = json!(task) else {
        return JsonObject::new();
    };
    members.insert("resultType".to_owned(), json!(result_type));
    members
}
