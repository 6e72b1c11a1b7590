use std::sync::Arc;

use serde_json::{Map, json};

use super::authorize::authorize;
use super::gate::Gate;
use super::{Reply, Service, Work, invalid, resolve};
use crate::argument::{Completing, Parameter};
use crate::codec::Payload;
use crate::context::RequestScope;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CompleteRequestParams, CompletionReference};
use crate::registry::{Common, Defined, Snapshot};

/// Takes the parameters of `completion/complete` through the same gates as what
/// they belong to: who may not use a prompt learns nothing of its arguments.
pub(crate) fn complete(service: &Service, scope: &RequestScope<'_>, params: &str) -> Work<Reply> {
    let Ok(request) = serde_json::from_str::<CompleteRequestParams<'_>>(params) else {
        return invalid(
            "`completion/complete` needs `ref`, a `ref/prompt` with `name` or a `ref/resource` \
             with `uri`, and `argument`, an object of the strings `name` and `value`",
        );
    };
    let snapshot = service.registry.snapshot();
    let referred = refer(&snapshot, scope, &request.reference);
    let found =
        referred.and_then(|(common, gate)| Ok((parameter(&common, &request.argument.name)?, gate)));
    let (parameter, gate) = match found {
        Ok(found) => found,
        Err(error) => return Work::Ready(Err(error)),
    };
    let completing = Completing {
        value: request.argument.value.into_owned(),
        arguments: request.context.arguments,
        state: Arc::clone(&service.state),
        context: Arc::clone(scope.context()),
    };
    // A function of the user's may block, so it runs where bodies do.
    let body = move || answer(parameter, &completing);
    match gate {
        Gate::Ready(Ok(())) => Work::Blocking(Box::new(body)),
        Gate::Ready(Err(denial)) => Work::Ready(Err(denial.into())),
        Gate::Later(gate) => {
            let cancellation = scope.cancellation().clone();
            Work::Future(Box::pin(async move {
                gate.await?;
                let reply = Work::Blocking(Box::new(body)).run(&cancellation).await;
                // Nobody reads what a cancelled request answers.
                reply.unwrap_or_else(|| Err(ErrorObject::internal()))
            }))
        }
    }
}

/// What a reference names: a prompt by name, a resource by template or by URI.
fn refer(
    snapshot: &Snapshot,
    scope: &RequestScope<'_>,
    reference: &CompletionReference<'_>,
) -> Result<(Arc<dyn Defined>, Gate), ErrorObject> {
    match reference {
        CompletionReference::Prompt { name } => {
            let prompt = resolve::prompt(snapshot, name)?;
            let gate = authorize(&*prompt, scope);
            Ok((prompt, gate))
        }
        CompletionReference::Resource { uri } => {
            let resource = match snapshot.templates.get(uri) {
                Some(family) => Arc::clone(family),
                None => match snapshot.resource(uri) {
                    Some(found) => found.resource,
                    None => return Err(unknown_template(uri)),
                },
            };
            let gate = authorize(&*resource, scope);
            Ok((resource, gate))
        }
    }
}

fn unknown_template(uri: &str) -> ErrorObject {
    let uri = crate::text::shortened(uri, 200);
    ErrorObject::invalid_params(format!(
        "there is no resource template `{uri}`; `resources/templates/list` names those that are"
    ))
}

/// The parameter of that name; `None` of one whose values nothing is known about.
fn parameter(
    definition: &Arc<dyn Defined>,
    name: &str,
) -> Result<Option<&'static Parameter>, ErrorObject> {
    let Common {
        arguments,
        name: owner,
        ..
    } = definition.common();
    let found = arguments
        .parameters
        .iter()
        .find(|known| known.name() == name);
    if found.is_some() || (arguments.parameters.is_empty() && arguments.has(name)) {
        return Ok(found);
    }
    let name = crate::text::shortened(name, 80);
    Err(ErrorObject::invalid_params(format!(
        "`{owner}` has no argument `{name}`"
    )))
}

fn answer(parameter: Option<&Parameter>, completing: &Completing) -> Reply {
    let guarded = std::panic::AssertUnwindSafe(|| {
        let completion = parameter.map(|parameter| parameter.completion(completing));
        completion.unwrap_or_default()
    });
    match std::panic::catch_unwind(guarded) {
        Ok(completion) => Ok(Payload::Object(Map::from_iter([(
            "completion".to_owned(),
            json!(completion),
        )]))),
        Err(_) => {
            tracing::error!("a function that completes panicked");
            Err(ErrorObject::internal())
        }
    }
}
