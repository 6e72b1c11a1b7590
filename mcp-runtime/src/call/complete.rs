use std::sync::Arc;

use serde_json::{Map, json};

use super::admit::admit;
use super::authorize::authorize;
use super::target::Target;
use super::{Reply, Service, Work, invalid, resolve};
use crate::argument::{Candidates, Completing};
use crate::codec::Payload;
use crate::context::RequestScope;
use crate::jsonrpc::ErrorObject;
use crate::protocol::{CompleteRequestParams, CompletionReference};
use crate::registry::{Defined, RegisteredPrompt, Snapshot};

/// Completions are counted together, apart from what they belong to: one is
/// asked for at each key that is typed (specification, *Completion*, *Security*).
const METHOD: &str = "completion/complete";

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
    let referred = refer(service, &snapshot, scope, &request.reference);
    let found = referred.and_then(|found| candidates(&found, &request.argument.name));
    let admitted = found.and_then(|found| Ok((found, admit(service, METHOD, scope)?)));
    let (candidates, permit) = match admitted {
        Ok(admitted) => admitted,
        Err(error) => return Work::Ready(Err(error)),
    };
    let completing = Completing {
        value: request.argument.value.into_owned(),
        arguments: request.context.arguments,
        state: Arc::clone(&service.state),
        context: Arc::clone(scope.context()),
    };
    // A function of the user's may block, so it runs where bodies do.
    Work::Blocking(Box::new(move || {
        let _permit = permit;
        answer(&candidates, &completing)
    }))
}

/// What a reference names: a prompt by name, a resource by template or by URI.
fn refer(
    service: &Service,
    snapshot: &Snapshot,
    scope: &RequestScope<'_>,
    reference: &CompletionReference<'_>,
) -> Result<Arc<dyn Defined>, ErrorObject> {
    match reference {
        CompletionReference::Prompt { name } => {
            let prompt = resolve::prompt(service, scope, snapshot, name)?;
            let absent = || RegisteredPrompt::absent(service, scope, snapshot, name);
            authorize(service, &*prompt, scope, absent)?;
            Ok(prompt)
        }
        CompletionReference::Resource { uri } => {
            let resource = match snapshot.templates.get(uri) {
                Some(family) => Arc::clone(family),
                None => match snapshot.resource(uri) {
                    Some(found) => found.resource,
                    None => return Err(unknown_template(uri)),
                },
            };
            authorize(service, &*resource, scope, || unknown_template(uri))?;
            Ok(resource)
        }
    }
}

fn unknown_template(uri: &str) -> ErrorObject {
    let uri = crate::text::shortened(uri, 200);
    ErrorObject::invalid_params(format!(
        "there is no resource template `{uri}`; `resources/templates/list` names those that are"
    ))
}

/// Where the values of the argument of that name come from.
fn candidates(definition: &Arc<dyn Defined>, name: &str) -> Result<Candidates, ErrorObject> {
    let common = definition.common();
    common.arguments.candidates(name).ok_or_else(|| {
        let (owner, name) = (&common.name, crate::text::shortened(name, 80));
        ErrorObject::invalid_params(format!("`{owner}` has no argument `{name}`"))
    })
}

fn answer(candidates: &Candidates, completing: &Completing) -> Reply {
    let guarded = std::panic::AssertUnwindSafe(|| candidates.completion(completing));
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
