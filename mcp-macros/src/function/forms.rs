use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{Visit, visit_expr_method_call};
use syn::{Expr, ExprMethodCall, FnArg, GenericArgument, Ident, Pat, Type};

use super::Emit;

/// Finds the types that a body asks a person for: `ctx.elicit::<T>(…)` on
/// something borrowed from the server.
struct Forms<'a> {
    borrowed: Vec<&'a Ident>,
    found: Vec<&'a Type>,
    /// Whether names in the body may be those of items that stand in it.
    has_items: bool,
}

impl<'ast> Visit<'ast> for Forms<'ast> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let is_borrowed = |ident| self.borrowed.contains(&ident);
        let asks = matches!(&*call.receiver, Expr::Path(path)
            if call.method == "elicit" && path.path.get_ident().is_some_and(is_borrowed));
        let types = call.turbofish.iter().flat_map(|types| &types.args);
        if let (true, Some(GenericArgument::Type(ty))) = (asks, types.into_iter().next()) {
            self.found.push(ty);
        }
        visit_expr_method_call(self, call);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.has_items = true;
    }
}

impl Emit<'_> {
    /// A check for each type that the body asks for, for when the server starts;
    /// nothing where the body asks for none.
    ///
    /// Types that only the body knows are found when they are first asked.
    pub(super) fn forms(&self) -> Option<TokenStream> {
        let item = &self.function.item;
        let mut forms = Forms {
            borrowed: item.sig.inputs.iter().filter_map(borrowed).collect(),
            found: Vec::new(),
            has_items: false,
        };
        forms.visit_block(&item.block);
        let known = |ty: &&Type| !forms.has_items && is_whole(ty.to_token_stream());
        let types: Vec<_> = forms.found.iter().copied().filter(known).collect();
        if types.is_empty() {
            return None;
        }
        let private = &self.private;
        let checks = types.iter().map(|ty| {
            quote_spanned! { ty.span() =>
                || {
                    use #private::kinds::*;
                    (&#private::probe::<#ty>()).form_problem()
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

/// Whether nothing of the type is left to the compiler to find.
fn is_whole(ty: TokenStream) -> bool {
    ty.into_iter().all(|token| match token {
        TokenTree::Ident(ident) => ident != "_",
        TokenTree::Group(group) => is_whole(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => true,
    })
}
