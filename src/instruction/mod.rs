//! The instruction for a subagent on how to return. It is generated from the profile that the return
//! is checked against.

mod handoffs;
mod own;
mod requirements;
mod skeleton;
#[cfg(test)]
mod tests;

use std::fmt::{self, Display, Write as _};

use crate::profile::{HANDOFF, Profile, Shape};
use crate::text::escape::full;

pub(crate) use skeleton::is_sample;

/// The first line of the part about the return.
const HEADING: &str = "RETURN FORMAT\n";

/// Whether a text begins as an instruction does.
pub(crate) fn is_beginning(text: &str) -> bool {
    text.starts_with(HEADING)
}

/// The instruction for one delegation. Displays as the text to add to the prompt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instruction<'i> {
    /// The profile that the return will be checked against.
    pub profile: &'i Profile,
    /// The session id that the return must have.
    pub session: Option<&'i str>,
    /// The session id to return if the task gives none. Used only if `session` is None.
    pub fallback_session: Option<&'i str>,
    /// The agent that is called.
    pub agent: Option<&'i str>,
    /// The group of work, which is a part of the paths of handoff files.
    pub group: Option<&'i str>,
    /// The names of the agents from the orchestrator to the called agent. Empty if they are not known.
    pub delegation_path: &'i [String],
    /// The number of delegations from the orchestrator to the agent.
    pub delegation_depth: Option<u32>,
    /// The delegation path to return if the task gives none. Empty if the instruction has none.
    pub fallback_path: &'i [String],
    /// The folder of the task, where its metadata file belongs.
    pub task_folder: Option<&'i str>,
    /// The agent whose handoff is to be read. If None, the agents that the profile names.
    pub previous: Option<&'i str>,
    /// The profile that handoff files will be checked against.
    pub handoff: &'i Profile,
}

impl<'i> Instruction<'i> {
    /// The instruction for any session and agent.
    pub(crate) fn new(profile: &'i Profile) -> Self {
        Self {
            profile,
            session: None,
            fallback_session: None,
            agent: None,
            group: None,
            delegation_path: &[],
            delegation_depth: None,
            fallback_path: &[],
            task_folder: None,
            previous: None,
            handoff: match profile.shape {
                Shape::Handoff => profile,
                Shape::Return | Shape::Message | Shape::Own => &HANDOFF,
            },
        }
    }
}

impl Instruction<'_> {
    /// An example return, as indented JSON, or in the form of a standard of one's own. Safe to print.
    pub(crate) fn skeleton(&self) -> String {
        if self.profile.is_own_standard() {
            own::skeleton(self, self.profile)
        } else {
            skeleton::text(self)
        }
    }
}

impl Display for Instruction<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if self.profile.is_own_standard() {
            own::write(self, self.profile, &mut text);
            return out.write_str(&text);
        }
        self.handoffs(&mut text);
        self.form(&mut text);
        let _ = writeln!(text, "\n{}\n", skeleton::text(self));
        self.requirements(&mut text);
        text.push_str(
            "\nWhat you return is validated before anyone acts on it. A return that is not JSON, lacks a field, or \
             names a file that does not exist is rejected, and the task counts as failed.\n",
        );
        out.write_str(&text)
    }
}

impl Instruction<'_> {
    fn form(&self, text: &mut String) {
        text.push_str(HEADING);
        match (self.profile.shape, self.profile.file.as_deref()) {
            (Shape::Handoff, _) => {
                text.push_str("Write the handoff file as one JSON object of this form:\n");
            }
            (_, Some(file)) => {
                let place = match self.task_folder {
                    Some(folder) => {
                        let folder = full(folder.trim_end_matches('/'));
                        format!("{folder}/{}", full(file))
                    }
                    None => format!("{} to the folder of your task, which you make if it is missing", full(file)),
                };
                let _ = writeln!(
                    text,
                    "Write the metadata file {place}: immediately, with the status in_progress, \
                     and again when you finish. It is one JSON object of the form below. Your final message is a short \
                     summary in prose, not JSON."
                );
            }
            (_, None) => text.push_str(
                "Your whole final report must be one JSON object of this form, and nothing else: no text around it, no \
                 Markdown fence, no comments.\n",
            ),
        }
    }
}
