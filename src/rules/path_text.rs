//! What the text of an artifact's path says before anyone looks for the file.

use crate::text::is_blank;

/// What in a text keeps it from naming a file below the root.
pub(super) fn wrong_text(path: &str) -> Option<&'static str> {
    let mut start = path.bytes();
    if is_blank(path) {
        Some("is empty")
    } else if path.contains('\0') {
        Some("contains a NUL character")
    } else if path.contains('\\') {
        Some("contains a backslash")
    } else if path.starts_with('~') {
        Some("begins with ~")
    } else if start
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && start.next() == Some(b':')
    {
        Some("has a drive letter")
    } else if has_scheme(path) {
        Some("is a URL")
    } else {
        None
    }
}

fn has_scheme(path: &str) -> bool {
    let Some((scheme, rest)) = path.split_once(':') else {
        return false;
    };
    let is_scheme = !scheme.is_empty()
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme
        && (rest.starts_with("//")
            || ["file", "data"]
                .iter()
                .any(|known| scheme.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::wrong_text;

    #[test]
    fn texts_that_cannot_name_a_file_of_the_project() {
        for path in [
            "a\0b",
            "a\\b.md",
            "~/a.md",
            "~root/a",
            "C:/a.md",
            "c:a",
            "https://x.test/a",
            "file:/etc/passwd",
            "FILE:a",
            "data:a",
            "git+ssh://x",
        ] {
            assert!(wrong_text(path).is_some(), "{path}");
        }
        for path in [
            "a.md",
            "specs/a b/ü.md",
            "notes:draft.md",
            "a~b",
            "12:30.md",
            "./x",
            "../x",
            "://x",
            "a b://c",
        ] {
            assert!(wrong_text(path).is_none(), "{path}");
        }
    }
}
