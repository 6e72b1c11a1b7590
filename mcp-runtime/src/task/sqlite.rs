use std::fmt;
use std::fs::OpenOptions;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::store::owner_share;
use super::{TaskRecord, TaskStore, TaskStoreError};

/// A store that keeps tasks in an SQLite database (feature `sqlite`). The tasks survive a restart
/// of the server.
///
/// A finished task keeps its result. If the process ends while a task is running, the task has the
/// status `failed` afterwards, with a message that states the reason. The server does not run the
/// task again, because it does not know how much of the work was done.
///
/// Only one server at a time may use a database. The database contains results of tools. On Unix, a
/// new database file is therefore readable by its owner only. An existing file keeps its
/// permissions, and so does a file that is named by a `file:` URI. Expired tasks are deleted when
/// the next task is created.
///
/// ```
/// use mcp_runtime::task::SqliteTaskStore;
/// use mcp_runtime::Server;
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
    max_tasks: usize,
    max_bytes: usize,
    connection: Mutex<Connection>,
}

/// The statements that prepare a new connection. With `synchronous = FULL`, finished tasks survive
/// a power failure.
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
    /// Opens or creates a database file.
    ///
    /// # Errors
    /// Returns [`TaskStoreError::Failed`] if the file is not a database or is not writable.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TaskStoreError> {
        let path = path.as_ref();
        create_private(path).map_err(|error| TaskStoreError::Failed(error.into()))?;
        let connection = Connection::open(path)?;
        connection.execute_batch(SETUP)?;
        Ok(Self {
            path: path.to_owned(),
            max_tasks: 10_000,
            max_bytes: 256 * 1024 * 1024,
            connection: Mutex::new(connection),
        })
    }

    /// Sets the maximum number of stored tasks. Defaults to 10,000.
    ///
    /// One authenticated caller may store a quarter of this number.
    #[must_use]
    pub fn max_tasks(mut self, tasks: usize) -> Self {
        self.max_tasks = tasks;
        self
    }

    /// Sets the total size of all tasks with their results, in bytes of JSON, above which
    /// new tasks are rejected. Defaults to 256 MiB.
    ///
    /// One authenticated caller may use a quarter. Running tasks can always store their
    /// result, so the results may exceed the limit.
    #[must_use]
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A poisoned connection can be used, because a panic rolls back the open transaction.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes expired tasks, and checks whether the store has room for another task of `owner`.
    fn make_room(
        &self,
        transaction: &Transaction<'_>,
        owner: Option<&str>,
    ) -> Result<(), TaskStoreError> {
        let now = millis(SystemTime::now());
        transaction.execute("DELETE FROM mcp_task WHERE expires <= ?1", [now])?;
        let all = transaction.query_row(ALL, [], usage)?;
        check_limit(&all, self.max_tasks, self.max_bytes, now)?;
        match owner {
            Some(owner) => {
                let own = transaction.query_row(OF_OWNER, [owner], usage)?;
                let max_bytes = owner_share(self.max_bytes);
                check_limit(&own, owner_share(self.max_tasks), max_bytes, now)
            }
            None => Ok(()),
        }
    }
}

const ALL: &str = "SELECT count(*), total(octet_length(record)), min(expires) FROM mcp_task";
const OF_OWNER: &str = "SELECT count(*), total(octet_length(record)), min(expires) FROM mcp_task \
    WHERE json_extract(record, '$.owner') = ?1";

/// What stored tasks use.
struct Usage {
    count: usize,
    bytes: f64,
    /// The time at which the first task expires.
    first: Option<i64>,
}

fn usage(row: &Row<'_>) -> rusqlite::Result<Usage> {
    Ok(Usage {
        count: usize::try_from(row.get::<_, i64>(0)?).unwrap_or(usize::MAX),
        bytes: row.get(1)?,
        first: row.get(2)?,
    })
}

fn check_limit(
    usage: &Usage,
    max_tasks: usize,
    max_bytes: usize,
    now: i64,
) -> Result<(), TaskStoreError> {
    let Usage {
        count,
        bytes,
        first,
    } = *usage;
    if count < max_tasks && bytes < max_bytes as f64 {
        return Ok(());
    }
    let wait = first.and_then(|first| u64::try_from(first.saturating_sub(now)).ok());
    Err(TaskStoreError::Full {
        count,
        retry_after: wait.map(Duration::from_millis),
    })
}

impl TaskStore for SqliteTaskStore {
    fn put(&self, record: TaskRecord) -> Result<(), TaskStoreError> {
        let json =
            serde_json::to_string(&record).map_err(|it| TaskStoreError::Failed(it.into()))?;
        let (id, expires) = (&record.task.task_id, record.expires().map(millis));
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        let updated = transaction.execute(
            "UPDATE mcp_task SET record = ?2, expires = ?3 WHERE id = ?1",
            params![id, json, expires],
        )?;
        if updated == 0 {
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

/// Creates the database file with private permissions. SQLite copies the permissions to its other
/// files.
///
/// An existing file is not opened, because closing it would release the locks that this process
/// holds on the file.
fn create_private(path: &Path) -> io::Result<()> {
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

/// Returns the milliseconds since 1970, or the largest SQLite integer if they exceed it.
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
            .field("max_tasks", &self.max_tasks)
            .field("max_bytes", &self.max_bytes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_shares, record};
    use super::*;

    fn store(max_tasks: usize) -> SqliteTaskStore {
        SqliteTaskStore::open(":memory:")
            .unwrap()
            .max_tasks(max_tasks)
    }

    #[test]
    fn a_stored_task_is_returned_unchanged() {
        let store = store(2);
        let mut stored = record("a", None);
        stored.owner = Some("alice".to_owned());
        store.put(stored.clone()).unwrap();
        assert_eq!(store.get("a").unwrap().unwrap(), stored);
        stored.task.status_message = Some("it's done".to_owned());
        store.put(stored.clone()).unwrap();
        assert_eq!(store.get("a").unwrap().unwrap(), stored);
        assert!(store.get("b").unwrap().is_none());
    }

    #[test]
    fn a_full_store_removes_only_expired_tasks() {
        let store = store(2);
        store.put(record("a", Some(60_000))).unwrap();
        store.put(record("b", Some(0))).unwrap();
        store.put(record("c", None)).unwrap();
        assert!(store.get("b").unwrap().is_none());
        let full = store.put(record("d", None));
        let Err(TaskStoreError::Full {
            count: 2,
            retry_after,
        }) = full
        else {
            panic!("{full:?}");
        };
        assert!(retry_after.unwrap() <= Duration::from_secs(60));
        // A task that is already stored can still be updated.
        store.put(record("a", Some(60_000))).unwrap();
    }

    #[test]
    fn one_owner_cannot_use_all_tasks() {
        check_shares(&store(8));
    }

    #[test]
    fn bytes_are_limited_for_all_and_for_each_owner() {
        let store = store(100).max_bytes(100_000);
        let long = |id: &str, owner: &str, bytes: usize| {
            let mut record = record(id, None);
            record.owner = Some(owner.to_owned());
            record.task.status_message = Some("x".repeat(bytes));
            record
        };
        store.put(long("a", "alice", 10)).unwrap();
        // A running task can store its result.
        store.put(long("a", "alice", 30_000)).unwrap();
        let full = store.put(long("b", "alice", 10));
        assert!(matches!(full, Err(TaskStoreError::Full { count: 1, .. })));
        for (id, owner) in [("c", "bob"), ("d", "carol"), ("e", "dave")] {
            store.put(long(id, owner, 30_000)).unwrap();
        }
        let full = store.put(long("f", "erin", 10));
        assert!(matches!(full, Err(TaskStoreError::Full { count: 4, .. })));
    }

    #[cfg(unix)]
    #[test]
    fn a_new_database_is_private() {
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
        // Opening an existing database does not change its permissions.
        drop(store);
        let store = SqliteTaskStore::open(&path).unwrap();
        assert!(store.get("a").unwrap().is_some());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn an_invalid_path_is_an_error() {
        assert!(matches!(
            SqliteTaskStore::open("/no/such/folder/tasks.db"),
            Err(TaskStoreError::Failed(_))
        ));
    }
}
