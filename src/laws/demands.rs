//! The options of a caller, selected by the first two bytes of an input.

use crate::report::Source;
use std::sync::LazyLock;

use crate::Checker;
use crate::check::rules::{Level, RULES, Rule};
use crate::instruct::Instruction;
use crate::profile::{PROFILES, Profile, RETURN};

use super::root;

/// The options that a return is checked with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Demands {
    pub(crate) profile: &'static Profile,
    /// Rotates the table of levels.
    turn: usize,
    switches: u8,
}

const STRICT: u8 = 1;
const FAIL_FAST: u8 = 2;
const EXTRACT: u8 = 4;
const SESSION: u8 = 8;
const AGENT: u8 = 16;
const GROUP: u8 = 32;
const LEVELS: u8 = 64;
const HOSTILE: u8 = 128;

/// A custom profile with a hostile name.
static OWN: LazyLock<Profile> = LazyLock::new(|| {
    let mut profile = RETURN.clone();
    profile.id = "mine\n::error::\u{202e}##[x]".into();
    profile
});

/// Text that could start a workflow command, move the cursor, or end a line or a property.
const EVIL: &str = "\n::stop-commands::x\r\u{1b}[2J\u{202e}##[error]##vso[x]%0A,a=b]]>&\"<\\ ";

impl Demands {
    /// The demands that the first two bytes select, and the remaining bytes.
    pub(crate) fn split(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let [first, switches, rest @ ..] = bytes else {
            return None;
        };
        let (turn, profile) = (
            usize::from(*first) / (PROFILES.len() + 1),
            usize::from(*first) % (PROFILES.len() + 1),
        );
        let demands = Self {
            profile: PROFILES.get(profile).copied().unwrap_or_else(|| &OWN),
            turn,
            switches: *switches,
        };
        Some((demands, rest))
    }

    /// The two bytes that select a built-in profile and these switches.
    #[cfg(test)]
    pub(crate) fn header(profile: &Profile, switches: u8) -> [u8; 2] {
        let place = PROFILES.iter().position(|known| known.id == profile.id);
        let place = place.unwrap_or(PROFILES.len());
        [u8::try_from(place).expect("few profiles"), switches]
    }

    fn has(self, switch: u8) -> bool {
        self.switches & switch != 0
    }

    /// A friendly or hostile name, if the switch is on.
    fn name(self, switch: u8, friendly: &'static str) -> Option<&'static str> {
        let name = if self.has(HOSTILE) { EVIL } else { friendly };
        self.has(switch).then_some(name)
    }

    pub(crate) fn session(self) -> Option<&'static str> {
        let friendly = if self.profile.agents.is_empty() {
            "sess_1767225600_k3m9qa"
        } else {
            "tides_20260101"
        };
        self.name(SESSION, friendly)
    }

    pub(crate) fn agent(self) -> Option<&'static str> {
        let friendly = if self.profile.agents.is_empty() { "planner" } else { "qa_expert" };
        self.name(AGENT, friendly)
    }

    pub(crate) fn extracts(self) -> bool {
        self.has(EXTRACT)
    }

    pub(crate) fn extracting(self, extract: bool) -> Self {
        let switches = self.switches & !EXTRACT;
        let extract = if extract { EXTRACT } else { 0 };
        Self { switches: switches | extract, ..self }
    }

    pub(crate) fn checker(self) -> Checker<'static> {
        let mut checker = Checker::new(self.profile, root())
            .session(self.session())
            .agent(self.agent())
            .group(self.name(GROUP, "AUTH"))
            .fail_fast(self.has(FAIL_FAST))
            .extract(self.extracts());
        for (index, rule) in RULES.iter().enumerate() {
            if let Some(level) = self.own_level(index) {
                checker = checker.rule(rule, level);
            }
        }
        checker.strict(self.has(STRICT))
    }

    /// The instruction for the same delegation.
    pub(crate) fn instruction(self) -> Instruction<'static> {
        Instruction {
            session: self.session(),
            agent: self.agent(),
            group: self.name(GROUP, "AUTH"),
            ..Instruction::new(self.profile)
        }
    }

    /// The source of the return, as named in output.
    pub(crate) fn source(self) -> Source<'static> {
        if self.has(HOSTILE) { Source::new(EVIL).at_line(7) } else { Source::new("-") }
    }

    fn own_level(self, index: usize) -> Option<Level> {
        let level = Level::ALL[(index + self.turn) % Level::ALL.len()];
        self.has(LEVELS).then_some(level)
    }

    /// The level of a rule with these options.
    pub(crate) fn level(self, rule: &Rule) -> Level {
        let index = RULES.iter().position(|known| known.id == rule.id);
        let own = self.own_level(index.expect("one of the rules"));
        let level =
            own.filter(|_| !rule.is_indispensable()).unwrap_or_else(|| self.profile.level(rule));
        match level {
            Level::Warning if self.has(STRICT) => Level::Error,
            level => level,
        }
    }
}
