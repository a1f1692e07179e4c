//! Full stops that end no sentence, though white space and a capital letter or a digit follow.

/// Bytes that are read before and after a full stop, so that no text costs more than its length.
const WINDOW: usize = 32;

/// Initials of one name at most.
const INITIALS_AT_MOST: usize = 4;

/// Whether the full stop between `before`, the sentence so far, and `next`, which begins with what
/// follows after white space, belongs to an abbreviation.
pub(super) fn is_abbreviation(before: &str, next: &str) -> bool {
    let before = tail(before);
    let start = before.trim_end_matches(|it: char| it.is_alphanumeric() || it == '.');
    let word = before[start.len()..].trim_start_matches('.');
    if word.len() > "Messrs".len() {
        return false;
    }
    is_never_last(word)
        || is_number(next, word) && is_reference(word)
        || is_initial(word) && names_person(start, next)
        || is_list_number(word) && start.is_empty()
}

/// Titles, which precede a name, and Latin abbreviations, which precede what they introduce.
fn is_never_last(word: &str) -> bool {
    matches!(
        word,
        "Dr" | "Drs"
            | "Mr"
            | "Mrs"
            | "Ms"
            | "Mx"
            | "Messrs"
            | "Mme"
            | "Prof"
            | "Rev"
            | "Hon"
            | "St"
            | "Mt"
            | "Gen"
            | "Col"
            | "Maj"
            | "Capt"
            | "Lt"
            | "Sgt"
            | "Gov"
            | "Sen"
            | "Pres"
            | "e.g"
            | "E.g"
            | "eg"
            | "i.e"
            | "I.e"
            | "ie"
            | "cf"
            | "Cf"
            | "viz"
            | "vs"
            | "ca"
            | "approx"
            | "Approx"
            | "incl"
            | "Incl"
            | "excl"
            | "esp"
            | "N.B"
    )
}

/// What precedes a number: parts of documents, versions, days of a month.
fn is_reference(word: &str) -> bool {
    matches!(
        word,
        "Fig"
            | "Figs"
            | "fig"
            | "figs"
            | "Eq"
            | "Eqs"
            | "eq"
            | "eqs"
            | "No"
            | "Nos"
            | "no"
            | "nos"
            | "Nr"
            | "nr"
            | "Sec"
            | "Secs"
            | "Sect"
            | "sect"
            | "Ch"
            | "ch"
            | "Chap"
            | "chap"
            | "Vol"
            | "Vols"
            | "vol"
            | "vols"
            | "p"
            | "pp"
            | "Art"
            | "App"
            | "Tab"
            | "Tbl"
            | "Ref"
            | "Refs"
            | "Ex"
            | "Ver"
            | "ver"
            | "v"
            | "Def"
            | "Thm"
            | "Lem"
            | "Par"
            | "Para"
            | "para"
            | "Jan"
            | "Feb"
            | "Mar"
            | "Apr"
            | "Jun"
            | "Jul"
            | "Aug"
            | "Sep"
            | "Sept"
            | "Oct"
            | "Nov"
            | "Dec"
    )
}

/// Whether the text begins with the number of a reference: digits, or one letter (`App. B`).
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

/// Whether the word is the number of an item in a list, if it begins a sentence.
fn is_list_number(word: &str) -> bool {
    !word.is_empty() && word.len() <= 3 && word.bytes().all(|it| it.is_ascii_digit())
}

/// Capital letters with full stops between them: `J`, `J.K`.
fn is_initial(word: &str) -> bool {
    word.split('.').all(is_capital)
}

fn is_capital(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
}

/// Whether an initial stands in a name. Labels look the same ("Chose plan B. Tests pass."), so that
/// what stands before must not be an ordinary word.
fn names_person(before: &str, next: &str) -> bool {
    let trimmed = before.trim_end();
    let word = trimmed
        .rsplit(|it: char| it.is_whitespace() || matches!(it, '(' | '[' | '"' | '“'))
        .next()
        .unwrap_or_default();
    let precedes = match word.strip_suffix('.') {
        Some(word) => is_initial(word) || is_never_last(word),
        None if word.is_empty() => true,
        None if matches!(word, "by" | "By" | "with" | "see" | "See" | "after" | "per") => true,
        None => word.len() < trimmed.len() && is_name(word) && !is_label(word),
    };
    precedes && begins_with_name(next)
}

/// Whether a surname follows, perhaps after other initials.
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

/// Whether the text begins with a capital and a small letter.
fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters
            .next()
            .is_some_and(|it| it.is_lowercase() || it == '\'' || it == '’')
}

/// What precedes a letter that numbers things.
fn is_label(word: &str) -> bool {
    matches!(
        word,
        "Annex"
            | "Appendix"
            | "Approach"
            | "Case"
            | "Chapter"
            | "Class"
            | "Column"
            | "Design"
            | "Exhibit"
            | "Figure"
            | "Grade"
            | "Group"
            | "Item"
            | "Level"
            | "Method"
            | "Model"
            | "Module"
            | "Option"
            | "Part"
            | "Phase"
            | "Plan"
            | "Point"
            | "Proposal"
            | "Row"
            | "Scenario"
            | "Section"
            | "Server"
            | "Stage"
            | "Station"
            | "Step"
            | "Table"
            | "Task"
            | "Team"
            | "Theorem"
            | "Tier"
            | "Track"
            | "Type"
            | "Variant"
            | "Version"
            | "Vitamin"
    )
}

/// The end of a text, cut between characters.
fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(WINDOW);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
