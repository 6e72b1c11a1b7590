use std::fmt;
use std::path::{Path, PathBuf};

use crate::server::Server;

/// The work that a server does in a benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Adding two numbers over standard input and output.
    Add,
    /// Returning an order of 15 KB.
    Echo,
    /// Listing this number of tools.
    List(usize),
    /// Adding two numbers over HTTP.
    Http,
}

/// A server of the benchmark's tools, and a column of the table.
pub struct ServerVariant {
    pub(crate) name: &'static str,
    /// The name of the tool that adds.
    pub(crate) add: &'static str,
    /// Divides the number of requests, to limit the time of a run.
    pub(crate) load_divisor: u32,
    server: Box<dyn Fn(Workload) -> Option<Server>>,
}

impl ServerVariant {
    /// Returns the floor, from the folder with the binaries.
    #[must_use]
    pub fn floor(folder: &Path) -> Self {
        let [lines, http] = ["floor", "floor_http"].map(|name| Server::floor(folder.join(name)));
        let server = move |workload| match workload {
            Workload::Add => lines.clone().with("add"),
            Workload::Echo => lines.clone().with("echo"),
            Workload::List(count) => lines.clone().with("list").with(count),
            Workload::Http => http.clone(),
        };
        Self::new("floor", "add", 1, move |workload| Some(server(workload)))
    }

    /// Returns our own server with `inline` functions.
    #[must_use]
    pub fn inline(folder: &Path) -> Self {
        let folder = folder.to_owned();
        Self::new("ours, `inline`", "add", 1, move |workload| {
            let name = match workload {
                Workload::Add | Workload::Echo | Workload::Http => "ours",
                Workload::List(2) => "few",
                Workload::List(200) => "many",
                Workload::List(1000) => "thousand",
                Workload::List(_) => return None,
            };
            Some(Server::new(folder.join(name)))
        })
    }

    /// Returns our own server with functions that may block.
    #[must_use]
    pub fn plain(folder: &Path) -> Self {
        let ours = Server::new(folder.join("ours"));
        Self::new("ours, plain `fn`", "add_blocking", 1, move |workload| {
            matches!(workload, Workload::Add | Workload::Http).then(|| ours.clone())
        })
    }

    /// Returns the server of another project, which takes the argument `--tools COUNT`.
    #[must_use]
    pub fn peer(name: &'static str, program: PathBuf) -> Self {
        let peer = Server::new(program);
        Self::new(name, "add", 8, move |workload| {
            let peer = peer.clone();
            Some(match workload {
                Workload::List(count) => peer.with("--tools").with(count),
                _ => peer,
            })
        })
    }

    fn new(
        name: &'static str,
        add: &'static str,
        load_divisor: u32,
        server: impl Fn(Workload) -> Option<Server> + 'static,
    ) -> Self {
        Self {
            name,
            add,
            load_divisor,
            server: Box::new(server),
        }
    }

    pub(crate) fn server(&self, workload: Workload) -> Option<Server> {
        (self.server)(workload)
    }
}

impl fmt::Debug for ServerVariant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ServerVariant")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
