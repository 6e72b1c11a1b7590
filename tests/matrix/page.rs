use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use support::wire::Revision;

use crate::features::FEATURES;
use crate::methods::{METHODS, exists};
use crate::transports::{Transport, TransportClient};

const INTRODUCTION: &str = "# Methods, features and revisions

A test generates this page. To update it, run the test with `UPDATE_DOCS=1`.
\"yes\" means over every transport; otherwise the cell lists the transports.
\"replies\" is a client in the same process that only receives responses, like the command line.
\"memory\" is a client in the same process that receives all messages. \"HTTP\" is Streamable HTTP.
";

/// The transports over which something is so.
fn cell(mut is: impl FnMut(Transport) -> bool) -> String {
    let having: Vec<_> = Transport::ALL.into_iter().filter(|it| is(*it)).collect();
    match having.len() {
        0 => "–".to_owned(),
        4 => "yes".to_owned(),
        _ => {
            let names: Vec<_> = having.iter().map(ToString::to_string).collect();
            names.join(", ")
        }
    }
}

fn table(page: &mut String, word: &str) {
    write!(page, "\n| {word} |").unwrap();
    for revision in Revision::ALL {
        write!(page, " {revision} |").unwrap();
    }
    page.push_str("\n|---|---|---|---|---|---|\n");
}

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    table(&mut page, "method");
    for method in &METHODS {
        write!(page, "| `{}` |", method.name).unwrap();
        for revision in Revision::ALL {
            let cell = cell(|transport| {
                exists(method, &mut TransportClient::connect(transport, revision))
            });
            write!(page, " {cell} |").unwrap();
        }
        page.push('\n');
    }
    table(&mut page, "feature");
    for (name, probe) in FEATURES {
        write!(page, "| {name} |").unwrap();
        for revision in Revision::ALL {
            let cell = cell(|transport| probe(&mut TransportClient::connect(transport, revision)));
            write!(page, " {cell} |").unwrap();
        }
        page.push('\n');
    }
    page
}

#[test]
fn the_documentation_says_what_there_is() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/revisions.md");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, page, "set UPDATE_DOCS=1 and run this again");
}
