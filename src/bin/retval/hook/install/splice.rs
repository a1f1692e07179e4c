//! Adds one item to a list or an object, or removes one, and changes no other byte.
//!
//! Removing an item restores what was there before it was added. A list or an object is removed with its
//! last item if both were added together. One that was empty before is marked by a space before its
//! first line.

use super::layout::{FileLayout, NewValue, indent_at, is_space, white_space_before};
use super::spans::{SpannedText, SpannedValue};

/// What is left after an item is removed.
pub(super) enum Rest {
    Text(String),
    /// Nothing but the container, which was added together with the item.
    Nothing,
}

/// Adds a value at the end of a container, with a key if that is an object. The outer `levels` levels of
/// the value get a line for each item, if the container has such lines.
pub(super) fn append(
    file: &SpannedText<'_>,
    container: &SpannedValue,
    (key, value): (Option<&str>, &NewValue),
    levels: usize,
) -> String {
    let layout = FileLayout::of(file);
    let text = file.text;
    let close = container.end - 1;
    let piece = |layout: &FileLayout, indent: &str, levels: usize| {
        let value = layout.render(value, indent, levels);
        key.map_or(value.clone(), |key| layout.member(key, &value))
    };
    let in_one_line = FileLayout {
        is_one_line: true,
        ..layout.clone()
    };
    let own = indent_at(text, container.start);
    let inner = format!("{own}{}", layout.unit);
    let Some(last) = container.items.last() else {
        let inside = &text[container.start + 1..close];
        let filled = if layout.is_one_line {
            format!("{inside} {}", piece(&in_one_line, "", 0))
        } else {
            let (first, end) = (layout.line(&inner), layout.line(own));
            format!("{inside} {first}{}{end}", piece(&layout, &inner, levels))
        };
        return replaced(text, (container.start + 1, close), &filled);
    };
    let before = white_space_before(text, last.start);
    let kept = text[..close].trim_end_matches(is_space).len();
    let lines = before
        .rsplit_once('\n')
        .map(|(_, indent)| indent.to_owned());
    // A new line after a comment, which may reach to the end of its line.
    let lines = lines.or_else(|| (kept > last.value.end).then_some(inner));
    let piece = match lines {
        Some(indent) => layout.line(&indent) + &piece(&layout, &indent, levels),
        None => format!("{}{}", layout.space, piece(&in_one_line, "", 0)),
    };
    let with_comma = format!(",{}{piece}", &text[last.value.end..kept]);
    replaced(text, (last.value.end, kept), &with_comma)
}

/// Removes an item from a container.
pub(super) fn without(file: &SpannedText<'_>, container: &SpannedValue, index: usize) -> Rest {
    let text = file.text;
    let item = &container.items[index];
    let start = item.start - white_space_before(text, item.start).len();
    let comma_in = |start: usize, end: usize| {
        let found = file.blanked[start..end].find(',');
        found.map(|at| start + at)
    };
    let comma = match (index.checked_sub(1), container.items.get(index + 1)) {
        (_, Some(next)) => comma_in(item.value.end, next.start),
        (Some(before), None) => comma_in(container.items[before].value.end, item.start),
        (None, None) => return emptied(text, container),
    };
    // The comma is before the item or after it.
    let start = if comma.is_some_and(|comma| comma + 1 == start) {
        start - 1
    } else {
        start
    };
    let rest = replaced(text, (start, item.value.end), "");
    Rest::Text(match comma {
        Some(comma) if comma < start => replaced(&rest, (comma, comma + 1), ""),
        Some(comma) if comma >= item.value.end => {
            let comma = comma - (item.value.end - start);
            replaced(&rest, (comma, comma + 1), "")
        }
        _ => rest,
    })
}

/// A container without its only item.
fn emptied(text: &str, container: &SpannedValue) -> Rest {
    let item = &container.items[0];
    let (open, close) = (container.start + 1, container.end - 1);
    let (lead, tail) = (&text[open..item.start], &text[item.value.end..close]);
    let tail = tail.trim_matches(is_space);
    let before = match lead.rsplit_once('\n') {
        Some((before, indent)) if indent.trim_matches(is_space).is_empty() => {
            before.strip_suffix('\r').unwrap_or(before)
        }
        _ => lead,
    };
    if let Some(inside) = before.strip_suffix(' ') {
        return Rest::Text(replaced(text, (open, close), &format!("{inside}{tail}")));
    }
    let lead = lead.trim_end_matches(is_space);
    if lead.is_empty() && tail.is_empty() {
        return Rest::Nothing;
    }
    // The container has a comment, so it stays.
    let start = open + lead.len();
    Rest::Text(replaced(text, (start, item.value.end), ""))
}

fn replaced(text: &str, (start, end): (usize, usize), by: &str) -> String {
    [&text[..start], by, &text[end..]].concat()
}
