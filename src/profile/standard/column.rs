//! The column of a table that a role takes.

use crate::form::document::{Object, PlacedValue};
use crate::form::name::is_alike;
use crate::profile::standard::paths::begins_with_path;
use crate::profile::standard::piece::{ReadMessage, source};

/// The column of a row that is taken, and why it may be another one.
pub(super) fn column(
    rows: &[PlacedValue<'_>],
    index: usize,
    row: &Object<'_>,
    message: ReadMessage<'_>,
) -> (usize, Option<&'static str>) {
    const FILES: [&str; 10] = [
        "file",
        "files",
        "filename",
        "file name",
        "file path",
        "path",
        "文件",
        "文件路径",
        "路径",
        "ファイル",
    ];
    if !message.has_files {
        return (0, None);
    }
    let begins =
        |cell: &PlacedValue<'_>| source(cell, message).is_some_and(|it| begins_with_path(&it));
    let is_of_files = |name: &str| FILES.iter().any(|it| is_alike(name, it));
    let named = row.members.iter().position(|(name, _)| is_of_files(name));
    let column = named.unwrap_or(0);
    let has_path = |row: &PlacedValue<'_>| {
        let cell = row.object().and_then(|row| row.members.get(column));
        cell.is_some_and(|(_, cell)| begins(cell))
    };
    if has_path(&rows[index]) {
        return (column, None);
    }
    if named.is_none()
        && let Some(other) = row.members.iter().position(|(_, cell)| begins(cell))
    {
        return (other, Some("stands in another column"));
    }
    // The last row may be a total.
    let is_last = index > 0 && index + 1 == rows.len() && rows[..index].iter().all(has_path);
    (column, is_last.then_some("stands below paths, and is none"))
}
