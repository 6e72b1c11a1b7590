use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::call::{self, Reply, Work};
use crate::codec::Payload;
use crate::dispatch::Dispatcher;
use crate::dispatch::capability::Capability;
use crate::dispatch::table::{MODERN, Routed, Row};
use crate::jsonrpc::{ErrorCode, ErrorObject};
use crate::protocol::{CallToolRequestParams, JsonObject, Task};
use crate::registry::{Defined, TaskSupport};
use crate::task::EXTENSION;

/// The methods of the extension `io.modelcontextprotocol/tasks`.
pub(in crate::dispatch) const ROWS: [Row; 3] = [
    Row::new(
        "tasks/cancel",
        MODERN,
        Capability::Tasks,
        |dispatcher, call| Work::Ready(cancel(dispatcher, call)),
    ),
    Row::new(
        "tasks/get",
        MODERN,
        Capability::Tasks,
        |dispatcher, call| Work::Ready(get(dispatcher, call)),
    ),
    Row::new(
        "tasks/update",
        MODERN,
        Capability::Tasks,
        |dispatcher, call| Work::Ready(update(dispatcher, call)),
    ),
];

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    task_id: String,
    #[serde(default)]
    input_responses: JsonObject,
}

fn get(dispatcher: &Dispatcher, call: &Routed<'_>) -> Reply {
    let Params { task_id, .. } = params(call)?;
    let tasks = &dispatcher.core().tasks;
    let task = tasks.get(call.scope.principal_id().unwrap_or_default(), &task_id)?;
    Ok(Payload::Object(members(&task, "complete")))
}

fn update(dispatcher: &Dispatcher, call: &Routed<'_>) -> Reply {
    let Params {
        task_id,
        input_responses,
    } = params(call)?;
    let (tasks, owner) = (
        &dispatcher.core().tasks,
        call.scope.principal_id().unwrap_or_default(),
    );
    tasks.update(owner, &task_id, input_responses)?;
    Ok(Payload::Object(JsonObject::new()))
}

fn cancel(dispatcher: &Dispatcher, call: &Routed<'_>) -> Reply {
    let Params { task_id, .. } = params(call)?;
    let (tasks, owner) = (
        &dispatcher.core().tasks,
        call.scope.principal_id().unwrap_or_default(),
    );
    tasks.cancel(owner, &task_id)?;
    Ok(Payload::Object(JsonObject::new()))
}

fn params(call: &Routed<'_>) -> Result<Params, ErrorObject> {
    if !declares(call) {
        return Err(undeclared());
    }
    let params = call.request.params.map_or("{}", RawValue::get);
    serde_json::from_str(params).map_err(|_| {
        ErrorObject::invalid_params(
            "`taskId` must be a string, and `inputResponses`, if there, an object",
        )
    })
}

fn declares(call: &Routed<'_>) -> bool {
    let capabilities = &call.scope.context().client.capabilities;
    let extensions = capabilities.extensions.as_ref();
    extensions.is_some_and(|extensions| extensions.get(EXTENSION).is_some_and(Value::is_object))
}

fn undeclared() -> ErrorObject {
    ErrorObject::new(
        ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY,
        "the client has not declared that it knows tasks",
    )
    .with_data(json!({ "requiredCapabilities": { "extensions": { EXTENSION: {} } } }))
}

/// Calls a tool, whose work may go on as a task.
///
/// What is ready at once, and a question that is asked at once, is the answer
/// itself: rounds of questions come before the task (SEP-2663).
pub(in crate::dispatch) fn call_tool(dispatcher: &Dispatcher, call: &Routed<'_>) -> Work<Reply> {
    let service = &dispatcher.core().service;
    let params = call.request.params.map_or("{}", RawValue::get);
    let support = support(dispatcher, call, params);
    let as_task = support != TaskSupport::Forbidden && declares(call);
    if support == TaskSupport::Required && !as_task {
        return Work::Ready(Err(undeclared()));
    }
    match call::call_tool(service, call.scope, params) {
        Work::Future(mut body) if as_task => {
            match body.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(reply) => Work::Ready(reply),
                Poll::Pending => Work::Ready(begin(dispatcher, call, Work::Future(body))),
            }
        }
        work @ Work::Blocking(_) if as_task => Work::Ready(begin(dispatcher, call, work)),
        work => work,
    }
}

fn support(dispatcher: &Dispatcher, call: &Routed<'_>, params: &str) -> TaskSupport {
    let snapshot = dispatcher.core().service.registry.snapshot();
    if !call.scope.revision.is_modern() || !snapshot.has_tasks() {
        return TaskSupport::Forbidden;
    }
    let request = serde_json::from_str::<CallToolRequestParams<'_>>(params).ok();
    let tool = request.and_then(|request| snapshot.tools.get(&request.name).cloned());
    tool.map_or(TaskSupport::Forbidden, |tool| tool.common().policy.task)
}

/// Lets the work go on, and answers with the task that it is now.
fn begin(dispatcher: &Dispatcher, call: &Routed<'_>, work: Work<Reply>) -> Reply {
    let tasks = Arc::clone(&dispatcher.core().tasks);
    let cancellation = call.scope.cancellation().clone();
    let (task, desk) = tasks.begin(
        call.scope.principal_id().unwrap_or_default(),
        cancellation.clone(),
    )?;
    let context = call.scope.context();
    context.asking.ask_at(desk);
    // A task tells nothing but its status.
    context.telling.end();
    let (dispatcher, revision) = (dispatcher.clone(), call.scope.revision);
    let id = task.task_id.clone();
    tokio::spawn(async move {
        let reply = work.run(&cancellation).await;
        let outcome = reply.map(|reply| {
            let payload = reply?;
            let mut json = Vec::new();
            dispatcher.core().codec.write(&mut json, revision, &payload);
            serde_json::from_slice(&json).map_err(|_| ErrorObject::internal())
        });
        tasks.end(&id, outcome);
    });
    Ok(Payload::Object(members(&task, "task")))
}

fn members(task: &Task, result_type: &str) -> JsonObject {
    let Value::Object(mut members) = json!(task) else {
        return JsonObject::new();
    };
    members.insert("resultType".to_owned(), json!(result_type));
    members
}
