//! Recognizes full stops that do not end a sentence although white space and a capital letter or a digit
//! follow.

/// The most bytes before a full stop that are read, so that the time stays linear in the length of a
/// text.
const WINDOW: usize = 32;

/// The most initials of one name.
const INITIALS_AT_MOST: usize = 4;

/// Whether a full stop belongs to an abbreviation. `before` is the sentence up to the full stop. `next`
/// is the text after the full stop and the white space behind it.
pub(super) fn is_abbreviation(before: &str, next: &str) -> bool {
    let before = tail(before);
    let start = before.trim_end_matches(|it: char| it.is_alphanumeric() || it == '.');
    let word = before[start.len()..].trim_start_matches('.');
    if word.len() > "Messrs".len() {
        return false;
    }
    NEVER_LAST.contains(&word)
        || is_number(next, word) && REFERENCES.contains(&word)
        || is_initial(word) && names_person(start, next)
        || is_list_number(word) && start.is_empty()
}

/// Words that never end a sentence: titles, which precede a name, and Latin abbreviations, which precede
/// what they introduce.
const NEVER_LAST: [&str; 40] = [
    "Dr", "Drs", "Mr", "Mrs", "Ms", "Mx", "Messrs", "Mme", "Prof", "Rev", "Hon", "St", "Mt", "Gen",
    "Col", "Maj", "Capt", "Lt", "Sgt", "Gov", "Sen", "Pres", "e.g", "E.g", "eg", "i.e", "I.e",
    "ie", "cf", "Cf", "viz", "vs", "ca", "approx", "Approx", "incl", "Incl", "excl", "esp", "N.B",
];

/// Words that precede a number: parts of a document, versions and months.
const REFERENCES: [&str; 56] = [
    "Fig", "Figs", "fig", "figs", "Eq", "Eqs", "eq", "eqs", "No", "Nos", "no", "nos", "Nr", "nr",
    "Sec", "Secs", "Sect", "sect", "Ch", "ch", "Chap", "chap", "Vol", "Vols", "vol", "vols", "p",
    "pp", "Art", "App", "Tab", "Tbl", "Ref", "Refs", "Ex", "Ver", "ver", "v", "Def", "Thm", "Lem",
    "Par", "Para", "para", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct",
    "Nov", "Dec",
];

/// Whether the text begins with the number of a reference: a digit, `#` and a digit, or a single capital
/// letter (`App. B`).
fn is_number(next: &str, word: &str) -> bool {
    let mut letters = next.chars();
    match letters.next() {
        Some('#') => letters.next().is_some_and(|it| it.is_ascii_digit()),
        // "Is it done? No. A test failed."
        Some('A'..='Z') if !matches!(word, "No" | "no") => {
            !letters.next().is_some_and(char::is_alphabetic)
        }
        first => first.is_some_and(char::is_numeric),
    }
}

/// Whether the word can be the number of a list item. It is one if it begins a sentence.
fn is_list_number(word: &str) -> bool {
    !word.is_empty() && word.len() <= 3 && word.bytes().all(|it| it.is_ascii_digit())
}

/// Whether the word consists of capital letters with full stops between them: `J`, `J.K`.
fn is_initial(word: &str) -> bool {
    word.split('.').all(is_capital)
}

fn is_capital(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
}

/// Whether an initial is part of a person's name. `before` is the text before the initial. Labels look
/// the same as initials ("Chose plan B. Tests pass."), so the word before must not be an ordinary word.
fn names_person(before: &str, next: &str) -> bool {
    let trimmed = before.trim_end();
    let word = trimmed
        .rsplit(|it: char| it.is_whitespace() || matches!(it, '(' | '[' | '"' | '“'))
        .next()
        .unwrap_or_default();
    let precedes = match word.strip_suffix('.') {
        Some(word) => is_initial(word) || NEVER_LAST.contains(&word),
        None if word.is_empty() => true,
        None if matches!(word, "by" | "By" | "with" | "see" | "See" | "after" | "per") => true,
        None => word.len() < trimmed.len() && is_name(word) && !LABELS.contains(&word),
    };
    precedes && begins_with_name(next)
}

/// Whether the text begins with a surname, perhaps after other initials.
fn begins_with_name(next: &str) -> bool {
    let mut rest = next;
    for _ in 0..INITIALS_AT_MOST {
        let mut letters = rest.chars();
        if !letters.next().is_some_and(char::is_uppercase) || letters.next() != Some('.') {
            break;
        }
        let after = letters.as_str();
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    is_name(rest)
}

/// Whether the text begins with a capital letter and then a small letter or an apostrophe.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters
            .next()
            .is_some_and(|it| it.is_lowercase() || it == '\'' || it == '’')
}

/// Words for things that are numbered with letters.
const LABELS: [&str; 40] = [
    "Annex", "Appendix", "Approach", "Case", "Chapter", "Class", "Column", "Design", "Exhibit",
    "Figure", "Grade", "Group", "Item", "Level", "Method", "Model", "Module", "Option", "Part",
    "Phase", "Plan", "Point", "Proposal", "Row", "Scenario", "Section", "Server", "Stage",
    "Station", "Step", "Table", "Task", "Team", "Theorem", "Tier", "Track", "Type", "Variant",
    "Version", "Vitamin",
];

/// Returns the last [`WINDOW`] bytes of a text, or fewer so as not to split a character.
fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(WINDOW);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
