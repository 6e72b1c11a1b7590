//! The command line as clap reads it.
//!
//! Not by its derive, which would be two crates more for every server.

use clap::{Arg, ArgAction, ArgMatches, value_parser};

#[cfg(feature = "http")]
use super::http::Http;
use crate::protocol::Revision;

/// What the arguments of the process say.
#[derive(Default)]
pub(crate) struct Arguments {
    #[cfg(feature = "http")]
    pub(super) http: Http,
    /// Serves where there is none.
    pub(super) command: Option<Command>,
}

pub(super) enum Command {
    Tools {
        revision: Revision,
    },
    Call {
        name: String,
        arguments: Vec<String>,
        dry_run: bool,
    },
    Check,
}

impl Arguments {
    /// Ends the process where they are wrong, or ask for help.
    pub(crate) fn parse() -> Self {
        // A client starts most servers so, and reading nothing takes longer than
        // to start the runtime.
        if std::env::args_os().len() <= 1 {
            return Self::default();
        }
        Self::read()
    }

    /// Apart, since it takes pages of the stack that nothing else needs.
    #[inline(never)]
    fn read() -> Self {
        let mut found = program().get_matches();
        let command = found
            .remove_subcommand()
            .map(|(name, found)| Command::of(&name, found));
        Self {
            #[cfg(feature = "http")]
            http: Http::of(found),
            command,
        }
    }

    /// Whether they say to serve on standard input and output.
    pub(crate) fn serve_stdio(&self) -> bool {
        #[cfg(feature = "http")]
        if self.http.is_wanted() {
            return false;
        }
        self.command.is_none()
    }
}

impl Command {
    fn of(name: &str, mut found: ArgMatches) -> Self {
        match name {
            "tools" => Self::Tools {
                revision: found.remove_one("revision").unwrap_or(Revision::NEWEST),
            },
            "call" => Self::Call {
                name: found.remove_one("name").unwrap_or_default(),
                arguments: every(&mut found, "arguments"),
                dry_run: found.get_flag("dry-run"),
            },
            _ => Self::Check,
        }
    }
}

/// All values of an argument that may be there several times.
pub(super) fn every(found: &mut ArgMatches, id: &str) -> Vec<String> {
    found.remove_many(id).into_iter().flatten().collect()
}

fn program() -> clap::Command {
    let program = clap::Command::new("server")
        .about(
            "Serves its tools to MCP clients, on standard input and output unless told otherwise",
        )
        .after_help("Logs go to stderr; MCP_LOG=debug, or MCP_LOG=target=level,…, chooses what.")
        .subcommands([tools(), call(), check()]);
    #[cfg(feature = "http")]
    let program = program.args(Http::arguments());
    program
}

fn tools() -> clap::Command {
    let revision = Arg::new("revision")
        .long("revision")
        .value_name("REVISION")
        .value_parser(value_parser!(Revision))
        .help(format!(
            "The protocol revision to list for [default: {}]",
            Revision::NEWEST
        ));
    clap::Command::new("tools")
        .about("Print the result of `tools/list`")
        .arg(revision)
}

fn call() -> clap::Command {
    clap::Command::new("call")
        .about("Call a tool and print its result")
        .args([
            Arg::new("name")
                .value_name("NAME")
                .required(true)
                .help("The name of the tool"),
            Arg::new("arguments")
                .value_name("ARGUMENTS")
                .action(ArgAction::Append)
                .num_args(0..)
                .help("`key=value` pairs, or one JSON object"),
            Arg::new("dry-run")
                .long("dry-run")
                .action(ArgAction::SetTrue)
                .help("Do everything but run the tool, and say what it would be run with"),
        ])
}

fn check() -> clap::Command {
    clap::Command::new("check")
        .about("Check that the server can start, and list what it would serve")
}
