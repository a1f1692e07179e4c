//! Counts the system calls of a program. It needs no other tool to be installed.

use std::io::Write as _;
use std::process::{Command, Stdio};

use nix::sys::ptrace::{self, Event, Options};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

/// The number of system calls of a command, from its first instruction to its end. It has no input, and
/// its output is discarded.
pub(crate) fn system_calls(command: &Command) -> usize {
    // The shell waits for a line of input until it is traced, and then executes the program.
    let mut waiting = Command::new("sh");
    waiting
        .args(["-c", "read -r _; exec \"$@\" < /dev/null", "sh"])
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        waiting.current_dir(folder);
    }
    let mut child = waiting
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell");
    let pid = Pid::from_raw(child.id().cast_signed());
    let options = Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_TRACEEXEC;
    ptrace::seize(pid, options).expect("a child can be traced");
    ptrace::interrupt(pid).expect("it stops");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"\n").expect("it is read");
    let mut stops = 0_usize;
    loop {
        match waitpid(pid, None).expect("it goes on or ends") {
            WaitStatus::Exited(..) | WaitStatus::Signaled(..) => break,
            WaitStatus::PtraceSyscall(_) => stops += 1,
            // The calls before this event are those of the shell.
            WaitStatus::PtraceEvent(_, _, event) if event == Event::PTRACE_EVENT_EXEC as i32 => {
                stops = 0;
            }
            _ => {}
        }
        ptrace::syscall(pid, None).expect("it goes on");
    }
    // `waitpid` has already reaped the process, which the standard library does not know.
    let _ = child.wait();
    // The program stops at the beginning and at the end of each call. The last call, `exit`, never
    // returns.
    stops.div_ceil(2)
}
