use serde_json::value::RawValue;

use super::{Dispatcher, method};
use crate::call::{self, Reply, Work};
use crate::jsonrpc::ErrorObject;
use crate::protocol::CallToolRequestParams;

/// `tools/call`: only what is no call at all is a protocol error; everything
/// that the model can repair comes back as a result.
pub(super) fn call(dispatcher: &Dispatcher, call: &method::Incoming<'_>) -> Work<Reply> {
    let params = call.request.params.map_or("{}", RawValue::get);
    match serde_json::from_str::<CallToolRequestParams<'_>>(params) {
        Ok(params) => call::call_tool(&dispatcher.core().service, call.caller, &params),
        Err(_) => Work::Ready(Err(ErrorObject::invalid_params(
            "`tools/call` needs `name`, a string, and takes `arguments`, an object",
        ))),
    }
}
