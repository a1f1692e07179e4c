//! The notification that Claude Code gives to the main agent when a background agent has ended.

use std::borrow::Cow;

use super::{EnvelopeKind, Opened, envelope, span};

pub(super) const START: &str = "<task-notification>";
const END: &str = "</task-notification>";

/// Opens a notification. The message is the text of `<result>`, which ends at the first closing tag,
/// because the client writes `&`, `<` and `>` in it as entities.
pub(super) fn open(text: &str) -> Option<Opened<'_>> {
    let inside = text.trim().strip_prefix(START)?.strip_suffix(END)?;
    let (before, rest) = inside.split_once("<result>")?;
    let (result, after) = rest.split_once("</result>")?;
    let is_one = [before, after]
        .iter()
        .all(|part| !part.contains(START) && !part.contains("<result>"));
    is_one.then(|| Opened {
        envelope: envelope(EnvelopeKind::TaskNotification, "<result>", None),
        message: decoded(result.trim()),
        span: span(text, result.trim()),
    })
}

/// Decodes the entities of a text. `&amp;` comes last, so that nothing is decoded twice.
fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    Cow::Owned(text.replace("&amp;", "&"))
}
