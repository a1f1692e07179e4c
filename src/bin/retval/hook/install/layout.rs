//! How a settings file is laid out, and values in that layout.

use super::spans::SpannedText;

/// A value to write.
#[derive(Debug, Clone)]
pub(super) enum NewValue {
    Text(String),
    Number(u64),
    List(Vec<NewValue>),
    Map(Vec<(&'static str, NewValue)>),
}

/// The line ends, the indentation and the spaces of a file.
#[derive(Debug, Clone)]
pub(super) struct FileLayout {
    pub(super) newline: &'static str,
    /// One level of indentation.
    pub(super) unit: String,
    /// Whether the whole file is one line.
    pub(super) is_one_line: bool,
    /// What follows a comma or a colon within a line.
    pub(super) space: &'static str,
}

impl FileLayout {
    /// The layout of a new file.
    pub(super) fn usual() -> Self {
        Self {
            newline: "\n",
            unit: "  ".to_owned(),
            is_one_line: false,
            space: " ",
        }
    }

    pub(super) fn of(file: &SpannedText<'_>) -> Self {
        let (text, root) = (file.text, &file.root);
        let first_line_end = text.find('\n').map_or("", |at| &text[..at]);
        let newline = if first_line_end.ends_with('\r') {
            "\r\n"
        } else {
            "\n"
        };
        let unit = root
            .items
            .first()
            .map(|item| white_space_before(text, item.start));
        let unit = unit.and_then(|space| Some(space.rsplit_once('\n')?.1));
        let is_one_line = !text[root.start..root.end].contains('\n') && !root.items.is_empty();
        let is_dense = is_one_line
            && (file.blanked.match_indices(':'))
                .all(|(at, _)| !file.blanked[at + 1..].starts_with(' '));
        Self {
            newline,
            unit: unit
                .filter(|unit| !unit.is_empty())
                .unwrap_or("  ")
                .to_owned(),
            is_one_line,
            space: if is_dense { "" } else { " " },
        }
    }

    /// A newline and this indentation.
    pub(super) fn line(&self, indent: &str) -> String {
        format!("{}{indent}", self.newline)
    }

    /// Renders a value. Its outer `levels` levels get a line for each item. `indent` is the indentation
    /// of the line that the value starts in.
    pub(super) fn render(&self, value: &NewValue, indent: &str, levels: usize) -> String {
        let (open, close, items) = match value {
            NewValue::Text(text) => return quoted(text),
            NewValue::Number(number) => return number.to_string(),
            NewValue::List(items) => ('[', ']', items.iter().map(|item| (None, item)).collect()),
            NewValue::Map(members) => {
                let items: Vec<_> = members
                    .iter()
                    .map(|(key, item)| (Some(*key), item))
                    .collect();
                ('{', '}', items)
            }
        };
        let inner = format!("{indent}{}", self.unit);
        let items = items.iter().map(|(key, item)| {
            let rendered = self.render(item, &inner, levels.saturating_sub(1));
            match key {
                Some(key) => self.member(key, &rendered),
                None => rendered,
            }
        });
        let items: Vec<_> = items.collect();
        if levels > 0 {
            let line = self.line(&inner);
            let items = items.join(&format!(",{line}"));
            return format!("{open}{line}{items}{}{close}", self.line(indent));
        }
        let items = items.join(&format!(",{}", self.space));
        // In a file of one line, a space after a bracket marks a container that existed before.
        let pad = if open == '{' && !self.is_one_line {
            " "
        } else {
            ""
        };
        format!("{open}{pad}{items}{pad}{close}")
    }

    pub(super) fn member(&self, key: &str, value: &str) -> String {
        format!("{}:{}{value}", quoted(key), self.space)
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The white space that ends at a byte offset.
pub(super) fn white_space_before(text: &str, at: usize) -> &str {
    &text[text[..at].trim_end_matches(is_space).len()..at]
}

/// Whether a character is white space in JSON.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// The indentation of the line that has this byte offset.
pub(super) fn indent_at(text: &str, at: usize) -> &str {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let rest = text[line..at].trim_start_matches([' ', '\t']);
    &text[line..at - rest.len()]
}
