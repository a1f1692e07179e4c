//! `retval man`: the pages of section 7, and the sections of the pages in section 1.

use std::fs;

use crate::{page, page_names, retval, text};

fn man(name: &str) -> String {
    let output = retval(&["man", name]);
    assert_eq!(output.status.code(), Some(0), "{name}");
    text(output.stdout)
}

/// A text as roff has it.
fn escaped(text: &str) -> String {
    text.replace('-', "\\-").replace('\'', "\\(aq")
}

/// What stands in a section of a page.
fn section<'p>(page: &'p str, title: &str) -> &'p str {
    let (_, rest) = page
        .split_once(&format!("\n.SH {title}\n"))
        .unwrap_or_else(|| panic!("no section {title} in {page}"));
    rest.split_once("\n.SH ")
        .map_or(rest, |(section, _)| section)
}

#[test]
fn every_page_of_the_manual_is_one_of_section_7() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("UTF-8");
    let written = retval(&["man", "--to", place]);
    assert_eq!(written.status.code(), Some(0));
    for name in page_names() {
        let roff = man(&format!("{name}.7"));
        let path = folder.path().join(format!("man7/retval-{name}.7"));
        assert_eq!(roff, fs::read_to_string(path).expect("a page"), "{name}");
        let source = page(&name);
        let title = source.lines().next().expect("a title");
        let title = escaped(title.trim_start_matches("# "));
        let name = name.replace('-', "\\-");
        assert_eq!(
            section(&roff, "NAME"),
            format!("retval\\-{name} \\- {title}")
        );
        assert!(roff.starts_with(&format!(".TH \"retval\\-{name}\" \"7\"")));
        for heading in source.lines().filter_map(|line| line.strip_prefix("## ")) {
            let heading = escaped(&heading.to_uppercase().replace('`', ""));
            assert!(roff.contains(&format!("\n.SH {heading}\n")), "{heading}");
        }
    }
}

#[test]
fn a_command_comes_before_a_page_of_the_same_name() {
    assert_eq!(man("schema"), man("schema.1"));
    assert_ne!(man("schema"), man("schema.7"));
    assert_eq!(man("hooks"), man("hooks.7"));
}

#[test]
fn the_page_of_a_command_has_the_usual_sections() {
    let check = man("check");
    assert_eq!(
        section(&check, "SYNOPSIS"),
        "\\fBretval check\\fR [OPTIONS] [PATHS]..."
    );
    let status = section(&check, "EXIT STATUS");
    assert_eq!(status.matches(".TP\n").count(), 3);
    assert!(status.contains("\\fB2\\fR\nsomething could not be checked"));
    let environment = section(&check, "ENVIRONMENT");
    for variable in [
        "RETVAL_PROFILE",
        "RETVAL_SESSION",
        "RETVAL_ROOT",
        "NO_COLOR",
    ] {
        assert!(
            environment.contains(&format!("\\fB{variable}\\fR")),
            "{variable}"
        );
    }
    assert!(section(&check, "FILES").contains("\\fBretval.toml\\fR"));
    let examples = section(&check, "EXAMPLES");
    assert!(examples.starts_with(".PP\n.nf\n"), "{examples}");
    assert!(examples.contains("\nretval check return.json \\-\\-root ../project\n"));
    assert!(section(&check, "SEE ALSO").contains("\\fBretval\\-checking\\fR(7)"));
    assert!(!section(&check, "OPTIONS").contains("Examples:"));
}

#[test]
fn a_command_lists_the_variables_and_files_that_it_uses() {
    assert!(section(&man("hook"), "FILES").contains("retval\\-hook\\-UID"));
    assert!(section(&man("hook"), "ENVIRONMENT").contains("XDG_RUNTIME_DIR"));
    assert!(section(&man("hook"), "EXIT STATUS").contains("\\fB0\\fR\nalways"));
    let completions = man("completions");
    assert!(!completions.contains(".SH FILES") && !completions.contains(".SH ENVIRONMENT"));
    assert!(!section(&completions, "EXIT STATUS").contains("\\fB1\\fR"));
}

#[test]
fn no_text_is_taken_for_a_request() {
    let names = page_names();
    let pages = names.iter().map(|name| format!("{name}.7"));
    let requests = [
        ".TH ", ".SH ", ".SS ", ".PP", ".TP", ".IP ", ".RS", ".RE", ".nf", ".fi", ".nh", ".ad ",
    ];
    for name in pages.chain(["check".to_owned(), "hook".to_owned()]) {
        for line in man(&name).lines() {
            assert!(!line.starts_with('\''), "{name}: {line}");
            let is_request = line.starts_with('.');
            let is_known = requests.iter().any(|request| line.starts_with(request));
            assert!(!is_request || is_known, "{name}: {line}");
        }
    }
}
