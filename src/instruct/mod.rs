//! How an agent is to return: the instruction in words with an example, and JSON Schemas. All of it is made
//! from the profile that the return is checked against.

mod claims;
mod example;
mod handoffs;
mod places;
mod requirements;
pub(crate) mod schema;
#[cfg(test)]
mod tests;
mod view;

use std::fmt::Write as _;

use crate::check::Checker;
use crate::document::Form;
use crate::instruct::view::ValueView;
use crate::profile::sample::HEADINGS;
use crate::profile::{HANDOFF, Profile, Shape};
use crate::root::Root;
use crate::rule::{Level, Rule};
use crate::text::backticks;
use crate::text::escape::{full, multiline};

/// The members in which a return says how the agent was called.
const DELEGATION_PATH: &str = "metadata.delegation_path";
const DELEGATION_DEPTH: &str = "metadata.delegation_depth";

/// Rules that an example breaks because it is one: its texts are samples, and its files are not there.
const OF_EXAMPLES: [&str; 3] = ["return-echo", "artifact-not-found", "file-not-found"];

/// The instruction for one delegation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instruction<'i> {
    pub profile: &'i Profile,
    pub session: Option<&'i str>,
    /// The session id to return if the task gives none. Used only if `session` is None.
    pub fallback_session: Option<&'i str>,
    pub agent: Option<&'i str>,
    /// The group of work, which is a part of the paths of handoff files.
    pub group: Option<&'i str>,
    /// The names of the agents from the orchestrator to the called agent. Empty if they are not known.
    pub delegation_path: &'i [String],
    /// The delegation path to return if the task gives none. Empty if the instruction has none.
    pub fallback_path: &'i [String],
    /// The profile of handoff files.
    pub handoff: &'i Profile,
}

/// Why there is no instruction. What it displays is safe to print.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the profile {profile} needs an `example`, a file with a valid return: none can be made from its fields ({why})"
)]
pub(crate) struct NoExample {
    profile: String,
    /// What is wrong with the return that its places make.
    why: String,
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
            fallback_path: &[],
            handoff: match profile.shape {
                Shape::Handoff => profile,
                Shape::Return | Shape::Message | Shape::Own => &HANDOFF,
            },
        }
    }

    /// An example return in the form of the profile, safe to print. An error if none is given, and the one made of
    /// its places does not keep it.
    pub(crate) fn example(&self) -> Result<String, NoExample> {
        if !self.profile.is_own() {
            return Ok(example::json(&self.view(false)));
        }
        if let Some(example) = &self.profile.example {
            return Ok(multiline(example.trim()));
        }
        let text = example::own(self);
        let Some(why) = self.fault(&text) else {
            return Ok(text);
        };
        let profile = full(&self.profile.id).to_string();
        Err(NoExample { profile, why })
    }

    /// What the profile says of its documents. Those of a standard of one's own are the same for all agents.
    fn view(&self, is_of_any: bool) -> ValueView<'i> {
        if self.profile.is_own() {
            places::document(self)
        } else {
            view::of_fields(self, is_of_any)
        }
    }

    /// What is wrong with an example, if anything is.
    fn fault(&self, example: &str) -> Option<String> {
        if example.is_empty() {
            // A text without places is of the agent's own words.
            let has_places = self.profile.places().next().is_some();
            return has_places.then(|| "none is the name of a label or a heading".to_owned());
        }
        let root = Root::open(".").ok()?;
        let checker = Checker::new(self.profile, &root).session(self.session).agent(self.agent);
        let off = OF_EXAMPLES.iter().filter_map(|id| Rule::named(id));
        let checker = off.fold(checker, |checker, rule| checker.rule(rule, Level::Off));
        let report = checker.check(example);
        let mut findings = report.findings.iter();
        let wrong = findings.find(|finding| finding.level == Level::Error);
        wrong.map(|finding| finding.head.clone())
    }

    /// The text to add to the prompt, safe to print. An error if there is no [example](Self::example).
    pub(crate) fn text(&self) -> Result<String, NoExample> {
        let example = self.example()?;
        let mut text = String::new();
        self.handoffs(&mut text);
        text.push_str(HEADINGS[usize::from(self.profile.is_own())]);
        text.push_str(&self.form(&example));
        text.push('\n');
        if !example.is_empty() {
            let _ = writeln!(text, "{}\n", self.shown(example));
        }
        self.requirements(&mut text);
        if text.ends_with("\n\n") {
            text.pop();
        }
        let lack = match &self.profile.file {
            _ if self.profile.is_own() => "A return that lacks a value or",
            Some(_) => "A file that is not JSON, lacks a field, or",
            None => {
                "Plain text is refused with the error \"Return is not valid JSON\". A return that lacks a field or"
            }
        };
        let _ = writeln!(
            text,
            "\nWhat you return is validated before anyone acts on it. {lack} names a file that does not exist is \
             rejected, and the task counts as failed."
        );
        Ok(text)
    }

    /// Whether only a fence shows where the example ends: someone wrote it, and it has no marks of its own.
    fn is_fenced(&self) -> bool {
        self.profile.example.is_some() && self.profile.part.is_none()
    }

    fn shown(&self, example: String) -> String {
        if !self.is_fenced() {
            return example;
        }
        let ticks = backticks(&example, 3);
        let word = match self.profile.form {
            Form::Json => "json",
            Form::Yaml => "yaml",
            Form::Text => "",
        };
        format!("{ticks}{word}\n{example}\n{ticks}")
    }

    /// What the example is of, and where it belongs.
    fn form(&self, example: &str) -> String {
        let profile = self.profile;
        let whole = |what: &str, around: &str| {
            format!(
                "Your whole final report must be {what} of this form, and nothing else: no plain text, no Markdown, no \
                 text or fence around it{around}.\n"
            )
        };
        let words = match (&profile.part, profile.shape, profile.file.as_deref()) {
            (Some(part), ..) if part.is_last => {
                "End your final report with this, and nothing after it:\n"
            }
            (Some(_), ..) => "Your final report must have this in it, once:\n",
            (_, Shape::Handoff, _) => "Write the handoff file as one JSON object of this form:\n",
            (.., Some(file)) => {
                let file = full(file);
                return format!(
                    "Write the metadata file {file} to the folder of your task, which you make if it is missing: immediately, with the status in_progress, and again when you \
                     finish. It is one JSON object of the form below. Your final message is a short summary in prose, \
                     not JSON.\n"
                );
            }
            _ if !profile.is_own() => return whole("one JSON object", ", no comments"),
            _ => match profile.form {
                Form::Json => return whole("JSON", ", no comments"),
                Form::Yaml => return whole("YAML", ""),
                Form::Text if example.is_empty() => {
                    "Your final report is a text of your own words.\n"
                }
                Form::Text if self.is_fenced() => {
                    "Your final report must have this form, without the fence around it:\n"
                }
                Form::Text => "Your final report must have this form:\n",
            },
        };
        words.to_owned()
    }
}
