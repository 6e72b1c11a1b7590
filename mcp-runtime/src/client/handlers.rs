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

type ResponseFuture = Pin<Box<dyn Future<Output = Result<Value, HandlerError>> + Send>>;
type BoxHandler = Box<dyn Fn(&ServerMessage) -> ResponseFuture + Send + Sync>;

/// The typed handlers of a client. They determine which capabilities the client declares.
#[derive(Default)]
pub(super) struct ClientHandlers {
    by_method: HashMap<&'static str, BoxHandler>,
    elicit_form: Option<BoxHandler>,
    elicit_url: Option<BoxHandler>,
    sampling_tools: bool,
}

impl ClientHandlers {
    /// Sets the handler of a request. If the parameters do not match the type `P`, the client
    /// responds with error −32602.
    pub(super) fn request<P, R, F, A>(&mut self, method: &'static str, handler: F)
    where
        P: DeserializeOwned,
        R: Serialize,
        F: Fn(P) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, ErrorObject>> + Send + 'static,
    {
        self.by_method.insert(method, typed(handler));
    }

    /// Sets the handler of a notification. The client ignores a notification whose parameters do
    /// not match the type `P`.
    pub(super) fn notification<P: DeserializeOwned>(
        &mut self,
        method: &'static str,
        handler: impl Fn(P) + Send + Sync + 'static,
    ) {
        let handler = move |message: &ServerMessage| -> ResponseFuture {
            match parse_params(message) {
                Ok(params) => handler(params),
                Err(error) => {
                    tracing::warn!(%error, method, "dropped a notification with invalid parameters");
                }
            }
            Box::pin(async { Ok(Value::Null) })
        };
        self.by_method.insert(method, Box::new(handler));
    }

    pub(super) fn elicit_form<P, R, F, A>(&mut self, handler: F)
    where
        P: DeserializeOwned,
        R: Serialize,
        F: Fn(P) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, ErrorObject>> + Send + 'static,
    {
        self.elicit_form = Some(typed(handler));
    }

    pub(super) fn elicit_url<P, R, F, A>(&mut self, handler: F)
    where
        P: DeserializeOwned,
        R: Serialize,
        F: Fn(P) -> A + Send + Sync + 'static,
        A: Future<Output = Result<R, ErrorObject>> + Send + 'static,
    {
        self.elicit_url = Some(typed(handler));
    }

    /// Declares that the model of the client can call tools.
    pub(super) fn declare_sampling_tools(&mut self) {
        self.sampling_tools = true;
    }

    pub(super) fn handles(&self, method: &str) -> bool {
        self.by_method.contains_key(method)
    }

    /// Returns the capabilities that these handlers provide.
    pub(super) fn capabilities(&self) -> ClientCapabilities {
        let object = |value: Value| value.as_object().cloned();
        let elicitation = match (&self.elicit_form, &self.elicit_url) {
            (None, None) => None,
            (Some(_), None) => object(json!({})),
            (None, Some(_)) => object(json!({ "url": {} })),
            (Some(_), Some(_)) => object(json!({ "form": {}, "url": {} })),
        };
        let sampling = match self.sampling_tools {
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

    fn find(&self, message: &ServerMessage) -> Option<&BoxHandler> {
        if message.method != "elicitation/create" {
            return self.by_method.get(message.method.as_str());
        }
        match parse_params::<ElicitRequestParams>(message) {
            Ok(ElicitRequestParams::Url(_)) => self.elicit_url.as_ref(),
            _ => self.elicit_form.as_ref(),
        }
    }
}

impl DuplexHandler for ClientHandlers {
    fn handle(&self, message: ServerMessage, (): ()) -> ResponseFuture {
        match self.find(&message) {
            Some(handler) => handler(&message),
            // Both the client and the server may send a ping (specification, *Ping*).
            None if message.method == "ping" => Box::pin(async { Ok(json!({})) }),
            None if message.id.is_none() => Box::pin(async { Ok(Value::Null) }),
            None => {
                let error = ErrorObject::method_not_found(&message.method);
                Box::pin(async { Err(error.into()) })
            }
        }
    }
}

impl fmt::Debug for ClientHandlers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut methods: Vec<_> = self.by_method.keys().collect();
        methods.sort_unstable();
        write!(formatter, "ClientHandlers({methods:?})")
    }
}

fn typed<P, R, F, A>(handler: F) -> BoxHandler
where
    P: DeserializeOwned,
    R: Serialize,
    F: Fn(P) -> A + Send + Sync + 'static,
    A: Future<Output = Result<R, ErrorObject>> + Send + 'static,
{
    Box::new(move |message| match parse_params(message) {
        Ok(params) => {
            let result = handler(params);
            Box::pin(async move { Ok(serde_json::to_value(result.await?)?) })
        }
        Err(error) => {
            let message = format!("invalid parameters of `{}`: {error}", message.method);
            Box::pin(async { Err(ErrorObject::invalid_params(message).into()) })
        }
    })
}

fn parse_params<P: DeserializeOwned>(message: &ServerMessage) -> Result<P, serde_json::Error> {
    serde_json::from_str(message.params.as_deref().map_or("{}", RawValue::get))
}
