//! Transcripts as the clients write them, with texts that are made up.

mod claude_code;
mod codex;
mod copilot;
mod gemini;
mod opencode;

/// How long the texts of a transcript are.
#[derive(Clone, Copy)]
pub(crate) enum Texts {
    /// A few words: what costs is the records themselves.
    Short,
    /// Files that are read and written, and outputs of programs.
    Long,
}

impl Texts {
    /// Source code of about so many lines, as it stands in a string.
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
    /// What comes before the turns, between them, and at the end.
    around: [&'static str; 3],
    turn: Turn,
    pub(crate) form: Form,
}

/// How a transcript is written. One that is a document may have a few megabytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Lines,
    Document,
}

/// A transcript of every client and form.
pub(crate) fn all() -> Vec<Recorded> {
    let lines = |name, head, turn: Turn| (name, [head, "", ""], turn, Form::Lines);
    let document = |name, around, turn: Turn| (name, around, turn, Form::Document);
    let clients = [
        lines("Claude Code", claude_code::HEAD, claude_code::turn),
        lines("Codex", codex::HEAD, codex::turn),
        lines("Copilot CLI", copilot::HEAD, copilot::turn),
        lines("Gemini CLI", gemini::HEAD, gemini::turn),
        document(
            "Gemini CLI, one document",
            gemini::DOCUMENT,
            gemini::message,
        ),
        document("opencode", opencode::DOCUMENT, opencode::turn),
    ];
    let both = |(name, around, turn, form)| {
        [Texts::Short, Texts::Long].map(|texts| Recorded {
            name,
            texts,
            around,
            turn,
            form,
        })
    };
    clients.into_iter().flat_map(both).collect()
}

impl Recorded {
    /// The transcript, of about so many bytes.
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
