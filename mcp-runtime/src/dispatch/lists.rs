use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use super::Dispatcher;
use super::table::Routed;
use crate::call::{self, Reply};
use crate::codec::{self, Payload};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{JsonObject, ListToolsResult, Revision};

/// Results that are the same for everybody: encoded once a revision, then copied.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    tools: [OnceLock<Arc<str>>; Revision::ALL.len()],
}

/// The result of `tools/list`, sorted by name, on one page.
pub(super) fn tools(dispatcher: &Dispatcher, call: &Routed<'_>) -> Reply {
    if let Some(cursor) = cursor(call)? {
        return Err(ErrorObject::invalid_params(format!(
            "unknown cursor `{}`; start again without one",
            crate::text::shortened(&cursor, 40)
        )));
    }
    let core = dispatcher.core();
    if core.service.is_personal() {
        return Ok(Payload::Object(own_tools(dispatcher, call)));
    }
    let list = core.lists.tools[call.scope.revision.index()].get_or_init(|| {
        let tools = core.service.registry.tools();
        let tools = tools.map(|tool| codec::tool(tool.to_protocol(), call.scope.revision));
        let result = ListToolsResult {
            tools: tools.collect(),
            next_cursor: None,
        };
        core.codec.encode(
            call.scope.revision,
            &cacheable(&result, call.scope.revision),
        )
    });
    Ok(Payload::Encoded(Arc::clone(list)))
}

/// The tools that this caller may call.
fn own_tools(dispatcher: &Dispatcher, call: &Routed<'_>) -> JsonObject {
    let service = &dispatcher.core().service;
    let revision = call.scope.revision;
    let tools = service.registry.tools();
    let own = tools.filter(|tool| call::sees(service, tool, call.scope));
    let result = ListToolsResult {
        tools: own
            .map(|tool| codec::tool(tool.to_protocol(), revision))
            .collect(),
        next_cursor: None,
    };
    let mut members = cacheable(&result, revision);
    if let Some(scope) = members.get_mut("cacheScope") {
        *scope = json!("private");
    }
    members
}

fn cursor(call: &Routed<'_>) -> Result<Option<String>, ErrorObject> {
    #[derive(Default, serde::Deserialize)]
    struct Params {
        #[serde(default)]
        cursor: Option<String>,
    }
    let Some(params) = call.request.params else {
        return Ok(None);
    };
    let params: Params = serde_json::from_str(params.get())
        .map_err(|_| ErrorObject::invalid_params("`cursor` must be a string"))?;
    Ok(params.cursor)
}

/// A result that revisions since 2026-07-28 let clients keep.
///
/// `ttlMs` 0 asks to revalidate at each use (specification, *Caching*).
pub(super) fn cacheable<T: serde::Serialize>(result: &T, revision: Revision) -> JsonObject {
    let Ok(Value::Object(mut members)) = serde_json::to_value(result) else {
        return JsonObject::new();
    };
    if revision.is_modern() {
        members.insert("ttlMs".to_owned(), json!(0));
        members.insert("cacheScope".to_owned(), json!("public"));
    }
    members
}
