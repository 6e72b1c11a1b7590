use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue};

use super::connection_pool::Connector;

/// The settings of a client over HTTP.
pub(in crate::client) struct HttpSettings {
    pub(in crate::client) connector: Option<Connector>,
    /// The additional headers of every request, or the reason why a header is invalid.
    pub(super) headers: Result<HeaderMap, &'static str>,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            connector: None,
            headers: Ok(HeaderMap::new()),
        }
    }
}

impl HttpSettings {
    pub(in crate::client) fn add_header(
        &mut self,
        name: Result<HeaderName, &'static str>,
        value: &str,
    ) {
        let Ok(headers) = &mut self.headers else {
            return;
        };
        let value = HeaderValue::from_str(value).map_err(|_| "the value of a header is not valid");
        match name.and_then(|name| Ok((name, value?))) {
            Ok((name, mut value)) => {
                value.set_sensitive(true);
                headers.insert(name, value);
            }
            Err(reason) => self.headers = Err(reason),
        }
    }
}

impl fmt::Debug for HttpSettings {
    /// Writes no headers, because they may contain secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("HttpSettings")
            .finish_non_exhaustive()
    }
}
