use std::fmt;
use std::marker::PhantomData;

use super::{Completable, CompletionRequest};
use crate::context::Injectable;
use crate::protocol::Completion;

/// A function in generated code that calls the completion function of a parameter.
pub type CompletionFn = fn(&CompletionRequest) -> Completion;

/// Calls a completion function of any of the supported signatures.
pub fn complete_argument<Form>(
    request: &CompletionRequest,
    function: impl Completer<Form>,
) -> Completion {
    function.complete(request)
}

/// A function that suggests values for an argument.
///
/// `Form` is a marker for the signature of the function. It allows one trait to cover all supported
/// signatures.
#[diagnostic::on_unimplemented(
    message = "this function cannot complete an argument",
    label = "its signature is not `fn(&str) -> Vec<String>`",
    note = "a completion function takes `&str` or `&CompletionRequest`, then at most one state value `&T`, and returns a list of strings or a `Completion`"
)]
pub trait Completer<Form> {
    /// Returns suggestions for the value of the argument.
    fn complete(self, request: &CompletionRequest) -> Completion;
}

/// A marker for a function that takes the typed text.
#[derive(Debug)]
pub struct TextSignature;
/// A marker for a function that takes the whole request.
#[derive(Debug)]
pub struct RequestSignature;
/// A marker for a function that also borrows a state value `A`.
pub struct StateSignature<Form, A: ?Sized>(PhantomData<Form>, PhantomData<fn(&A)>);

impl<Form, A: ?Sized> fmt::Debug for StateSignature<Form, A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StateSignature")
    }
}

impl<F: Fn(&str) -> C, C: Completable> Completer<TextSignature> for F {
    fn complete(self, request: &CompletionRequest) -> Completion {
        self(&request.value).into_completion(&request.value)
    }
}

impl<F: Fn(&CompletionRequest) -> C, C: Completable> Completer<RequestSignature> for F {
    fn complete(self, request: &CompletionRequest) -> Completion {
        self(request).into_completion(&request.value)
    }
}

impl<F, A, C> Completer<StateSignature<TextSignature, A>> for F
where
    F: Fn(&str, &A) -> C,
    A: ?Sized + Injectable,
    C: Completable,
{
    fn complete(self, request: &CompletionRequest) -> Completion {
        match request.borrow::<A>() {
            Some(state) => self(&request.value, &state).into_completion(&request.value),
            None => without_state::<A>(),
        }
    }
}

impl<F, A, C> Completer<StateSignature<RequestSignature, A>> for F
where
    F: Fn(&CompletionRequest, &A) -> C,
    A: ?Sized + Injectable,
    C: Completable,
{
    fn complete(self, request: &CompletionRequest) -> Completion {
        match request.borrow::<A>() {
            Some(state) => self(request, &state).into_completion(&request.value),
            None => without_state::<A>(),
        }
    }
}

fn without_state<A: ?Sized>() -> Completion {
    let type_name = std::any::type_name::<A>();
    tracing::warn!("a completion function takes `&{type_name}`, but the server has no such state");
    Completion::default()
}
