//! The command `retval`.

use std::process::ExitCode;

/// The allocator of musl requests a few pages at a time from the system. That was more than a third of
/// the system calls of a short run.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    retval::cli::main()
}
