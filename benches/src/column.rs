use std::fmt;
use std::path::{Path, PathBuf};

use crate::server::Server;

/// What a server is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// To add over standard input and output.
    Add,
    /// To give an order back.
    Echo,
    /// To list so many tools.
    List(usize),
    /// To add over HTTP.
    Http,
}

/// One way to serve the tools of the benchmark.
pub struct Column {
    pub(crate) name: &'static str,
    /// The tool that adds.
    pub(crate) add: &'static str,
    /// How many times less often it is asked than the floor, for the time that a run takes.
    pub(crate) rarer: u32,
    server: Box<dyn Fn(Kind) -> Option<Server>>,
}

impl Column {
    /// The floor, from the folder where it was built.
    #[must_use]
    pub fn floor(folder: &Path) -> Self {
        let [lines, http] = ["floor", "floor_http"].map(|name| Server::floor(folder.join(name)));
        let server = move |kind| match kind {
            Kind::Add => lines.clone().with("add"),
            Kind::Echo => lines.clone().with("echo"),
            Kind::List(count) => lines.clone().with("list").with(count),
            Kind::Http => http.clone(),
        };
        Self::new("floor", "add", 1, move |kind| Some(server(kind)))
    }

    /// Our own server, whose functions only compute.
    #[must_use]
    pub fn inline(folder: &Path) -> Self {
        let folder = folder.to_owned();
        Self::new("ours, `inline`", "add", 1, move |kind| {
            let name = match kind {
                Kind::Add | Kind::Echo | Kind::Http => "ours",
                Kind::List(2) => "few",
                Kind::List(200) => "many",
                Kind::List(1000) => "thousand",
                Kind::List(_) => return None,
            };
            Some(Server::new(folder.join(name)))
        })
    }

    /// Our own server, whose functions may block.
    #[must_use]
    pub fn plain(folder: &Path) -> Self {
        let ours = Server::new(folder.join("ours"));
        Self::new("ours, plain `fn`", "add_blocking", 1, move |kind| {
            matches!(kind, Kind::Add | Kind::Http).then(|| ours.clone())
        })
    }

    /// Another project's server, which lists so many tools if it is told `--tools COUNT`.
    #[must_use]
    pub fn peer(name: &'static str, program: PathBuf) -> Self {
        let peer = Server::new(program);
        Self::new(name, "add", 8, move |kind| {
            let peer = peer.clone();
            Some(match kind {
                Kind::List(count) => peer.with("--tools").with(count),
                _ => peer,
            })
        })
    }

    fn new(
        name: &'static str,
        add: &'static str,
        rarer: u32,
        server: impl Fn(Kind) -> Option<Server> + 'static,
    ) -> Self {
        Self {
            name,
            add,
            rarer,
            server: Box::new(server),
        }
    }

    pub(crate) fn server(&self, kind: Kind) -> Option<Server> {
        (self.server)(kind)
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Column")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
