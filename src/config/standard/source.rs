//! The keys of a standard as the file writes them.

use std::fmt::Write as _;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The values of a table, in lines of dotted keys. `text` is the whole file.
pub(in crate::config) fn lines(text: &str, table: &DeTable<'_>) -> String {
    let mut lines = String::new();
    push(&mut lines, text, "", table);
    lines
}

fn push(lines: &mut String, text: &str, prefix: &str, table: &DeTable<'_>) {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(name, value)| (name.span().start, value.span().start));
    for (name, value) in entries {
        let key = format!("{prefix}{}", key(name.get_ref()));
        match value.get_ref() {
            DeValue::Table(table) => push(lines, text, &format!("{key}."), table),
            _ => {
                let _ = writeln!(lines, "{key} = {}", written(text, value));
            }
        }
    }
}

/// A value in one expression. Tables that the file writes under headings have no text of their own.
fn written(text: &str, value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::Array(items) if items.iter().any(|it| it.get_ref().is_table()) => {
            let items: Vec<_> = items.iter().map(|item| written(text, item)).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Table(table) => {
            let mut lines = String::new();
            push(&mut lines, text, "", table);
            format!("{{ {} }}", lines.trim_end().replace('\n', ", "))
        }
        _ => text.get(value.span()).unwrap_or_default().to_owned(),
    }
}

fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_bare) {
        return name.to_owned();
    }
    serde_json::to_string(name).unwrap_or_default()
}
