//! Whether output is safe to print, by the definition of the escaper.

use crate::text::escape::is_hidden;

/// No hidden characters except line feeds, and no older workflow command, which can start anywhere.
pub(crate) fn text(text: &str) {
    let is_plain = |byte| matches!(byte, b' '..=b'~' | b'\n');
    if text.bytes().all(is_plain) {
        return assert!(!is_command(text), "{text:?}");
    }
    let hidden = text.chars().find(|it| is_hidden(*it) && *it != '\n');
    assert_eq!(hidden, None, "{text:?}");
    assert!(!is_command(text), "{text:?}");
}

fn is_command(text: &str) -> bool {
    ["##[", "##vso["].iter().any(|it| text.contains(it))
}

/// The same, and no line that starts a workflow command. Runners ignore white space before one.
pub(crate) fn silent(text: &str) {
    self::text(text);
    let command = text.lines().find(|line| line.trim_start().starts_with("::"));
    assert_eq!(command, None, "{text:?}");
}

/// The same, on one line.
pub(crate) fn line(text: &str) {
    silent(text);
    assert!(!text.contains('\n'), "{text:?}");
}
