//! Removes files with temporary names when a signal ends the process.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The temporary names of this process.
static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Locks the temporary names of this process. Until they are unlocked, no signal that can be caught ends
/// it.
pub(super) fn names() -> MutexGuard<'static, Vec<PathBuf>> {
    // On other systems the next run removes the files, as it does after SIGKILL.
    #[cfg(target_os = "linux")]
    watch::start();
    lock()
}

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

// Only tested on Linux.
#[cfg(target_os = "linux")]
mod watch {
    use std::fs;
    use std::sync::{Once, mpsc};
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// Waits for signals in a thread of its own, from the first temporary name on.
    pub(super) fn start() {
        static STARTED: Once = Once::new();
        STARTED.call_once(|| {
            let (ready, is_ready) = mpsc::channel::<()>();
            // The thread starts before signals are caught: a caught signal that no thread waits for
            // would be lost.
            let started = thread::Builder::new().spawn(move || {
                let signals = Signals::new(not_ignored());
                drop(ready);
                if let Ok(signals) = signals {
                    wait(signals);
                }
            });
            if started.is_ok() {
                let _ = is_ready.recv();
            }
        });
    }

    fn wait(mut signals: Signals) {
        let Some(signal) = signals.forever().next() else {
            return;
        };
        let names = super::lock();
        for name in &*names {
            let _ = fs::remove_file(name);
        }
        // Ends the process as the signal would if it were not caught. The names stay locked.
        let _ = emulate_default_handler(signal);
    }

    /// The signals to catch. One that the caller has set to be ignored, as `nohup` does, stays ignored.
    fn not_ignored() -> Vec<i32> {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        let is_caught = |signal: &i32| match mask {
            Some(ignored) => ignored & (1 << (signal - 1)) == 0,
            // The other signals are often ignored for a process in the background.
            None => *signal == SIGTERM,
        };
        [SIGHUP, SIGINT, SIGTERM]
            .into_iter()
            .filter(is_caught)
            .collect()
    }
}
