//! The files of the runtime and which of them each one uses, read from its source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

/// A module as its path below the crate, such as `["transport", "http"]`.
type ModulePath = Vec<String>;

/// Which modules each module uses.
pub type ImportGraph = BTreeMap<ModulePath, BTreeSet<ModulePath>>;

/// Reads every module below `source`, the folder of `lib.rs`, without its unit tests.
pub fn import_graph(source: &Path) -> ImportGraph {
    let modules = modules(source);
    let uses = |(path, module): (&ModulePath, &Module)| {
        let targets = module
            .paths
            .iter()
            .filter_map(|used| resolve(&modules, path, used));
        let others = targets.filter(|target| target != path);
        (path.clone(), others.collect())
    };
    modules.iter().map(uses).collect()
}

/// The groups of modules that use each other in a circle.
pub fn cycles(graph: &ImportGraph) -> Vec<Vec<String>> {
    let reachable: BTreeMap<_, _> = graph
        .keys()
        .map(|from| (from, reach(graph, from)))
        .collect();
    let mut groups = BTreeSet::new();
    for (module, reached) in &reachable {
        let group: Vec<String> = reached
            .iter()
            .filter(|other| reachable[other].contains(*module))
            .map(|other| other.join("::"))
            .collect();
        if !group.is_empty() {
            groups.insert(group);
        }
    }
    groups.into_iter().collect()
}

fn reach(graph: &ImportGraph, from: &ModulePath) -> BTreeSet<ModulePath> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&ModulePath> = vec![from];
    while let Some(module) = open.pop() {
        for next in &graph[module] {
            if reached.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    reached
}

#[derive(Default)]
struct Module {
    /// What its `use` items give a name to.
    bindings: BTreeMap<String, Vec<String>>,
    /// The paths that its code names, and those that it imports for itself.
    paths: BTreeSet<Vec<String>>,
}

fn modules(source: &Path) -> BTreeMap<ModulePath, Module> {
    let mut modules = BTreeMap::new();
    let mut folders = vec![source.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().path();
            if file.is_dir() {
                folders.push(file);
                continue;
            }
            let path = module_path(source, &file);
            if path.iter().any(|name| name == "tests") {
                continue;
            }
            let syntax = syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap();
            let mut module = Module::default();
            module.visit_file(&syntax);
            modules.insert(path, module);
        }
    }
    modules
}

fn module_path(source: &Path, file: &Path) -> ModulePath {
    let below: PathBuf = file.strip_prefix(source).unwrap().with_extension("");
    let names = below.iter().map(|name| name.to_str().unwrap().to_owned());
    names
        .filter(|name| name != "mod" && name != "lib")
        .collect()
}

/// The module where what `path` names is defined; `None` outside of the crate.
fn resolve(
    modules: &BTreeMap<ModulePath, Module>,
    from: &ModulePath,
    path: &[String],
) -> Option<ModulePath> {
    let mut at = from.clone();
    let mut names = path.iter();
    match path.first()?.as_str() {
        "crate" => at.clear(),
        "self" => {}
        "super" => {
            at.pop();
        }
        first => {
            let child = [from.as_slice(), &[first.to_owned()]].concat();
            if !modules.contains_key(&child) {
                let bound = modules[from].bindings.get(first)?;
                // A name that is bound to itself is another crate.
                if bound.first()? == first {
                    return None;
                }
                return resolve(modules, from, &[bound, &path[1..]].concat());
            }
            at = child;
        }
    }
    names.next();
    while let Some(name) = names.next() {
        if name == "super" {
            at.pop();
            continue;
        }
        let child = [at.as_slice(), std::slice::from_ref(name)].concat();
        if modules.contains_key(&child) {
            at = child;
            continue;
        }
        let rest: Vec<String> = names.cloned().collect();
        return match modules.get(&at)?.bindings.get(name) {
            Some(bound) => {
                let full = [bound.as_slice(), &rest].concat();
                // What cannot be followed comes from another crate.
                resolve(modules, &at, &full)
            }
            None => Some(at),
        };
    }
    Some(at)
}

impl<'a> Visit<'a> for Module {
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if is_test(&item.attrs) {
            return;
        }
        let private = matches!(item.vis, syn::Visibility::Inherited);
        let mut found = Vec::new();
        flatten(&item.tree, &mut Vec::new(), &mut found);
        for (name, path) in found {
            if private {
                self.paths.insert(path.clone());
            }
            self.bindings.insert(name, path);
        }
    }

    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path
            .segments
            .iter()
            .map(|it| it.ident.to_string())
            .collect();
        let relative = matches!(names[0].as_str(), "crate" | "super" | "self");
        // A lower-case name before `::` is a module.
        let module = names.len() > 1 && names[0].starts_with(|it: char| it.is_ascii_lowercase());
        if (relative && names.len() > 1) || module {
            self.paths.insert(names);
        }
        visit::visit_path(self, path);
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    let is_test = |list: &syn::MetaList| {
        let tokens = list.tokens.to_string();
        list.path.is_ident("cfg")
            && tokens.contains("test")
            && !tokens.contains("not (test")
            && !tokens.contains("doctest")
    };
    attributes
        .iter()
        .any(|it| it.meta.require_list().is_ok_and(is_test))
}

/// Each name that a `use` tree binds, with the path that it stands for.
fn flatten(tree: &syn::UseTree, before: &mut Vec<String>, found: &mut Vec<(String, Vec<String>)>) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, found);
            before.pop();
        }
        syn::UseTree::Name(name) if name.ident == "self" => {
            found.push((before.last().unwrap().clone(), before.clone()));
        }
        syn::UseTree::Name(name) => {
            let name = name.ident.to_string();
            found.push((name.clone(), [before.as_slice(), &[name]].concat()));
        }
        syn::UseTree::Rename(rename) => {
            let path = [before.as_slice(), &[rename.ident.to_string()]].concat();
            found.push((rename.rename.to_string(), path));
        }
        syn::UseTree::Glob(_) => found.push((format!("{}::*", before.join("::")), before.clone())),
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, found);
            }
        }
    }
}
