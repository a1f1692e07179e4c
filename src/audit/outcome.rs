//! What came back from one delegation.

use crate::check::rules::is_worthless_message;
use crate::clients::failure::failure_in_place_of_answer;
use crate::clients::run::{ClientStatus, End, Run};
use crate::text::{is_blank, names};

names! {
    /// What came back from one delegation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(crate) enum RunOutcome: "outcome" {
        /// A message of the agent.
        Returned = "returned",
        /// The error of a request or of the client, in place of a return.
        Error = "error",
        /// The text of a limit of usage or of turns, in place of a return.
        Limit = "limit",
        /// The run began, and was interrupted.
        Interrupted = "interrupted",
        /// The call was refused, stopped, or failed, and nothing shows that the agent began.
        NeverRan = "never-ran",
        /// An end without a text.
        Empty = "empty",
        /// A placeholder, or a copy of the instruction.
        Placeholder = "placeholder",
        /// A message that announces the next step, which never came.
        Fragment = "fragment",
        /// The agent became a member of a team, and answers by messages.
        Teammate = "teammate",
        /// No record says how the run ended. It may have returned, and it may still be running.
        NoEnd = "no-end",
    }
}

/// The most bytes of a message that can be a fragment. One that goes on for longer says something.
const FRAGMENT_AT_MOST: usize = 400;

/// How a sentence begins that announces what the agent does next.
const ANNOUNCES: [&str; 12] = [
    "let me ",
    "now let me ",
    "next, let me ",
    "now i'll ",
    "i'll now ",
    "i'll start by ",
    "i'll begin by ",
    "next, i'll ",
    "now i will ",
    "i will now ",
    "now i need to ",
    "i need to ",
];

/// What follows such a beginning if the agent is done: it waits, or offers its help.
const IS_DONE: [&str; 9] =
    ["know", "wait", "stop", "hand", "leave", "note", "return", "report", "summar"];

impl RunOutcome {
    /// The outcome, in words.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Returned => "returned",
            Self::Error => "error in place of a return",
            Self::Limit => "limit in place of a return",
            Self::Interrupted => "interrupted after it began",
            Self::NeverRan => "never ran",
            Self::Empty => "ended without a text",
            Self::Placeholder => "placeholder or copied instruction",
            Self::Fragment => "announces a next step and ends",
            Self::Teammate => "teammate, answers by messages",
            Self::NoEnd => "no end recorded",
        }
    }

    /// Whether the caller certainly got no answer. A fragment is the agent's own text, and counts as one.
    pub(crate) const fn is_lost(self) -> bool {
        matches!(
            self,
            Self::Error
                | Self::Limit
                | Self::Interrupted
                | Self::NeverRan
                | Self::Empty
                | Self::Placeholder
        )
    }

    /// The outcome of a run, by its records.
    pub(crate) fn of(run: &Run) -> Self {
        let has_begun = run.is_recorded || !run.calls.is_empty();
        let status = run.details.status;
        let text = run.final_message.as_deref();
        match run.end {
            _ if status == Some(ClientStatus::Teammate) => Self::Teammate,
            // The client says that it was running.
            End::Interrupted if has_begun || status == Some(ClientStatus::Stopped) => {
                Self::Interrupted
            }
            End::NotStarted | End::Interrupted => Self::NeverRan,
            End::Limit => Self::Limit,
            End::ApiError | End::Failed => Self::Error,
            End::Answered | End::OutputLimit => text.map_or(Self::Empty, of_text),
            // Only with a count does a caller's record have the answer, too.
            End::Unknown
                if status == Some(ClientStatus::Completed)
                    && (run.is_recorded || run.reported_calls.is_some()) =>
            {
                text.map_or(Self::Empty, of_text)
            }
            // The client says so to the caller, and the agent's own record has no answer.
            End::Unknown if status == Some(ClientStatus::Failed) => Self::Error,
            End::Unknown if status == Some(ClientStatus::Stopped) => Self::Interrupted,
            End::Unknown if run.ends_in_message => text.map_or(Self::Empty, of_text),
            // A complete record goes on to the end of the run, and has no text there.
            End::Unknown if run.is_recorded && run.is_complete() && text.is_none() => Self::Empty,
            End::Unknown => Self::NoEnd,
        }
    }
}

/// The outcome of a run that ended with this message.
fn of_text(text: &str) -> RunOutcome {
    match failure_in_place_of_answer(text) {
        Some(End::Limit) => RunOutcome::Limit,
        Some(End::Interrupted) => RunOutcome::Interrupted,
        Some(_) => RunOutcome::Error,
        None if is_blank(text) => RunOutcome::Empty,
        None if is_worthless_message(text) => RunOutcome::Placeholder,
        None if is_fragment(text) => RunOutcome::Fragment,
        None => RunOutcome::Returned,
    }
}

/// Whether a message is one short paragraph whose last sentence announces what comes next.
fn is_fragment(text: &str) -> bool {
    let text = text.trim();
    if text.len() > FRAGMENT_AT_MOST || text.contains('\n') {
        return false;
    }
    let text = text.replace('’', "'").to_lowercase();
    let ends = [". ", "! ", "? ", ": "];
    let start = ends.iter().filter_map(|end| text.rfind(end)).max();
    let last = start.map_or(&*text, |at| &text[at + 2..]);
    let next = ANNOUNCES.iter().find_map(|start| last.strip_prefix(start));
    next.is_some_and(|next| !IS_DONE.iter().any(|word| next.starts_with(word)))
        && last.ends_with([':', '.', '…'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_announces_its_next_step_is_a_fragment() {
        for (text, expected) in [
            ("Let me look at the parser next.", true),
            ("The tests pass. Now let me update the changelog:", true),
            ("I’ll start by reading the configuration.", true),
            ("I need to see the other callers first…", true),
            ("All done. Let me know if you want more.", false),
            ("I'll now wait for your review.", false),
            ("Let me summarize: the parser is correct.", false),
            ("Let me look at the parser.\n\nIt has two faults.", false),
            ("The parser has two faults.", false),
            ("Let me look at the parser", false),
            ("Let me note that this is by design.", false),
        ] {
            assert_eq!(is_fragment(text), expected, "{text}");
        }
    }
}
