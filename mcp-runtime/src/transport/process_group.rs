use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::thread;
use std::time::{Duration, Instant};

/// A child process, and on Unix all processes that it starts, unless they leave its group.
///
/// A launcher such as `npx` starts the server as another process, which would survive it.
#[derive(Debug)]
pub(crate) struct ProcessGroup(Child);

impl ProcessGroup {
    /// Starts the process as the leader of a new group.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        command.spawn().map(Self)
    }

    /// Returns the ends of the pipes, if they were requested and not yet taken.
    pub(crate) fn take_pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        Some((self.0.stdin.take()?, self.0.stdout.take()?))
    }

    /// Returns whether all processes exit in time, or cannot be waited for.
    pub(crate) fn wait(&mut self, timeout: Duration) -> bool {
        let deadline = Instant::now() + timeout;
        while Instant::now() < deadline {
            match self.0.try_wait() {
                Ok(Some(_)) if !self.has_members() => return true,
                Ok(_) => thread::sleep(Duration::from_millis(10)),
                Err(_) => return true,
            }
        }
        false
    }

    /// Kills all processes and waits for the leader.
    pub(crate) fn kill(&mut self) {
        // These fail only if the processes have already exited.
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Sends SIGTERM to all processes; returns `false` where there are no signals.
    #[cfg(unix)]
    pub(crate) fn terminate(&self) -> bool {
        self.signal(rustix::process::Signal::TERM);
        true
    }

    /// Sends SIGTERM to all processes; returns `false` where there are no signals.
    #[cfg(not(unix))]
    pub(crate) fn terminate(&self) -> bool {
        false
    }

    /// An id is not used again while its group has a member, so this must not be called
    /// once [`wait`](Self::wait) has returned `true`.
    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        let group = rustix::process::Pid::from_child(&self.0);
        // This fails only if the processes have already exited.
        let _ = rustix::process::kill_process_group(group, signal);
    }

    /// Whether the group still has processes after its leader.
    #[cfg(unix)]
    fn has_members(&self) -> bool {
        let group = rustix::process::Pid::from_child(&self.0);
        rustix::process::test_kill_process_group(group).is_ok()
    }

    #[cfg(not(unix))]
    fn has_members(&self) -> bool {
        false
    }
}
