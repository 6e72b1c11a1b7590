use std::fmt;
use std::time::Duration;

use mcp_runtime::transport::HttpEndpoint;
use peak_alloc::PeakAlloc;
use tokio::runtime::Handle;
use tokio::time::{Instant, sleep};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The resources of this process at one moment.
pub(crate) struct ResourceUsage {
    /// Resident memory in KiB, including freed memory that the allocator keeps.
    resident: u64,
    /// Bytes of heap in use.
    pub(crate) heap: usize,
    tasks: usize,
    files: usize,
    sessions: usize,
    streams: usize,
}

impl ResourceUsage {
    pub(crate) fn now(endpoint: &HttpEndpoint) -> Self {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let words = resident.and_then(|rest| rest.split_whitespace().next());
        Self {
            resident: words.and_then(|word| word.parse().ok()).unwrap_or_default(),
            heap: HEAP.current_usage(),
            tasks: Handle::current().metrics().num_alive_tasks(),
            files: std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count),
            sessions: endpoint.session_count(),
            streams: endpoint.stream_count(),
        }
    }

    /// Waits until everything except memory is as at the start.
    pub(crate) async fn settled(endpoint: &HttpEndpoint, start: Option<&Self>) -> Self {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            sleep(Duration::from_millis(50)).await;
            let now = Self::now(endpoint);
            let is_settled = start.is_none_or(|start| {
                now.sessions + now.streams == 0
                    && now.tasks <= start.tasks
                    && now.files <= start.files
            });
            if is_settled {
                return now;
            }
            assert!(Instant::now() < deadline, "resources are leaked: {now}");
        }
    }
}

impl fmt::Display for ResourceUsage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            resident,
            heap,
            tasks,
            files,
            sessions,
            streams,
        } = self;
        write!(
            formatter,
            "{heap} bytes of heap, {resident} KiB resident, {tasks} tasks, {files} open files, {sessions} sessions, {streams} streams"
        )
    }
}
