//! A pseudoterminal for a program under test.

use std::fs::File;
use std::os::fd::OwnedFd;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Opens a pseudoterminal with this many columns. Returns the end for the test and the end for the
/// program.
pub(crate) fn open(columns: u16) -> (OwnedFd, File) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&terminal).expect("rights");
    unlockpt(&terminal).expect("a lock");
    let size = Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(&terminal, size).expect("a size");
    let name = ptsname(&terminal, Vec::new()).expect("a name");
    let name = name.to_str().expect("UTF-8");
    let end = File::options().read(true).write(true).open(name);
    (terminal, end.expect("its end"))
}
