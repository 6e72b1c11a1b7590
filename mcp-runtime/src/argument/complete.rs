use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::context::{Context, Injected, State};
use crate::protocol::Completion;

/// An argument that is being typed.
///
/// A function behind `#[arg(complete = function)]` takes it, or only the text
/// as a `&str`; after that it may borrow one value from the server.
///
/// ```
/// use mcp_runtime::Completing;
///
/// fn cities(completing: &Completing) -> Vec<&'static str> {
///     match completing.argument("country") {
///         Some("pl") => vec!["Gdynia", "Gdańsk"],
///         _ => Vec::new(),
///     }
/// }
/// ```
pub struct Completing {
    pub(crate) value: String,
    pub(crate) arguments: BTreeMap<String, String>,
    pub(crate) state: Arc<State>,
    pub(crate) context: Arc<Context>,
}

impl Completing {
    /// What was typed so far.
    #[must_use]
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Another argument that is settled already (since 2025-06-18).
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).map(String::as_str)
    }

    /// The request.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    fn borrow<T: ?Sized + Injected>(&self) -> Option<Arc<T>> {
        self.context.as_injected().or_else(|| self.state.get())
    }
}

impl fmt::Debug for Completing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Completing")
            .field("value", &self.value)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

/// What completes a parameter: generated code around a function of the user's.
pub type Complete = fn(&Completing) -> Completion;

/// Calls a function that completes, in whichever of the forms it is written.
pub fn completer<Form>(completing: &Completing, function: impl Completer<Form>) -> Completion {
    function.complete(completing)
}

/// A function that completes an argument.
#[diagnostic::on_unimplemented(
    message = "this function cannot complete an argument",
    label = "not of the form `fn(&str) -> Vec<String>`",
    note = "it takes `&str` or `&Completing`, then at most one `&T` from the server, and returns a list of strings or a `Completion`"
)]
pub trait Completer<Form> {
    /// The values that the argument may have.
    fn complete(self, completing: &Completing) -> Completion;
}

/// The function takes the text.
#[derive(Debug)]
pub struct OfText;
/// The function takes everything that is known.
#[derive(Debug)]
pub struct OfAll;
/// The function borrows an `A` besides.
pub struct Borrowing<Form, A: ?Sized>(PhantomData<Form>, PhantomData<fn(&A)>);

impl<Form, A: ?Sized> fmt::Debug for Borrowing<Form, A> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Borrowing")
    }
}

impl<F: Fn(&str) -> C, C: Completable> Completer<OfText> for F {
    fn complete(self, completing: &Completing) -> Completion {
        self(&completing.value).completion(&completing.value)
    }
}

impl<F: Fn(&Completing) -> C, C: Completable> Completer<OfAll> for F {
    fn complete(self, completing: &Completing) -> Completion {
        self(completing).completion(&completing.value)
    }
}

impl<F, A, C> Completer<Borrowing<OfText, A>> for F
where
    F: Fn(&str, &A) -> C,
    A: ?Sized + Injected,
    C: Completable,
{
    fn complete(self, completing: &Completing) -> Completion {
        match completing.borrow::<A>() {
            Some(lent) => self(&completing.value, &lent).completion(&completing.value),
            None => missing::<A>(),
        }
    }
}

impl<F, A, C> Completer<Borrowing<OfAll, A>> for F
where
    F: Fn(&Completing, &A) -> C,
    A: ?Sized + Injected,
    C: Completable,
{
    fn complete(self, completing: &Completing) -> Completion {
        match completing.borrow::<A>() {
            Some(lent) => self(completing, &lent).completion(&completing.value),
            None => missing::<A>(),
        }
    }
}

fn missing<A: ?Sized>() -> Completion {
    let type_name = std::any::type_name::<A>();
    tracing::warn!("a completion needs a `&{type_name}`, and the server has none");
    Completion::default()
}

/// What a function that completes returns: a list of candidates, of which those
/// that fit what was typed are ranked, or a [`Completion`] as it is.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// fn languages(_typed: &str) -> Vec<String> {
///     ["C", "Go", "Rust"].map(str::to_owned).into()
/// }
///
/// /// Asks for a review.
/// #[prompt]
/// fn review(#[arg(complete = languages)] language: String) -> String {
///     format!("Review this {language}.")
/// }
/// ```
pub trait Completable {
    /// What is shown for `typed`.
    fn completion(self, typed: &str) -> Completion;
}

impl Completable for Completion {
    fn completion(mut self, _: &str) -> Completion {
        limit(&mut self);
        self
    }
}

impl<S: Into<String>> Completable for Vec<S> {
    fn completion(self, typed: &str) -> Completion {
        ranked(self.into_iter().map(Into::into), typed)
    }
}

impl<S: Into<String>, const N: usize> Completable for [S; N] {
    fn completion(self, typed: &str) -> Completion {
        ranked(self.into_iter().map(Into::into), typed)
    }
}

/// More values than this may not be sent at once (specification, *Completion*).
const MOST: usize = 100;

fn limit(completion: &mut Completion) {
    if completion.values.len() > MOST {
        let total = completion.values.len() as u64;
        completion.total.get_or_insert(total);
        completion.has_more = Some(true);
        completion.values.truncate(MOST);
    }
}

/// Those that begin with what was typed, then those that contain it, then those
/// that have its letters in their order; each group sorted, case apart.
pub(super) fn ranked(candidates: impl Iterator<Item = String>, typed: &str) -> Completion {
    let typed = typed.to_lowercase();
    let fitting = candidates.filter_map(|candidate| {
        let folded = candidate.to_lowercase();
        let group = match folded.find(&typed) {
            Some(0) => 0,
            Some(_) => 1,
            None if has_letters_of(&folded, &typed) => 2,
            None => return None,
        };
        Some((group, folded, candidate))
    });
    let mut fitting: Vec<_> = fitting.collect();
    fitting.sort();
    fitting.dedup();
    let mut completion = Completion {
        total: Some(fitting.len() as u64),
        has_more: Some(false),
        values: fitting.into_iter().map(|(_, _, value)| value).collect(),
    };
    limit(&mut completion);
    completion
}

fn has_letters_of(text: &str, typed: &str) -> bool {
    let mut letters = text.chars();
    typed
        .chars()
        .all(|wanted| letters.any(|letter| letter == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_that_fit_are_ranked_and_others_left_out() {
        let check = |typed: &str, expected: &[&str]| {
            let found = ["Gdynia", "gdańsk", "Ogden", "Gouda", "Rome"].completion(typed);
            assert_eq!(found.values, expected, "{typed}");
            assert_eq!(found.total, Some(expected.len() as u64));
            assert_eq!(found.has_more, Some(false));
        };
        check("gd", &["gdańsk", "Gdynia", "Ogden", "Gouda"]);
        check("GDA", &["gdańsk", "Gdynia", "Gouda"]);
        check("x", &[]);
        check("", &["gdańsk", "Gdynia", "Gouda", "Ogden", "Rome"]);
    }

    #[test]
    fn at_most_a_hundred_values_are_sent() {
        let many: Vec<String> = (0..101).map(|number| format!("{number:03}")).collect();
        let found = many.clone().completion("");
        assert_eq!(
            (found.values.len(), found.total, found.has_more),
            (100, Some(101), Some(true))
        );
        let whole = Completion {
            values: many,
            total: Some(7),
            has_more: None,
        };
        let found = whole.completion("ignored");
        assert_eq!(
            (found.values.len(), found.total, found.has_more),
            (100, Some(7), Some(true))
        );
    }
}
