use std::future::Future;

use super::InputRequestError;

/// A tuple of two to four input requests.
///
/// See [`Context::join`](crate::Context::join) for an example.
pub trait Join {
    /// The results of the requests, in the same order.
    type Results;

    /// Sends all requests at once and waits for their results.
    ///
    /// # Errors
    /// Returns the error of the first request that fails.
    fn join(self) -> impl Future<Output = Result<Self::Results, InputRequestError>> + Send;
}

macro_rules! join {
    ($($request:ident: $result:ident),+) => {
        impl<$($request, $result),+> Join for ($($request,)+)
        where
            $($request: Future<Output = Result<$result, InputRequestError>> + Send,)+
            $($result: Send,)+
        {
            type Results = ($($result,)+);

            #[allow(non_snake_case, reason = "the type names also name the values")]
            async fn join(self) -> Result<Self::Results, InputRequestError> {
                let ($($request,)+) = self;
                tokio::try_join!($($request),+)
            }
        }
    };
}

join!(A: U, B: V);
join!(A: U, B: V, C: W);
join!(A: U, B: V, C: W, D: X);
