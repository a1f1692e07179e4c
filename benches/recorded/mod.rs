//! Transcripts in the format of each client, with invented texts.

mod claude_code;
mod codex;
mod copilot;
mod gemini;
mod opencode;

/// The length of the texts in a transcript.
#[derive(Clone, Copy)]
pub(crate) enum Texts {
    /// A few words, so that most of the cost is in the records themselves.
    Short,
    /// Whole files and outputs of programs.
    Long,
}

impl Texts {
    /// About this many lines of source code, escaped for a JSON string.
    fn code(self, lines: usize) -> String {
        let lines = match self {
            Self::Short => 1,
            Self::Long => lines,
        };
        "    let level = tides.iter().map(|tide| tide[\\\"level\\\"]).max();\\n".repeat(lines)
    }
}

/// Adds the records of a turn.
type Turn = fn(&mut String, usize, Texts);

/// A client's transcript.
pub(crate) struct Recorded {
    pub(crate) name: &'static str,
    pub(crate) texts: Texts,
    /// The text before the turns, between two turns, and after them.
    around: [&'static str; 3],
    turn: Turn,
    pub(crate) form: Form,
}

/// The layout of a transcript. The size of a document is limited to a few megabytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Lines,
    Document,
}

/// A transcript of each client in each layout.
pub(crate) fn all() -> Vec<Recorded> {
    let lines = |name, head, turn: Turn| (name, [head, "", ""], turn, Form::Lines);
    let document = |name, around, turn: Turn| (name, around, turn, Form::Document);
    let clients = [
        lines("Claude Code", claude_code::HEAD, claude_code::turn),
        lines("Codex", codex::HEAD, codex::turn),
        lines("Copilot CLI", copilot::HEAD, copilot::turn),
        lines("Gemini CLI", gemini::HEAD, gemini::turn),
        document("Gemini CLI, one document", gemini::DOCUMENT, gemini::message),
        document("opencode", opencode::DOCUMENT, opencode::turn),
    ];
    let both = |(name, around, turn, form)| {
        [Texts::Short, Texts::Long].map(|texts| Recorded { name, texts, around, turn, form })
    };
    clients.into_iter().flat_map(both).collect()
}

impl Recorded {
    /// The text of the transcript, of about this many bytes.
    pub(crate) fn text(&self, bytes: usize) -> String {
        let [head, between, end] = self.around;
        let mut text = head.to_owned();
        for index in 0.. {
            if index > 0 {
                text.push_str(between);
            }
            (self.turn)(&mut text, index, self.texts);
            if text.len() + end.len() >= bytes {
                break;
            }
        }
        text.push_str(end);
        text
    }
}
