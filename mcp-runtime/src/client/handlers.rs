use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::duplex::{DuplexHandler, HandlerError, ServerMessage};
use crate::jsonrpc::ErrorObject;
use crate::protocol::{ClientCapabilities, ElicitRequestParams, JsonObject};

type Answer = Pin<Box<dyn Future<Output = Result<Value, HandlerError>> + Send>>;
type Handler = Box<dyn Fn(&ServerMessage) -> Answer + Send + Sync>;

/// The typed handlers of a client, by method: what is here is declared.
#[derive(Default)]
pub(super) struct Handlers {
    by_method: HashMap<&'static str, Handler>,
    form: Option<Handler>,
    page: Option<Handler>,
    tools: bool,
}

impl Handlers {
    /// Takes requests of `method`; parameters that do not fit are −32602.
    pub(super) fn request<P, R, F, A>(&mut self, method: &'static str, handler: F)
    where
        P: DeserializeOwned,
        R: Serialize,
        F: Fn(P) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, ErrorObject>> + Send + 'static,
    {
        self.by_method.insert(method, typed(handler));
    }

    /// Takes notifications of `method`; those that do not fit are dropped.
    pub(super) fn notification<P: DeserializeOwned>(
        &mut self,
        method: &'static str,
        handler: impl Fn(P) + Send + Sync + 'static,
    ) {
        let handler = move |message: &ServerMessage| -> Answer {
            match read(message) {
                Ok(params) => handler(params),
                Err(error) => tracing::warn!(%error, method, "a notification was dropped"),
            }
            Box::pin(async { Ok(Value::Null) })
        };
        self.by_method.insert(method, Box::new(handler));
    }

    pub(super) fn form<P, R, F, A>(&mut self, handler: F)
    where
        P: DeserializeOwned,
        R: Serialize,
        F: Fn(P) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, ErrorObject>> + Send + 'static,
    {
        self.form = Some(typed(handler));
    }

    pub(super) fn page<P, R, F, A>(&mut self, handler: F)
    where
        P: DeserializeOwned,
        R: Serialize,
        F: Fn(P) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, ErrorObject>> + Send + 'static,
    {
        self.page = Some(typed(handler));
    }

    pub(super) fn sampling_has_tools(&mut self) {
        self.tools = true;
    }

    pub(super) fn handles(&self, method: &str) -> bool {
        self.by_method.contains_key(method)
    }

    /// What a client with these handlers declares.
    pub(super) fn capabilities(&self) -> ClientCapabilities {
        let object = |value: Value| value.as_object().cloned();
        let elicitation = match (&self.form, &self.page) {
            (None, None) => None,
            (Some(_), None) => object(json!({})),
            (None, Some(_)) => object(json!({ "url": {} })),
            (Some(_), Some(_)) => object(json!({ "form": {}, "url": {} })),
        };
        let sampling = match self.tools {
            true => json!({ "tools": {} }),
            false => json!({}),
        };
        let has = |method: &str| self.handles(method);
        ClientCapabilities {
            elicitation,
            sampling: has("sampling/createMessage")
                .then(|| object(sampling))
                .flatten(),
            roots: has("roots/list").then(JsonObject::new),
            ..ClientCapabilities::default()
        }
    }

    fn find(&self, message: &ServerMessage) -> Option<&Handler> {
        if message.method != "elicitation/create" {
            return self.by_method.get(message.method.as_str());
        }
        match read::<ElicitRequestParams>(message) {
            Ok(ElicitRequestParams::Url(_)) => self.page.as_ref(),
            _ => self.form.as_ref(),
        }
    }
}

impl DuplexHandler for Handlers {
    fn handle(&self, message: ServerMessage) -> Answer {
        match self.find(&message) {
            Some(handler) => handler(&message),
            // Either side may ask whether the other is there (specification, *Ping*).
            None if message.method == "ping" => Box::pin(async { Ok(json!({})) }),
            None if message.id.is_none() => Box::pin(async { Ok(Value::Null) }),
            None => {
                let error = ErrorObject::method_not_found(&message.method);
                Box::pin(async { Err(error.into()) })
            }
        }
    }
}

impl fmt::Debug for Handlers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut methods: Vec<_> = self.by_method.keys().collect();
        methods.sort_unstable();
        write!(formatter, "Handlers({methods:?})")
    }
}

fn typed<P, R, F, A>(handler: F) -> Handler
where
    P: DeserializeOwned,
    R: Serialize,
    F: Fn(P) -> A + Send + Sync + 'static,
    A: Future<Output = Result<R, ErrorObject>> + Send + 'static,
{
    Box::new(move |message| match read(message) {
        Ok(params) => {
            let answer = handler(params);
            Box::pin(async move { Ok(serde_json::to_value(answer.await?)?) })
        }
        Err(error) => {
            let message = format!("the parameters of `{}` do not fit: {error}", message.method);
            Box::pin(async { Err(ErrorObject::invalid_params(message).into()) })
        }
    })
}

fn read<P: DeserializeOwned>(message: &ServerMessage) -> Result<P, serde_json::Error> {
    serde_json::from_str(message.params.as_deref().map_or("{}", RawValue::get))
}
