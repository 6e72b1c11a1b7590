use std::future::Future;

use super::AskError;

/// A tuple of two to four questions, for [`Context::together`](crate::Context::together).
pub trait Together {
    /// The answers, in the same order.
    type Answers;

    /// Asks all of them at once.
    ///
    /// # Errors
    /// That of the first question that fails.
    fn together(self) -> impl Future<Output = Result<Self::Answers, AskError>> + Send;
}

macro_rules! together {
    ($($question:ident: $answer:ident),+) => {
        impl<$($question, $answer),+> Together for ($($question,)+)
        where
            $($question: Future<Output = Result<$answer, AskError>> + Send,)+
            $($answer: Send,)+
        {
            type Answers = ($($answer,)+);

            #[allow(non_snake_case, reason = "the names of the types serve for the values too")]
            async fn together(self) -> Result<Self::Answers, AskError> {
                let ($($question,)+) = self;
                tokio::try_join!($($question),+)
            }
        }
    };
}

together!(A: U, B: V);
together!(A: U, B: V, C: W);
together!(A: U, B: V, C: W, D: X);
