use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::call::{self, Execution, Reply, ToolCallRequest};
use crate::codec::Payload;
use crate::dispatch::builtin_method::{BuiltinMethod, MODERN, RoutedRequest};
use crate::dispatch::capabilities::Capability;
use crate::dispatch::core::Core;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{JsonObject, Task};
use crate::registry::{Definition, TaskSupport};
use crate::task::{self, Tasks};

/// The methods of the extension `io.modelcontextprotocol/tasks`.
pub(in crate::dispatch) const ROUTES: [BuiltinMethod; 3] = [
    BuiltinMethod::new("tasks/cancel", MODERN, Capability::Tasks, cancel),
    BuiltinMethod::new("tasks/get", MODERN, Capability::Tasks, get),
    BuiltinMethod::new("tasks/update", MODERN, Capability::Tasks, update),
];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TaskParams {
    task_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateParams {
    task_id: String,
    input_responses: JsonObject,
}

fn get(core: &Arc<Core>, routed: &RoutedRequest<'_>) -> Execution<Reply> {
    with_task(
        core,
        routed,
        |tasks, owner, params: TaskParams| async move {
            let task = tasks.get(owner.as_deref(), &params.task_id).await?;
            Ok(Payload::Object(members(&task, "complete")))
        },
    )
}

fn update(core: &Arc<Core>, routed: &RoutedRequest<'_>) -> Execution<Reply> {
    with_task(
        core,
        routed,
        |tasks, owner, params: UpdateParams| async move {
            let responses = params.input_responses;
            tasks
                .update(owner.as_deref(), &params.task_id, responses)
                .await?;
            Ok(Payload::Object(JsonObject::new()))
        },
    )
}

fn cancel(core: &Arc<Core>, routed: &RoutedRequest<'_>) -> Execution<Reply> {
    with_task(
        core,
        routed,
        |tasks, owner, params: TaskParams| async move {
            tasks.cancel(owner.as_deref(), &params.task_id).await?;
            Ok(Payload::Object(JsonObject::new()))
        },
    )
}

/// Runs a method for one task. Returns an error if the client does not support tasks.
fn with_task<P, F, A>(core: &Core, routed: &RoutedRequest<'_>, method: F) -> Execution<Reply>
where
    P: DeserializeOwned,
    F: FnOnce(Arc<Tasks>, Option<String>, P) -> A,
    A: Future<Output = Reply> + Send + 'static,
{
    if !call::supports_tasks(routed.parts) {
        return Execution::Ready(Err(call::missing_task_support()));
    }
    // Require an object, because serde would also deserialize a struct from an array.
    let params = Some(routed.params()).filter(|params| params.starts_with('{'));
    let Some(params) = params.and_then(|params| serde_json::from_str(params).ok()) else {
        let message = "`taskId` must be a string, and `inputResponses` of `tasks/update` an object";
        return Execution::Ready(Err(ErrorObject::invalid_params(message)));
    };
    let tasks = Arc::clone(&core.tasks);
    Execution::Future(Box::pin(method(tasks, owner(routed), params)))
}

/// Returns the id of the principal that owns the tasks, or `None` for anonymous callers, who share
/// their tasks.
pub(super) fn owner(routed: &RoutedRequest<'_>) -> Option<String> {
    routed.parts.principal_id().map(str::to_owned)
}

/// Calls a tool. If the call does not finish immediately, continues it as a task if the tool and
/// the client support tasks.
///
/// If a result or an input request is ready immediately, the server replies with it directly. All
/// input requests therefore precede the task (SEP-2663).
pub(in crate::dispatch) fn call_tool(
    core: &Arc<Core>,
    routed: &RoutedRequest<'_>,
    request: ToolCallRequest<'_>,
) -> Execution<Reply> {
    let can_be_task = can_be_task(core, request.name) && call::supports_tasks(routed.parts);
    if can_be_task {
        let guard = || Arc::new(routed.connection.in_flight().start_work()) as _;
        routed.parts.work_guard.get_or_init(guard);
    }
    match call::call_tool(&core.server, routed.parts, request) {
        Execution::Future(mut future) if can_be_task => {
            match future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()))
            {
                Poll::Ready(reply) => Execution::Ready(reply),
                Poll::Pending => start_task(core, routed, Execution::Future(future)),
            }
        }
        execution @ Execution::Blocking(_) if can_be_task => start_task(core, routed, execution),
        execution => execution,
    }
}

fn can_be_task(core: &Core, tool: &str) -> bool {
    let snapshot = core.server.registry.snapshot();
    if !task::AVAILABLE || !snapshot.has_tasks() {
        return false;
    }
    let tool = snapshot.tools.get(tool);
    tool.is_some_and(|tool| tool.meta().policy.task != TaskSupport::Forbidden)
}

/// Creates a task that runs the execution, and replies with the task.
fn start_task(
    core: &Arc<Core>,
    routed: &RoutedRequest<'_>,
    execution: Execution<Reply>,
) -> Execution<Reply> {
    let (core, revision) = (Arc::clone(core), routed.parts.revision);
    let context = Arc::clone(routed.parts.context());
    let cancellation = routed.parts.cancellation().clone();
    // Share the guard with the handler, because the thread of the handler may outlive the task.
    let guard = routed.parts.work_guard.get().map(Arc::clone);
    let owner = owner(routed);
    Execution::Future(Box::pin(async move {
        let (task, running) = match core.tasks.create(owner, cancellation.clone()).await {
            Ok(created) => created,
            // After an error, the client would repeat work that is partly done. The server
            // therefore continues the execution as an ordinary call.
            Err(error) => {
                tracing::warn!(%error, "the task store failed; the call continues without a task");
                let reply = execution.run(&cancellation).await;
                return reply.unwrap_or_else(|| Err(ErrorObject::internal()));
            }
        };
        context.input_requests.set_inbox(Arc::clone(&running.inbox));
        // A task sends only notifications about its status.
        context.notifier.end();
        let tasks = Arc::clone(&core.tasks);
        tasks.run(running, async move {
            let _guard = guard;
            let reply = execution.run(&cancellation).await;
            reply.map(|reply| core.to_json(revision, &reply?))
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
