use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{Visit, visit_expr_method_call};
use syn::{Expr, ExprMethodCall, FnArg, GenericArgument, Ident, Pat, Type};

use super::Emitter;

/// A visitor that finds the type `T` of each call `ctx.elicit::<T>(…)` in a handler, where `ctx` is
/// a borrowed parameter.
struct FormFinder<'a> {
    borrowed: Vec<&'a Ident>,
    found: Vec<&'a Type>,
    /// Whether the handler contains items. A type name in the handler may refer to such an item.
    has_items: bool,
}

impl<'ast> Visit<'ast> for FormFinder<'ast> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let is_borrowed = |ident| self.borrowed.contains(&ident);
        let is_elicit = matches!(&*call.receiver, Expr::Path(path)
            if call.method == "elicit" && path.path.get_ident().is_some_and(is_borrowed));
        let types = call.turbofish.iter().flat_map(|types| &types.args);
        if let (true, Some(GenericArgument::Type(ty))) = (is_elicit, types.into_iter().next()) {
            self.found.push(ty);
        }
        visit_expr_method_call(self, call);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.has_items = true;
    }
}

impl Emitter<'_> {
    /// Returns the `forms` field, which contains one check for each form type. The server runs
    /// these checks when it starts. Returns `None` if the handler has no `elicit` calls that can be
    /// checked.
    ///
    /// If a type cannot be named outside of the handler, the server checks it at the first
    /// elicitation.
    pub(super) fn forms(&self) -> Option<TokenStream> {
        let item = &self.function.item;
        let mut forms = FormFinder {
            borrowed: item.sig.inputs.iter().filter_map(borrowed).collect(),
            found: Vec::new(),
            has_items: false,
        };
        forms.visit_block(&item.block);
        let is_nameable = |ty: &&Type| !forms.has_items && is_explicit(ty.to_token_stream());
        let types: Vec<_> = forms.found.iter().copied().filter(is_nameable).collect();
        if types.is_empty() {
            return None;
        }
        let private = &self.private;
        let checks = types.iter().map(|ty| {
            quote_spanned! { ty.span() =>
                || {
                    use #private::selection::*;
                    (&#private::type_tag::<#ty>()).form_problem()
                }
            }
        });
        Some(quote::quote! { forms: &[#(#checks),*], })
    }
}

fn borrowed(input: &FnArg) -> Option<&Ident> {
    match input {
        FnArg::Typed(typed) => match (&*typed.pat, &*typed.ty) {
            (Pat::Ident(name), Type::Reference(_)) => Some(&name.ident),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// Checks whether the type has no inferred part (`_`).
fn is_explicit(ty: TokenStream) -> bool {
    ty.into_iter().all(|token| match token {
        TokenTree::Ident(ident) => ident != "_",
        TokenTree::Group(group) => is_explicit(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => true,
    })
}
