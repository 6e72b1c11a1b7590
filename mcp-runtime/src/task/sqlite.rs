use std::fmt;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::store::share;
use super::{TaskRecord, TaskStore, TaskStoreError};

/// Keeps tasks in an SQLite database, so that they survive the server (feature `sqlite`).
///
/// What had ended stays what it was. A task that was running when its process
/// ended, however it ended, is `failed` afterwards, with a message that says so:
/// its work is not begun again, since nobody knows how far it had come.
/// A server that stops in good order tells its running tasks first.
///
/// The database belongs to one server at a time, and may hold what tools return,
/// so its file is made readable by its owner alone, on Unix; one that is there
/// already, or named by a `file:` URI, has the rights that it has. What has expired
/// is deleted when the next task is made.
///
/// ```
/// use mcp_runtime::{Server, SqliteTaskStore};
///
/// # let folder = std::env::temp_dir().join(format!("mcp-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("tasks.db");
/// let store = SqliteTaskStore::open(path)?.max_tasks(500);
/// let server = Server::new("example", "1.0.0").task_store(store);
/// # drop(server);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SqliteTaskStore {
    path: PathBuf,
    most: usize,
    connection: Mutex<Connection>,
}

/// What ends in a way that loses power or the process is still there.
const SETUP: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS mcp_task (
        id TEXT PRIMARY KEY NOT NULL,
        expires INTEGER,
        record TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS mcp_task_expires ON mcp_task (expires);
    CREATE INDEX IF NOT EXISTS mcp_task_owner ON mcp_task (json_extract(record, '$.owner'));
";

impl SqliteTaskStore {
    /// Opens a database, or makes one.
    ///
    /// # Errors
    /// [`TaskStoreError::Failed`] if the file is no database or cannot be written.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TaskStoreError> {
        let path = path.as_ref();
        make_private(path).map_err(|error| TaskStoreError::Failed(error.into()))?;
        let connection = Connection::open(path)?;
        connection.execute_batch(SETUP)?;
        Ok(Self {
            path: path.to_owned(),
            most: 10_000,
            connection: Mutex::new(connection),
        })
    }

    /// How many tasks are kept at most; 10 000 unless said. A caller, proven by
    /// authentication, may have a quarter of them.
    #[must_use]
    pub fn max_tasks(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic leaves open is rolled back when it is dropped.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Room for a further task of that owner: among all, and in the owner's share.
    fn make_room(
        &self,
        transaction: &Transaction<'_>,
        owner: Option<&str>,
    ) -> Result<(), TaskStoreError> {
        let now = millis(SystemTime::now());
        transaction.execute("DELETE FROM mcp_task WHERE expires <= ?1", [now])?;
        let all = transaction.query_row(ALL, [], extent)?;
        refused(all, self.most, now)?;
        match owner {
            Some(owner) => {
                let own = transaction.query_row(OF_OWNER, [owner], extent)?;
                refused(own, share(self.most), now)
            }
            None => Ok(()),
        }
    }
}

const ALL: &str = "SELECT count(*), min(expires) FROM mcp_task";
const OF_OWNER: &str =
    "SELECT count(*), min(expires) FROM mcp_task WHERE json_extract(record, '$.owner') = ?1";

/// How many tasks there are, and when the first of them expires.
type Extent = (i64, Option<i64>);

fn extent(row: &Row<'_>) -> rusqlite::Result<Extent> {
    Ok((row.get(0)?, row.get(1)?))
}

fn refused((count, first): Extent, most: usize, now: i64) -> Result<(), TaskStoreError> {
    let kept = usize::try_from(count).unwrap_or(usize::MAX);
    if kept < most {
        return Ok(());
    }
    let wait = first.and_then(|first| u64::try_from(first.saturating_sub(now)).ok());
    Err(TaskStoreError::Full {
        kept,
        room_in: wait.map(Duration::from_millis),
    })
}

impl TaskStore for SqliteTaskStore {
    fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError> {
        let json =
            serde_json::to_string(&record).map_err(|it| TaskStoreError::Failed(it.into()))?;
        let (id, expires) = (&record.task.task_id, record.expires().map(millis));
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let known = transaction.execute(
            "UPDATE mcp_task SET record = ?2, expires = ?3 WHERE id = ?1",
            params![id, json, expires],
        )?;
        if known == 0 {
            self.make_room(&transaction, record.owner.as_deref())?;
            transaction.execute(
                "INSERT INTO mcp_task (id, record, expires) VALUES (?1, ?2, ?3)",
                params![id, json, expires],
            )?;
        }
        Ok(transaction.commit()?)
    }

    fn get(&self, id: &str) -> Result<Option<TaskRecord>, TaskStoreError> {
        let connection = self.connection();
        let found =
            connection.query_row("SELECT record FROM mcp_task WHERE id = ?1", [id], |row| {
                row.get::<_, String>(0)
            });
        let found = found.optional()?;
        drop(connection);
        let record = found.map(|json| serde_json::from_str(&json)).transpose();
        record.map_err(|error| TaskStoreError::Failed(error.into()))
    }
}

/// Makes the file, if it is not there; SQLite gives what it puts beside it the same
/// rights. One that is there is not opened: to close it would take the locks away
/// that this process has on it.
fn make_private(path: &Path) -> io::Result<()> {
    let name = path.as_os_str().as_encoded_bytes();
    if name.is_empty() || name == b":memory:" || name.starts_with(b"file:") {
        return Ok(());
    }
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Milliseconds since 1970, as far as SQLite counts.
fn millis(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl From<rusqlite::Error> for TaskStoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl fmt::Debug for SqliteTaskStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SqliteTaskStore")
            .field("path", &self.path)
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_shares, record};
    use super::*;

    fn store(most: usize) -> SqliteTaskStore {
        SqliteTaskStore::open(":memory:").unwrap().max_tasks(most)
    }

    #[test]
    fn what_was_put_is_found_whole() {
        let store = store(2);
        let mut kept = record("a", None);
        kept.owner = Some("alice".to_owned());
        store.put(kept.clone()).unwrap();
        assert_eq!(store.get("a").unwrap().unwrap(), kept);
        kept.task.status_message = Some("it's done".to_owned());
        store.put(kept.clone()).unwrap();
        assert_eq!(store.get("a").unwrap().unwrap(), kept);
        assert!(store.get("b").unwrap().is_none());
    }

    #[test]
    fn a_full_store_lets_go_of_the_expired_only() {
        let store = store(2);
        store.put(record("a", Some(60_000))).unwrap();
        store.put(record("b", Some(0))).unwrap();
        store.put(record("c", None)).unwrap();
        assert!(store.get("b").unwrap().is_none());
        let full = store.put(record("d", None));
        let Err(TaskStoreError::Full { kept: 2, room_in }) = full else {
            panic!("{full:?}");
        };
        assert!(room_in.unwrap() <= Duration::from_secs(60));
        // What is there already can still end.
        store.put(record("a", Some(60_000))).unwrap();
    }

    #[test]
    fn nobody_takes_the_room_of_the_others() {
        check_shares(&store(8));
    }

    #[cfg(unix)]
    #[test]
    fn what_tools_return_is_kept_from_others() {
        use std::os::unix::fs::PermissionsExt;

        let folder = std::env::temp_dir().join(format!("mcp-tasks-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("tasks.db");
        let store = SqliteTaskStore::open(&path).unwrap();
        store.put(record("a", None)).unwrap();
        for file in std::fs::read_dir(&folder).unwrap() {
            let file = file.unwrap();
            let mode = file.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{file:?}");
        }
        // One that is there already is opened as it is.
        drop(store);
        let store = SqliteTaskStore::open(&path).unwrap();
        assert!(store.get("a").unwrap().is_some());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_no_database_is_an_error() {
        assert!(matches!(
            SqliteTaskStore::open("/no/such/folder/tasks.db"),
            Err(TaskStoreError::Failed(_))
        ));
    }
}
