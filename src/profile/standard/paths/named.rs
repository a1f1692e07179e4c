//! What one piece of text names, where it is known that it is about a file.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::{PathMention, before_remark, has_extension, range, split_lines};
use crate::text::is_invisible;

/// The path that a text is, as in JSON. One that has a remark behind it, or is a number, is none.
pub(crate) fn exactly(text: &str) -> PathMention<'_> {
    let path = before_remark(text);
    if !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit()) {
        return PathMention::Unreadable("is a number");
    }
    if path.len() < text.len() && text.contains(" (") && has_extension(path) {
        return PathMention::Unreadable("has a remark behind it");
    }
    PathMention::Path(Cow::Borrowed(text))
}

/// What the target of a link names: it may have a section of the file behind it, and characters in percent
/// encoding.
pub(super) fn linked(target: &str) -> PathMention<'_> {
    let section = target.find('#').filter(|_| split_lines(target).1.is_none());
    match named(&target[..section.unwrap_or(target.len())]) {
        PathMention::Path(Cow::Borrowed(path)) => decoded(path),
        named => named,
    }
}

fn decoded(path: &str) -> PathMention<'_> {
    let path = percent_decode_str(path).decode_utf8();
    path.map_or(PathMention::Unreadable("is not UTF-8"), PathMention::Path)
}

/// What one piece names: a path, unless it cannot be one.
pub(super) fn named(text: &str) -> PathMention<'_> {
    let text = text.trim_matches(|it: char| it.is_whitespace() || is_invisible(it));
    let text = text
        .strip_prefix("【F:")
        .and_then(|it| it.split_once('†'))
        .map_or(text, |it| it.0);
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    let why = match (scheme, text.chars().next()) {
        _ if text.contains(char::is_whitespace) => "has white space in it",
        (_, Some('$')) => "begins with $",
        (_, Some('~')) => "begins with ~",
        (_, Some('@')) => "begins with @",
        (_, None) => "is empty",
        _ if text.bytes().all(|it| it == b'.') || text == "…" => "is a placeholder",
        _ if text.contains("][") => "is a reference to a link",
        _ if text.contains('*') || is_braced(text) => "is a pattern",
        _ if text.bytes().all(|it| it.is_ascii_digit()) => "is a number",
        ("", _) => {
            let path = without_section(without_more_lines(text));
            // A Markdown writer may escape what could be a mark.
            return PathMention::Path(if path.contains("\\_") {
                Cow::Owned(path.replace("\\_", "_"))
            } else {
                Cow::Borrowed(path)
            });
        }
        ("file", _) => return decoded(rest),
        _ => "is a web address",
    };
    PathMention::Unreadable(why)
}

/// A path with the first lines behind it, as `a.rs:1` of `a.rs:1,3`.
fn without_more_lines(path: &str) -> &str {
    let (first, more) = path.split_once(',').unwrap_or((path, ""));
    let is_lines = split_lines(first).1.is_some() && more.split(',').all(|it| range(it).is_some());
    if is_lines { first } else { path }
}

/// A path without the section of the file behind it.
fn without_section(path: &str) -> &str {
    let file = path.split_once('#').filter(|(file, _)| has_extension(file));
    file.filter(|_| split_lines(path).1.is_none())
        .map_or(path, |(file, _)| file)
}

/// Whether a text has several names in braces, as a shell expands them.
fn is_braced(text: &str) -> bool {
    let inside = text
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'));
    inside.is_some_and(|(inside, _)| inside.contains(','))
}
