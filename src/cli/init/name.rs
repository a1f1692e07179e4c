//! Names in templates of returns.

use super::lists::{List, SEVERITIES, first_word};
use super::words::{is_status, status_words};

/// A name in a template.
#[derive(Debug, Clone)]
pub(super) struct TemplateName {
    /// The place, as a profile writes it.
    pub(super) place: String,
    /// The name itself.
    pub(super) name: String,
    pub(super) line: usize,
    /// What the template says below the name.
    pub(super) value: String,
    /// Why it is not required.
    pub(super) left_out: Option<&'static str>,
}

impl TemplateName {
    pub(super) fn new(place: String, name: &str, line: usize, value: &str) -> Self {
        let mut new = Self {
            place,
            name: name.to_owned(),
            line,
            value: value.to_owned(),
            left_out: None,
        };
        new.left_out = new.reason();
        new
    }

    /// Whether it is a status whose words stand with it.
    pub(super) fn has_words(&self) -> bool {
        is_status(&self.name) && status_words(&self.value).len() > 1
    }

    fn reason(&self) -> Option<&'static str> {
        if is_variable(&self.name) {
            Some(VARIABLE)
        } else if List("for|each|every").is(&first_word(&self.name)) {
            Some("is of one of several")
        } else if !self.place.starts_with('/') && SEVERITIES.is(&first_word(&self.name)) {
            Some("is one of several severities")
        } else if is_optional(&self.name) || is_optional(&self.value) || self.value.trim() == "null"
        {
            Some(OPTIONAL)
        } else {
            None
        }
    }
}

/// Why a name that the template says is not always there is not required.
pub(super) const OPTIONAL: &str = "can be missing";

/// Why a name with a placeholder in it is not required.
pub(super) const VARIABLE: &str = "changes from return to return";

/// The place of a name in a text.
pub(super) fn place_of(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A name without marks around it.
pub(super) fn clean(name: &str) -> String {
    let is_mark = |it: char| matches!(it, '*' | '`' | '_' | ':' | '#') || it.is_whitespace();
    name.trim_matches(is_mark).to_owned()
}

/// Whether a name has a placeholder in it, or a number of its own.
fn is_variable(name: &str) -> bool {
    let words: Vec<_> = name.split([' ', '-', '_', '#', '/']).collect();
    let is_placeholder = |word: &&str| {
        let word = word.trim_matches(|it: char| !it.is_alphanumeric());
        matches!(
            word,
            "N" | "X" | "XX" | "XXX" | "NNN" | "YYYY" | "MM" | "DD" | "NN"
        )
    };
    let last = words
        .last()
        .copied()
        .unwrap_or_default()
        .trim_end_matches(':');
    let is_item = words.len() > 1 && last.chars().all(|it| it.is_ascii_digit()) && !last.is_empty();
    let first = words
        .first()
        .copied()
        .unwrap_or_default()
        .trim_end_matches(':');
    let code = first.trim_start_matches(|it: char| it.is_ascii_uppercase());
    let is_code =
        code.len() < first.len() && !code.is_empty() && code.chars().all(|it| it.is_ascii_digit());
    name.contains(['[', '{', '<', '…', '$', '|', '`'])
        || name.contains("...")
        || words.iter().any(is_placeholder)
        || is_item
        || is_code
        || name.chars().count() > 60
        || name.chars().count() == 1
        || !name.contains(char::is_alphabetic)
        || name.chars().any(char::is_control)
}

/// Whether a text says that the value can be missing.
fn is_optional(text: &str) -> bool {
    let text = text.lines().next().unwrap_or_default().to_lowercase();
    // In "PASS|FAIL  # FAIL if any test fails", the remark is about the words.
    if let Some((value, remark)) = text.split_once(" #")
        && value.contains('|')
    {
        return is_optional(value) || List("optional|only|if|when|omit").is(&first_word(remark));
    }
    let marks = List(
        "optional|if any|if applicable|if needed|if relevant|if present|(if |(when |[if |only if|only when|only for|\
     when applicable|when relevant|omit|if found|の場合のみ|可选|仅在|仅当|可为空|if blocked|if failed|if not | null|\
     or null|if exists|<if |{if |如有|若有|如适用|あれば|ある場合|있으면|있는 경우|se houver|si hay|falls |le cas échéant|\
     если |при наличии|необязательно|не обязательно|opcional|facultatif",
    );
    marks.0.split('|').any(|it| text.contains(it)) || text.starts_with("if ")
}
