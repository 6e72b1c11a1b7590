//! Notes in an SQLite file: state, errors and structured output.
//!
//! The file is `notes.db`, or the value of `NOTES_DB`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use mcp_runtime::prelude::*;
use rusqlite::{Connection, OptionalExtension, Row, params};

/// The database file.
pub(crate) struct Db(Mutex<Connection>);

/// A note.
#[json]
struct Note {
    /// The id of the note.
    id: i64,
    /// The text of the note.
    text: String,
}

impl Db {
    pub(crate) fn open(path: &str) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
        )?;
        Ok(Self(Mutex::new(connection)))
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn query(&self, sql: &str, pattern: &str) -> rusqlite::Result<Vec<Note>> {
        let connection = self.connection();
        let mut statement = connection.prepare_cached(sql)?;
        statement.query_map([pattern], note)?.collect()
    }
}

fn note(row: &Row<'_>) -> rusqlite::Result<Note> {
    Ok(Note {
        id: row.get("id")?,
        text: row.get("text")?,
    })
}

/// Adds a note.
#[tool]
fn add_note(
    db: &Db,
    /// The text of the note.
    text: String,
) -> Result<Note, ToolError> {
    if text.trim().is_empty() {
        return Err(ToolError::public("a note cannot be empty; pass its text"));
    }
    let sql = "INSERT INTO notes (text) VALUES (?1) RETURNING id, text";
    Ok(db.connection().query_row(sql, [text], note)?)
}

/// Lists all notes, oldest first.
#[tool(read_only, closed_world)]
fn list_notes(db: &Db) -> Result<Vec<Note>, ToolError> {
    Ok(db.query("SELECT id, text FROM notes WHERE ?1 = ?1 ORDER BY id", "")?)
}

/// Finds the notes that contain a text, ignoring case.
#[tool(read_only, closed_world)]
fn search_notes(
    db: &Db,
    /// The text to look for.
    query: String,
) -> Result<Vec<Note>, ToolError> {
    let sql = "SELECT id, text FROM notes WHERE instr(lower(text), lower(?1)) ORDER BY id";
    Ok(db.query(sql, &query)?)
}

/// Deletes a note permanently.
#[tool(destructive, idempotent, closed_world)]
fn delete_note(
    db: &Db,
    /// The id of the note, from the other tools.
    id: i64,
) -> Result<Note, ToolError> {
    let connection = db.connection();
    let sql = "DELETE FROM notes WHERE id = ?1 RETURNING id, text";
    let deleted = connection.query_row(sql, params![id], note).optional()?;
    deleted.ok_or_else(|| ToolError::public(format!("there is no note {id}")))
}

mcp_runtime::main!(|server| {
    let path = std::env::var("NOTES_DB").unwrap_or_else(|_| "notes.db".to_owned());
    server
        .instructions("Keeps short notes. Search before adding, to avoid duplicates.")
        .state(Db::open(&path)?)
});
