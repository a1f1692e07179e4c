//! A pseudoterminal for a program under test.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Opens a pseudoterminal with this many columns. Returns the end for the test and the end for the
/// program.
pub(crate) fn open(columns: u16) -> (OwnedFd, File) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&terminal).expect("rights");
    unlockpt(&terminal).expect("a lock");
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).expect("a size");
    let name = ptsname(&terminal, Vec::new()).expect("a name");
    let name = name.to_str().expect("UTF-8");
    let end = File::options().read(true).write(true).open(name);
    (terminal, end.expect("its end"))
}

/// What a command shows on a terminal of so many columns, without colours.
pub(crate) fn shown(mut command: Command, columns: u16) -> String {
    let (terminal, end) = open(columns);
    command.stdin(Stdio::null()).stderr(Stdio::null()).stdout(end);
    let mut child = command.spawn().expect("it runs");
    drop(command);
    let (mut shown, mut part) = (Vec::new(), [0; 4096]);
    // Reading fails when nothing has the terminal open any more.
    while let Ok(length @ 1..) = rustix::io::read(&terminal, &mut part) {
        shown.extend_from_slice(&part[..length]);
    }
    child.wait().expect("it ends");
    String::from_utf8(shown).expect("UTF-8").replace("\r\n", "\n")
}
