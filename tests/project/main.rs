//! Rules of the source tree, and user crates built outside of it.

mod crates;
mod import_graph;
mod layers;
