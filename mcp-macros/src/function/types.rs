use syn::visit::Visit;
use syn::{Type, TypeImplTrait, TypeReference};

/// Returns the owned type that the user should write instead of a borrowed type such as `&str`.
/// Returns `None` if the borrowed type can be a state value.
pub(super) fn owned_form(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Slice(_) => Some("Vec<_>"),
        Type::Path(path) if path.path.is_ident("str") => Some("String"),
        _ => None,
    }
}

/// Finds the first reference in a type that is not `'static`.
pub(super) fn find_borrow(ty: &Type) -> Option<TypeReference> {
    struct Find(Option<TypeReference>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
            let is_static = reference
                .lifetime
                .as_ref()
                .is_some_and(|name| name.ident == "static");
            if !is_static {
                self.0.get_or_insert_with(|| reference.clone());
            }
        }
        // References in a function type do not borrow from a value, so they are allowed.
        fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}

/// Finds the first `impl Trait` in a type.
pub(super) fn find_impl_trait(ty: &Type) -> Option<TypeImplTrait> {
    struct Find(Option<TypeImplTrait>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_impl_trait(&mut self, found: &'ast TypeImplTrait) {
            self.0.get_or_insert_with(|| found.clone());
        }
    }
    let mut find = Find(None);
    find.visit_type(ty);
    find.0
}
