//! `retval man`: the pages of the commands.

use std::fs;

use crate::{retval, text};

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("share/man");
    let written = retval(&["man", "--to", place.to_str().expect("UTF-8")]);
    assert_eq!(written.status.code(), Some(0));
    let help = text(retval(&["--help"]).stdout);
    let (_, commands) = help.split_once("Commands:\n").expect("a list");
    let commands = commands.lines().map_while(|line| line.split_whitespace().next());
    for name in commands.chain(["hook-install"]) {
        let roff = text(retval(&["man", name]).stdout);
        let path = place.join(format!("man1/retval-{name}.1"));
        assert_eq!(roff, fs::read_to_string(path).expect("a page"), "{name}");
    }
    let own = text(retval(&["man"]).stdout);
    assert_eq!(own, fs::read_to_string(place.join("man1/retval.1")).expect("a page"));
    assert!(own.contains("retval\\-check(1)"), "{own}");
}

#[test]
fn the_page_of_a_command_has_its_options_exit_codes_and_examples() {
    let page = text(retval(&["man", "check"]).stdout);
    for part in [
        "retval\\-check \\- Check returns: JSON",
        "\\fB\\-\\-session\\fR \\fI<ID>\\fR\nExpected session id",
        "1 one is invalid, 2 something could not be checked",
        "retval check specs/ \\-\\-include .return\\-meta.json",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
}
