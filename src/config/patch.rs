//! A profile as a configuration tells it: what it changes in the one that it extends.

use std::ops::Range;

use crate::config::limits::Limit;
use crate::config::reader::{self, TomlItem, unknown_name};
use crate::config::{ConfigError, Given};
use crate::profile::{Meaning, Need};
use crate::rules::{Level, Rule};
use crate::text::escape;
use crate::text::is_blank;

/// One `[profiles.NAME]`.
#[derive(Debug)]
pub(super) struct ProfilePatch {
    pub(super) id: String,
    /// Where its name stands.
    pub(super) at: usize,
    pub(super) extends: Given<String>,
    pub(super) document: Option<String>,
    pub(super) own: Statuses,
    pub(super) agents: Vec<AgentPatch>,
    pub(super) artifact_types: Option<Words>,
    pub(super) error_types: Option<Words>,
    pub(super) needs: Vec<(String, Need)>,
    pub(super) limits: Vec<Limit>,
    pub(super) handoff_path: Option<String>,
    pub(super) rules: Vec<(&'static Rule, Level)>,
    pub(super) files: Vec<String>,
}

/// Status words, with what each claims; a word without a claim is taken out.
#[derive(Debug, Default)]
pub(super) struct Statuses {
    pub(super) words: Vec<(String, Option<Meaning>)>,
    pub(super) failure: Option<String>,
}

/// One `[profiles.NAME.agents.AGENT]`.
#[derive(Debug)]
pub(super) struct AgentPatch {
    pub(super) name: String,
    pub(super) own: Statuses,
    pub(super) reads_from: Option<Vec<String>>,
    pub(super) writes_handoff: Option<bool>,
}

/// Words that are allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Words {
    /// Any.
    Any,
    /// These, beside those of the profile that is extended.
    And(Vec<String>),
}

impl ProfilePatch {
    fn new(id: &str, at: usize, extends: Given<String>) -> Self {
        Self {
            id: id.to_owned(),
            at,
            extends,
            document: None,
            own: Statuses::default(),
            agents: Vec::new(),
            artifact_types: None,
            error_types: None,
            needs: Vec::new(),
            limits: Vec::new(),
            handoff_path: None,
            rules: Vec::new(),
            files: Vec::new(),
        }
    }
}

type ReadKey = fn(&mut ProfilePatch, &TomlItem<'_>) -> Result<(), ConfigError>;

/// The keys of a profile beside `extends`, and what each changes.
const KEYS: [(&str, ReadKey); 12] = [
    ("document", |draft, item| {
        draft.document = Some(item.name()?.to_owned());
        Ok(())
    }),
    ("statuses", |draft, item| {
        draft.own.words = words(item)?;
        Ok(())
    }),
    ("failure", |draft, item| {
        draft.own.failure = Some(item.name()?.to_owned());
        Ok(())
    }),
    ("agents", |draft, item| {
        let agents = item.table()?.entries();
        draft.agents = agents
            .map(|(name, place, item)| agent(name, &place, &item))
            .collect::<Result<_, _>>()?;
        Ok(())
    }),
    ("artifact-types", |draft, item| {
        draft.artifact_types = Some(Words::read(item)?);
        Ok(())
    }),
    ("error-types", |draft, item| {
        draft.error_types = Some(Words::read(item)?);
        Ok(())
    }),
    ("required", |draft, item| draft.need(item, Need::Required)),
    ("optional", |draft, item| draft.need(item, Need::Optional)),
    ("limits", |draft, item| {
        let limits = item.table()?.entries();
        draft.limits = limits
            .map(|(key, place, item)| crate::config::limits::read(key, &place, &item))
            .collect::<Result<_, _>>()?;
        crate::config::limits::refuse_two_lengths(item, &draft.limits)
    }),
    ("handoff-path", |draft, item| {
        draft.handoff_path = Some(template(item)?);
        Ok(())
    }),
    ("rules", |draft, item| {
        let levels = reader::levels(item.table()?)?.into_iter();
        draft.rules = levels.map(|(rule, level)| (rule, level.value)).collect();
        Ok(())
    }),
    ("files", |draft, item| {
        draft.files = item.globs()?;
        for (item, glob) in item.list()?.iter().zip(&draft.files) {
            if glob.contains('/') {
                let message = "files are named without the folders that they are in";
                return Err(item.error(message.to_owned()));
            }
        }
        Ok(())
    }),
];

impl ProfilePatch {
    pub(super) fn read(id: &str, at: usize, item: &TomlItem<'_>) -> Result<Self, ConfigError> {
        let table = item.table()?;
        let extends = table.entries().find(|(key, ..)| *key == "extends");
        let Some((_, _, base)) = extends else {
            let message = format!(
                "the profile {} does not say what it extends: extends = \"return\"",
                escape::truncated(id)
            );
            return Err(table.reader().error(at, message));
        };
        let extends = base.given(base.text()?.to_owned());
        let mut draft = Self::new(id, at, extends);
        for (key, place, item) in table.entries().filter(|(key, ..)| *key != "extends") {
            let read = KEYS.iter().find(|(known, _)| *known == key);
            let (_, read) = read.ok_or_else(|| {
                let known = KEYS.iter().map(|(known, _)| *known);
                let message = unknown_name("key", key, known.chain(["extends"]));
                table.reader().error(place.start, message)
            })?;
            read(&mut draft, &item)?;
        }
        Ok(draft)
    }

    fn need(&mut self, item: &TomlItem<'_>, need: Need) -> Result<(), ConfigError> {
        for item in item.list()? {
            let path = item.name()?;
            if path == "status" && need == Need::Optional {
                let message = "without a status nothing else can be checked: it stays required";
                return Err(item.error(message.to_owned()));
            }
            if let Some((_, before)) = self.needs.iter().find(|(known, _)| known == path)
                && *before != need
            {
                let path = escape::truncated(path);
                return Err(item.error(format!("{path} is required and optional: which is it?")));
            }
            self.needs.push((path.to_owned(), need));
        }
        Ok(())
    }
}

impl Words {
    fn read(item: &TomlItem<'_>) -> Result<Self, ConfigError> {
        match item.text() {
            Ok("any") => Ok(Self::Any),
            Ok(_) => Err(item.error("the types are to be an array, or \"any\"".to_owned())),
            Err(_) => item.names().map(Self::And),
        }
    }
}

fn words(item: &TomlItem<'_>) -> Result<Vec<(String, Option<Meaning>)>, ConfigError> {
    let claim = |(word, place, item): (&str, Range<usize>, TomlItem<'_>)| {
        if is_blank(word) {
            return Err(item.error_at(place.start, "a status needs a word".to_owned()));
        }
        item.refuse_disguised(word, place.start)?;
        let known = Meaning::NAMES.map(|(name, claim)| (name, Some(claim)));
        // A word that is switched off is taken out.
        let known: Vec<_> = known.into_iter().chain([("off", None)]).collect();
        Ok((word.to_owned(), item.word(&known)?))
    };
    item.table()?.entries().map(claim).collect()
}

fn agent(name: &str, place: &Range<usize>, item: &TomlItem<'_>) -> Result<AgentPatch, ConfigError> {
    item.refuse_disguised(name, place.start)?;
    let mut agent = AgentPatch {
        name: name.to_owned(),
        own: Statuses::default(),
        reads_from: None,
        writes_handoff: None,
    };
    for (key, place, item) in item.table()?.entries() {
        match key {
            "statuses" => agent.own.words = words(&item)?,
            "failure" => agent.own.failure = Some(item.name()?.to_owned()),
            "reads-from" => agent.reads_from = Some(item.names()?),
            "writes-handoff" => agent.writes_handoff = Some(item.switch()?),
            _ => {
                let known = ["statuses", "failure", "reads-from", "writes-handoff"];
                let message = unknown_name("key", key, known.into_iter());
                return Err(item.error_at(place.start, message));
            }
        }
    }
    Ok(agent)
}

/// A path below the root with the places that are filled in.
fn template(item: &TomlItem<'_>) -> Result<String, ConfigError> {
    let text = item.text()?;
    let rest = ["{session}", "{group}", "{agent}"]
        .iter()
        .fold(text.to_owned(), |text, place| text.replace(place, ""));
    if rest.contains(['{', '}']) {
        let message = "only {session}, {group} and {agent} are filled in";
        return Err(item.error(message.to_owned()));
    }
    if text.starts_with('/') {
        return Err(item.error("the path is to be relative to the root".to_owned()));
    }
    Ok(text.to_owned())
}
