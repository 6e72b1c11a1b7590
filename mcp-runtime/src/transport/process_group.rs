use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::thread;
use std::time::{Duration, Instant};

/// A child process. On Unix, it includes all processes that the child starts in its process group.
///
/// A launcher such as `npx` starts the server as another process, which would otherwise continue
/// after the launcher is killed.
#[derive(Debug)]
pub(crate) struct ProcessGroup(Child);

impl ProcessGroup {
    /// Starts the process as the leader of a new group.
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        command.spawn().map(Self)
    }

    /// Takes the pipes to the standard input and output of the child, or returns `None` if they
    /// were already taken or never requested.
    pub(crate) fn take_pipes(&mut self) -> Option<(ChildStdin, ChildStdout)> {
        Some((self.0.stdin.take()?, self.0.stdout.take()?))
    }

    /// Waits for all processes of the group. Returns `true` if they exit within `timeout`, or if
    /// waiting is not possible.
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

    /// Kills all processes of the group and waits for the child process.
    pub(crate) fn kill(&mut self) {
        // These calls fail only if the processes have already exited.
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// Sends SIGTERM to all processes of the group. Returns `false` on platforms without signals.
    #[cfg(unix)]
    pub(crate) fn terminate(&self) -> bool {
        self.signal(rustix::process::Signal::TERM);
        true
    }

    /// Sends SIGTERM to all processes of the group. Returns `false` on platforms without signals.
    #[cfg(not(unix))]
    pub(crate) fn terminate(&self) -> bool {
        false
    }

    /// Sends a signal to all processes of the group.
    ///
    /// This function must not be called after [`wait`](Self::wait) has returned `true`, because the
    /// operating system can reuse the id of a group without members.
    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        let group = rustix::process::Pid::from_child(&self.0);
        // The call fails only if the processes have already exited.
        let _ = rustix::process::kill_process_group(group, signal);
    }

    /// Whether the group still has processes after the child process has exited.
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
