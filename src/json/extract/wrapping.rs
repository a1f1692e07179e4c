//! The text around a return.

use crate::text::Span;

/// The kinds of text around a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Wrapping {
    fence: bool,
    prose: bool,
    thoughts: bool,
}

impl Wrapping {
    /// The kinds for a message.
    pub(crate) fn name(self) -> String {
        let named: Vec<_> = [
            (self.fence, "a Markdown fence"),
            (self.thoughts, "a think block"),
            (self.prose, "prose"),
        ]
        .iter()
        .filter(|(there, _)| *there)
        .map(|(_, name)| *name)
        .collect();
        named.join(" and ")
    }
}

/// The white space of JSON; anything else around a return is prose.
const WHITE: [char; 4] = [' ', '\n', '\r', '\t'];

pub(crate) fn wrapping(text: &str, place: Span, thoughts: &[Span]) -> Wrapping {
    let (before, after) = (
        text[..place.start].trim_end_matches(WHITE),
        text[place.end..].trim_start_matches(WHITE),
    );
    let fence_line = before.rsplit('\n').next().unwrap_or(before).trim_start();
    let mark = ["```", "~~~"]
        .into_iter()
        .find(|mark| fence_line.starts_with(mark) && after.starts_with(mark));
    let (fence_before, fence_after) = mark.map_or((0, 0), |mark| (fence_line.len(), mark.len()));
    let outside = [
        Span::new(0, before.len() - fence_before),
        Span {
            start: text.len() - after.len() + fence_after,
            end: text.len(),
        },
    ];
    Wrapping {
        fence: mark.is_some(),
        prose: outside
            .into_iter()
            .any(|part| has_prose(text, part, thoughts)),
        thoughts: !thoughts.is_empty(),
    }
}

/// Whether `part` contains anything but white space outside think blocks.
fn has_prose(text: &str, part: Span, thoughts: &[Span]) -> bool {
    let mut at = part.start;
    for thought in thoughts {
        if thought.start >= part.start && thought.end <= part.end {
            if !text[at..thought.start].trim_matches(WHITE).is_empty() {
                return true;
            }
            at = thought.end;
        }
    }
    !text[at..part.end].trim_matches(WHITE).is_empty()
}
