//! Notes that several users share: tokens, scopes, consent, rate limits and an audit file.
//!
//! The key in `keys.json` is public and only for this example. In your own server, use the
//! keys of your authorization server.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mcp_runtime::audit::JsonLines;
use mcp_runtime::auth::{Algorithm, JwtKeys, JwtValidator, Principal, ResourceMetadata};
use mcp_runtime::prelude::*;
use mcp_runtime::{Rate, Server};
use rusqlite::{Connection, params};

/// The issuer of the tokens.
const ISSUER: &str = "https://as.example.com";

/// The URI of this server, which is the audience of the tokens.
const RESOURCE: &str = "http://127.0.0.1:8080/mcp";

/// The notes of all callers.
pub(crate) struct Notes(Mutex<Connection>);

/// A note.
#[json]
struct Note {
    /// The id of the note.
    id: i64,
    /// The author of the note.
    author: String,
    /// The text of the note.
    text: String,
}

impl Notes {
    pub(crate) fn open(path: &str) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS shared_notes \
             (id INTEGER PRIMARY KEY, author TEXT NOT NULL, text TEXT NOT NULL)",
        )?;
        Ok(Self(Mutex::new(connection)))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lists the notes of all callers, oldest first.
#[tool(read_only, scopes("notes:read"))]
fn list_notes(notes: &Notes) -> Result<Vec<Note>, ToolError> {
    let connection = notes.connection();
    let mut statement =
        connection.prepare("SELECT id, author, text FROM shared_notes ORDER BY id")?;
    let rows = statement.query_map([], |row| {
        Ok(Note {
            id: row.get("id")?,
            author: row.get("author")?,
            text: row.get("text")?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Adds a note with the caller as its author.
#[tool(scopes("notes:write"))]
fn add_note(
    notes: &Notes,
    caller: &Principal,
    /// The text of the note.
    #[arg(length(1..=1000))]
    text: String,
) -> Result<Note, ToolError> {
    let connection = notes.connection();
    let sql = "INSERT INTO shared_notes (author, text) VALUES (?1, ?2)";
    connection.execute(sql, params![&*caller.id, text])?;
    Ok(Note {
        id: connection.last_insert_rowid(),
        author: caller.id.to_string(),
        text,
    })
}

/// Deletes a note of the caller, once the user has confirmed it.
#[tool(
    destructive,
    scopes("notes:write"),
    confirm = "Delete note {id} permanently?"
)]
fn delete_note(notes: &Notes, caller: &Principal, id: i64) -> Result<String, ToolError> {
    let sql = "DELETE FROM shared_notes WHERE id = ?1 AND author = ?2";
    match notes.connection().execute(sql, params![id, &*caller.id])? {
        0 => Err(ToolError::public(format!("you have no note {id}"))),
        _ => Ok(format!("note {id} was deleted")),
    }
}

/// Sets up authentication, limits and the audit file.
pub(crate) fn protect(
    server: Server,
    keys: JwtKeys,
    audit: JsonLines,
) -> Result<Server, ToolError> {
    let validator = JwtValidator::new(ISSUER, RESOURCE, keys).algorithms([Algorithm::HS256]);
    let metadata = ResourceMetadata::new(RESOURCE, [ISSUER])?.scopes(["notes:read"]);
    Ok(server
        .authenticate(validator)
        .resource_metadata(metadata)
        .rate_limit(Rate::per_minute(10))
        .timeout(Duration::from_secs(10))
        .audit_required(audit))
}

mcp_runtime::main!(|server| {
    let keys = std::env::var("KEYS").unwrap_or("examples/guarded_notes/keys.json".to_owned());
    let audit = JsonLines::open("guarded-notes.audit.jsonl")?;
    protect(server, JwtKeys::from_file(keys)?, audit)
        .map_err(|error| error.to_string())?
        .state(Notes::open("guarded-notes.db")?)
});
