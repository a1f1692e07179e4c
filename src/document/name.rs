//! When two names in a text are the same name.

/// Whether two names are equal without regard to case, marks, emoji, numbering, a trailing colon, a count
/// in parentheses behind, the kind of apostrophe, and whatever separates words: white space, `_`, `-`,
/// camel case.
pub(crate) fn is_alike(one: &str, other: &str) -> bool {
    letters(one).eq(letters(other))
}

/// What counts of a name. A name of which nothing would be left counts as a whole.
fn letters(name: &str) -> impl Iterator<Item = char> {
    let name = name.trim();
    let core = Some(without_number(name)).filter(|it| it.chars().any(counts));
    let core = core.unwrap_or(name);
    let keeps_all = !core.chars().any(counts);
    let core = core.trim_end_matches(ENDS);
    // Without the count behind it: ` (3)`, ` (3 files)`.
    let count = core.strip_suffix(')').and_then(|it| it.rsplit_once(" ("));
    let count = count.filter(|(_, inside)| inside.starts_with(|it: char| it.is_ascii_digit()));
    let core = count.map_or(core, |(name, _)| name.trim_end_matches(ENDS));
    core.chars()
        .filter(move |it| keeps_all || counts(*it))
        .map(|it| if it == '’' { '\'' } else { it })
        .flat_map(char::to_lowercase)
}

/// The same text for all names that are alike.
pub(super) fn key(name: &str) -> String {
    letters(name).collect()
}

/// Marks that do not count at the end of a name.
const ENDS: [char; 7] = [':', '：', '?', '*', '_', '`', ' '];

/// A name without its number: `3. `, `2.1) `.
fn without_number(name: &str) -> &str {
    let marks = name.trim_start_matches(|it| !counts(it));
    let rest = marks.trim_start_matches(|it: char| it.is_ascii_digit() || it == '.');
    let number = &marks[..marks.len() - rest.len()];
    let closed = rest.strip_prefix(')');
    let is_number = number.starts_with(|it: char| it.is_ascii_digit())
        && (number.contains('.') || closed.is_some());
    let rest = closed.unwrap_or(rest);
    let is_apart = rest.starts_with(char::is_whitespace);
    if is_number && is_apart { rest } else { name }
}

/// Whether a character tells names apart.
fn counts(character: char) -> bool {
    if character.is_ascii_alphanumeric() {
        return true;
    }
    let is_separator = character.is_whitespace() || matches!(character, '_' | '-');
    let is_mark = matches!(character, '*' | '`' | '~' | '#');
    !(is_separator || is_mark || is_emoji(character))
}

/// Whether a character is a picture, or part of one.
pub(crate) fn is_emoji(character: char) -> bool {
    matches!(
        u32::from(character),
        0x200d
            | 0x20e3
            | 0x2190..=0x21ff
            | 0x2300..=0x23ff
            | 0x25a0..=0x27bf
            | 0x2900..=0x297f
            | 0x2b00..=0x2bff
            | 0xfe0e..=0xfe0f
            | 0x1_f000..=0x1_faff
            | 0xe_0020..=0xe_007f
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_equal_however_they_are_written() {
        for other in [
            "next steps",
            "NEXT_STEPS",
            "next-steps",
            "nextSteps",
            "3. Next  steps:",
            "2.1) **Next Steps**",
            "✅ Next steps",
            "Next steps (2):",
            "**Next steps** (2 steps)",
            "`next_steps`",
        ] {
            assert!(is_alike("Next steps", other), "{other}");
        }
        for other in ["next step", "next steps 2", "3 next steps", "next/steps", ""] {
            assert!(!is_alike("Next steps", other), "{other}");
        }
    }

    #[test]
    fn apostrophes_are_equal() {
        assert!(is_alike("What's Done Well", "What’s done well:"));
        assert_eq!(key("What's"), key("What’s"));
        assert!(!is_alike("What's", "Whats"));
    }

    #[test]
    fn a_name_of_marks_alone_is_only_itself() {
        assert!(is_alike("✅", "✅"));
        assert!(!is_alike("✅", "❌"));
        assert!(!is_alike("3.", "4."));
    }
}
