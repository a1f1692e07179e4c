//! Bounds the marks that a Markdown reader sees: it keeps a node for each of them.

/// The most marks of a paragraph, which is lines without a blank one. No one writes that many.
const MARKS_OF_PARAGRAPH: usize = 10_000;

/// The most marks of a message.
const MARKS: usize = 1_000_000;

/// A text in which paragraphs with too many marks are plain. All offsets stay the same, and so does what
/// begins a line. None if there are no such paragraphs.
pub(super) fn plain(text: &str) -> Option<String> {
    if text.len() <= MARKS_OF_PARAGRAPH {
        return None;
    }
    let mut bytes = None;
    let (mut all, mut start, mut end) = (0, 0, 0);
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        end += line.len();
        let is_last = lines.peek().is_none_or(|it| it.trim_ascii().is_empty());
        if !is_last {
            continue;
        }
        let paragraph = &text.as_bytes()[start..end];
        let count = paragraph.iter().filter(|byte| is_mark(**byte)).count();
        all += count;
        if count > MARKS_OF_PARAGRAPH || all > MARKS {
            let bytes = bytes.get_or_insert_with(|| text.as_bytes().to_vec());
            let lines = bytes[start..end].split_mut(|byte| *byte == b'\n');
            lines.for_each(blot);
        }
        start = end;
    }
    bytes.and_then(|bytes| String::from_utf8(bytes).ok())
}

fn is_mark(byte: u8) -> bool {
    matches!(
        byte,
        b'*' | b'_' | b'`' | b'[' | b']' | b'!' | b'<' | b'&' | b'\\'
    )
}

/// Replaces the marks of a line, but for a quotation, a list mark, a fence or a comment that it begins
/// with.
fn blot(line: &mut [u8]) {
    let is_before = |byte: &u8| matches!(byte, b' ' | b'\t' | b'>');
    let start = line.iter().take_while(|it| is_before(it)).count();
    let rest = &line[start..];
    let kept = match rest {
        [b'*', b' ' | b'\t', ..] => 1,
        [b'`', b'`', b'`', ..] => rest.iter().take_while(|byte| **byte == b'`').count(),
        [b'<', b'!', b'-', b'-', ..] => 4,
        _ => 0,
    };
    for byte in line
        .iter_mut()
        .skip(start + kept)
        .filter(|it| is_mark(**it))
    {
        *byte = b'.';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_paragraph_with_too_many_marks_is_plain() {
        assert_eq!(plain(&"*a* ".repeat(MARKS_OF_PARAGRAPH / 2)), None);
        let many = format!("> *a*{}\n```` x\n* _b_", "[".repeat(MARKS_OF_PARAGRAPH));
        let text = format!("*before*\n\n{many}\n\n*behind*");
        let dots = format!("> .a.{}\n```` x\n* .b.", ".".repeat(MARKS_OF_PARAGRAPH));
        let expected = format!("*before*\n\n{dots}\n\n*behind*");
        assert_eq!(plain(&text).as_deref(), Some(&*expected));
    }
}
