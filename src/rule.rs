//! What a rule is: its name, level and messages. All rules are listed in [`rules`](crate::check::rules),
//! and explained in [`explain`](crate::check::explain).

pub use crate::profile::Level;
use crate::profile::Profile;
pub(crate) use crate::profile::{Companion, Requirement};
use crate::text::names;

/// One check.
#[derive(Debug)]
pub struct Rule {
    /// Its name in options, configuration and reports.
    pub id: &'static str,
    /// The step that it belongs to.
    pub step: Step,
    /// Its level unless a profile or an option sets another.
    pub level: Level,
    /// Whether it applies to the returns of a profile.
    pub(crate) applies: fn(&Profile) -> bool,
    /// The message of its findings; `{words}` are placeholders. What follows `Error: ` in a second line is
    /// added if the return fails.
    pub(crate) message: &'static str,
    /// The recommendation of its findings; `{agent}` is a placeholder. If it is empty, the subagent is to be
    /// fixed so that it follows the advice, which is then in the third person.
    pub(crate) help: &'static str,
    /// The recommendation to the agent itself. It begins with a verb.
    pub(crate) advice: &'static str,
    /// The claim of the return that is false if the rule is broken, as a statement.
    pub(crate) claim: Option<(Claimed, &'static str)>,
}

/// What a claim of a return is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claimed {
    /// Two values of the return.
    Within,
    /// What the agent did.
    Work,
}

/// What a recommendation begins with that is to make a subagent follow an advice, and that is to make it do the
/// work that it claims.
const FIX: &str = "Fix {agent} subagent to ";
const HAVE: &str = "Have {agent} ";

/// How rules are declared.
impl Rule {
    /// A rule that reports errors. It applies to every profile or, if its step is about artifacts, to those that
    /// list some, unless it says otherwise.
    pub(crate) const fn error(step: Step, id: &'static str) -> Self {
        Self {
            id,
            step,
            level: Level::Error,
            applies: match step {
                Step::Artifacts => Profile::lists_artifacts,
                _ => |_| true,
            },
            message: "",
            help: "",
            advice: "",
            claim: None,
        }
    }

    /// The same for warnings.
    pub(crate) const fn warning(step: Step, id: &'static str) -> Self {
        Self::error(step, id).at(Level::Warning)
    }

    /// The same for profiles of one's own.
    pub(crate) const fn of_own_profile(step: Step, id: &'static str) -> Self {
        Self::error(step, id).applies_to(Profile::is_own)
    }

    pub(crate) const fn at(self, level: Level) -> Self {
        Self { level, ..self }
    }

    pub(crate) const fn applies_to(self, applies: fn(&Profile) -> bool) -> Self {
        Self { applies, ..self }
    }

    pub(crate) const fn claims(self, what: Claimed, claim: &'static str) -> Self {
        let claim = Some((what, claim));
        Self { claim, ..self }
    }

    pub(crate) const fn says(self, message: &'static str) -> Self {
        Self { message, ..self }
    }

    pub(crate) const fn helps(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    pub(crate) const fn advises(self, advice: &'static str) -> Self {
        Self { advice, ..self }
    }
}

impl Rule {
    /// Whether it is an error by default that evidence shows, and not the text of the return.
    pub(crate) fn is_error_of_evidence(&self) -> bool {
        self.level == Level::Error && self.needs_evidence()
    }

    /// Whether it compares a claim with more than the text of the return.
    fn needs_evidence(&self) -> bool {
        !matches!(self.claim, None | Some((Claimed::Within, _)))
    }

    /// The message of its findings, and the error that is added if the return fails.
    pub(crate) fn message_and_error(&self) -> (&'static str, Option<&'static str>) {
        match self.message.split_once("\nError: ") {
            Some((message, error)) => (message, Some(error)),
            None => (self.message, None),
        }
    }

    /// The recommendation of its findings: words, and a text that goes on behind them.
    pub(crate) fn help(&self) -> [&'static str; 2] {
        match self.help {
            "" if self.needs_evidence() => [HAVE, self.advice],
            "" => [FIX, self.advice],
            help => ["", help],
        }
    }

    /// The message of its findings, with the placeholders in capitals.
    #[must_use]
    pub fn title(&self) -> String {
        in_capitals(["", self.message_and_error().0])
    }

    /// The recommendation of its findings, with the placeholders in capitals.
    #[must_use]
    pub fn recommendation(&self) -> String {
        in_capitals(self.help())
    }
}

/// A text that is addressed to no particular agent, with its placeholders in capitals.
fn in_capitals(text: [&str; 2]) -> String {
    let mut filled = String::new();
    fill(&mut filled, text, None, |filled, placeholder| {
        filled.push_str(&placeholder.to_ascii_uppercase());
    });
    filled
}

/// Appends a text with the agent's name, if it is known, and with what `write` appends for each other
/// placeholder. A text that goes on behind words begins with a small letter, and speaks of the agent.
pub(crate) fn fill(
    filled: &mut String,
    [words, text]: [&str; 2],
    agent: Option<&str>,
    mut write: impl FnMut(&mut String, &str),
) {
    const THIRD_PERSON: [(&str, &str); 3] =
        [("yourself", "itself"), ("your", "its"), ("you", "it")];
    let behind = match words {
        "" => text.to_owned(),
        _ => THIRD_PERSON.iter().fold(text.to_owned(), |text, (you, it)| text.replace(you, it)),
    };
    for (text, is_behind_words) in [(words, false), (&*behind, !words.is_empty())] {
        let mut letters = text.chars();
        if is_behind_words && !text.starts_with('{') {
            filled.extend(letters.next().map(|first| first.to_ascii_lowercase()));
        }
        let mut rest = letters.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let (placeholder, after) = after.split_once('}').unwrap_or((after, ""));
            rest = after;
            match (placeholder, agent) {
                ("agent", Some(name)) => filled.push_str(name),
                ("agent", None) => {
                    filled.push_str("the subagent");
                    // Avoids "the subagent subagent".
                    rest = rest.strip_prefix(" subagent").unwrap_or(rest);
                }
                _ => write(filled, placeholder),
            }
        }
        filled.push_str(rest);
    }
}

impl Profile {
    /// Whether a rule applies to returns of this profile.
    pub(crate) fn has_rule(&self, rule: &Rule) -> bool {
        (rule.applies)(self)
    }

    /// Returns the level of a rule in this profile. Options can change it.
    pub(crate) fn level(&self, rule: &Rule) -> Level {
        let own = self.levels.iter().find(|(id, _)| *id == rule.id);
        own.map_or(rule.level, |(_, level)| *level)
    }

    /// Returns the level of a rule. None if the rule does not apply to this profile.
    pub(crate) fn applicable_level(&self, rule: &Rule) -> Option<Level> {
        self.has_rule(rule).then(|| self.level(rule))
    }
}

names! {
    /// The six steps, in the order they run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Step: "step" {
        /// The return is one JSON object.
        Json = "json",
        /// It has the fields of its profile.
        Fields = "fields",
        /// Its status is one of the profile's.
        Status = "status",
        /// It answers the delegation that was made.
        Session = "session",
        /// Its summary is short.
        Summary = "summary",
        /// The files it claims are there.
        Artifacts = "artifacts",
    }
}

impl Step {
    /// Its number among the six, from 1.
    #[must_use]
    pub(crate) fn number(self) -> usize {
        self as usize + 1
    }

    /// Its name for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Json => "Valid JSON",
            Self::Fields => "Required fields",
            Self::Status => "Status",
            Self::Session => "Session ID",
            Self::Summary => "Summary length",
            Self::Artifacts => "Artifacts",
        }
    }
}

/// Which warnings fail a return. `true` and `false` convert to all and none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// None.
    #[default]
    Off,
    /// Those about what the document of the profile requires.
    Required,
    /// All.
    All,
}

impl Strictness {
    /// The word for [`Required`](Self::Required) in options and settings.
    pub const REQUIRED: &str = "required";
}

impl From<bool> for Strictness {
    fn from(is_strict: bool) -> Self {
        if is_strict { Self::All } else { Self::Off }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, agent: Option<&str>) -> String {
        let mut filled = String::new();
        fill(&mut filled, ["", text], agent, String::push_str);
        filled
    }

    #[test]
    fn values_are_filled_in_wherever_they_stand() {
        assert_eq!(filled("{path} and {why}, {path}", None), "path and why, path");
        assert_eq!(filled("", None), "");
        let mut told = String::new();
        fill(&mut told, ["Your ", "{name} is {name}"], None, String::push_str);
        fill(&mut told, [" Your ", "Path is {path}"], None, String::push_str);
        assert_eq!(told, "Your name is name Your path is path");
    }

    #[test]
    fn an_agent_without_a_name_is_called_the_subagent() {
        const FIX: &str = "Fix {agent} subagent: {agent}";
        assert_eq!(filled(FIX, Some("a")), "Fix a subagent: a");
        assert_eq!(filled(FIX, None), "Fix the subagent: the subagent");
    }
}
