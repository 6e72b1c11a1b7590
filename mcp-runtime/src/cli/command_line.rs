//! The command line, parsed with clap.
//!
//! This module uses the builder of clap, because the derive macro would add two crates to every
//! server.

use clap::{Arg, ArgAction, ArgMatches, value_parser};

#[cfg(feature = "http")]
use super::http::HttpArgs;
use super::option_values::take_values;
use crate::protocol::Revision;

/// The parsed command line of the process.
#[derive(Default)]
pub(crate) struct CommandLine {
    #[cfg(feature = "http")]
    pub(super) http: HttpArgs,
    /// The subcommand, or `None` to run the server.
    pub(super) command: Option<Subcommand>,
}

pub(super) enum Subcommand {
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

impl CommandLine {
    /// Parses the arguments of the process. Ends the process after an error or `--help`.
    pub(crate) fn parse() -> Self {
        // Skip clap without arguments. Most clients start a server without arguments, and clap
        // would take longer than the start of the runtime.
        if std::env::args_os().len() <= 1 {
            return Self::default();
        }
        Self::parse_arguments()
    }

    /// Parses the arguments with clap. This is a separate function because clap uses stack pages
    /// that no other code needs.
    #[inline(never)]
    fn parse_arguments() -> Self {
        let mut matches = program().get_matches();
        let command = matches
            .remove_subcommand()
            .map(|(name, matches)| Subcommand::from_matches(&name, matches));
        Self {
            #[cfg(feature = "http")]
            http: HttpArgs::from_matches(matches),
            command,
        }
    }

    /// Whether the program runs the server on standard input and output.
    pub(crate) fn serves_stdio(&self) -> bool {
        #[cfg(feature = "http")]
        if self.http.is_requested() {
            return false;
        }
        self.command.is_none()
    }
}

impl Subcommand {
    fn from_matches(name: &str, mut matches: ArgMatches) -> Self {
        match name {
            "tools" => Self::Tools {
                revision: matches.remove_one("revision").unwrap_or(Revision::NEWEST),
            },
            "call" => Self::Call {
                name: matches.remove_one("name").unwrap_or_default(),
                arguments: take_values(&mut matches, "arguments"),
                dry_run: matches.get_flag("dry-run"),
            },
            _ => Self::Check,
        }
    }
}

fn program() -> clap::Command {
    let program = clap::Command::new("server")
        .about("Serves its tools to MCP clients, on standard input and output by default")
        .after_help("Logs go to stderr; MCP_LOG=debug, or MCP_LOG=target=level,…, sets the filter.")
        .subcommands([tools(), call(), check()]);
    #[cfg(feature = "http")]
    let program = program.args(HttpArgs::arguments());
    program
}

fn tools() -> clap::Command {
    let revision = Arg::new("revision")
        .long("revision")
        .value_name("REVISION")
        .value_parser(value_parser!(Revision))
        .help(format!(
            "The protocol revision of the list [default: {}]",
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
                .help("Validate and authorize the call, and print what would run, but do not run the tool"),
        ])
}

fn check() -> clap::Command {
    clap::Command::new("check")
        .about("Check that the server can start, and list all its definitions")
}
