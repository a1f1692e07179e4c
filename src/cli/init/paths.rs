//! Paths of files that a prompt names.

use super::lists::{List, WRITES, words as title_words};
use super::words::code_spans;

/// Whether a line is the path of a file.
pub(super) fn is_path(line: &str) -> bool {
    let name = line.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|it| it.1).unwrap_or_default();
    matches!(
        extension,
        "md" | "json" | "yaml" | "yml" | "txt" | "html" | "toml"
    ) && !line.starts_with("http")
        && !line.contains(' ')
}

/// The path in a title, as code or in brackets.
pub(super) fn title_path(title: &str) -> Option<&str> {
    let plain = title.split([' ', '(', ')']);
    code_spans(title).chain(plain).find(|it| is_path(it))
}

/// The path that a sentence says to write to.
pub(super) fn written_path(line: &str) -> Option<&str> {
    let path = code_spans(line).find(|it| is_path(it))?;
    let before = title_words(&line[..line.find(path)?]);
    let verb = before.split(' ').any(|it| WRITES.is(it));
    let is_target = List("to|at|as|in|into").is_in(&before)
        || before
            .split(' ')
            .next_back()
            .is_some_and(|it| WRITES.is(it));
    let is_negated =
        List("not|never|don|specified in|defined in|described in|language").is_in(&before);
    let after = line.split_once(path).map_or("", |it| it.1);
    let after = after.trim_start_matches(['`', ' ']).to_lowercase();
    let is_foreign = List("写入|保存到|写到|输出到").marks(line)
        || ["に write", "に出力", "に書", "に保存", "に作成"]
            .iter()
            .any(|it| after.starts_with(it));
    (verb && is_target && !is_negated || is_foreign).then_some(path)
}
