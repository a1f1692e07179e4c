//! `[profiles.NAME]`: what the file can say of a profile, whether it extends another one or not. Each key changes a
//! copy of the base, in the order in which the keys stand here.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::config::extend::{ProfileTable, add_types, change_statuses};
use crate::config::profile_types::{OnSuccess, PathTemplate, Uninstructed, WordMeaning};
use crate::config::reader::{At, TomlItem};
use crate::config::scopes::RuleLevels;
use crate::config::types::{
    Entries, Nested, OneOrMore, OrAny, OrOff, TomlTable, VisibleName, toml_keys,
};
use crate::document::Form;
use crate::profile::{
    Action, Agent, AllowedWords, CountRule, DetailFile, FilePattern, LengthLimit, Measured, Need,
    PathGlob, Place, ReturnPart, Roles, SchemaRule, Unit,
};

toml_keys! {
    ProfileTable for ProfileTable (own, it, item) {
        /// profile that it extends
        @extending extends: String => drop(it),
        /// how a return is written: json (the default), yaml or text
        @own form: Form => own.profile.form = it,
        /// the part of the message that is the return
        @own part: ReturnPart => own.profile.part = Some(it),
        /// what the documents are, for instructions and schemas
        document: VisibleName => own.profile.document = it,
        /// the fields that the steps look at
        @own at: Roles => {
            let artifacts = it.artifacts.as_ref();
            own.profile.requires_artifacts = artifacts.is_some_and(|it| !it.is_optional);
            own.profile.roles = it;
        },
        /// what each word of the status claims; off takes away one that the base has, and without a base it can
        /// be what the caller does after it
        statuses: Entries<WordMeaning> => change_statuses(&mut own.profile.statuses, &it, &own.base),
        /// agents with words of their own, and the chain in which they work
        agents: Entries<Nested<AgentKeys>> => own.change_agents(it, item),
        /// what the caller does after a status
        @extending actions: Entries<Action> => own.set_actions(&it, item),
        /// more types of artifacts than the base has; any allows all
        @extending artifact_types: OrAny<VisibleName> => add_types(&mut own.profile.artifact_types, it),
        /// more types of errors than the base has; any allows all
        @extending error_types: OrAny<VisibleName> => add_types(&mut own.profile.error_types, it),
        /// members that must be there, dotted; [] is every item
        @extending required: Vec<At<VisibleName>> => own.set_fields(&it, Need::Required, item),
        /// fields that must be there; an empty list is enough
        @own required: Vec<Place> => own.profile.required = it.into(),
        /// members that can be there, dotted; [] is every item
        @extending optional: Vec<At<VisibleName>> => own.set_fields(&it, Need::Optional, item),
        /// fields that must not be empty with these words of the status
        @own required_if: Entries<Vec<Place>> => own.profile.required_if = own.conditions(it, item),
        /// fields that must be empty with these words of the status
        @own empty_if: Entries<Vec<Place>> => own.profile.empty_if = own.conditions(it, item),
        /// words that values can be, by field, or in tables
        @own values: Cow<'static, [AllowedWords]> => own.profile.claims.values = it,
        /// words that values can be with these words of the status, by field, or in tables
        @own values_if: Entries<Cow<'static, [AllowedWords]>> => {
            let all = it.0.into_iter();
            let all = all.map(|(words, it)| (own.words(&words, item), it.into_owned()));
            own.profile.claims.values_if = all.collect();
        },
        /// file with the JSON Schema of the document, or a table with the field that it is for, too
        @own schema: SchemaRule => own.profile.schema = Some(it),
        /// lists of fields that have the same value
        @own same: Cow<'static, [Vec<Place>]> => own.profile.claims.same = it,
        /// fields with parts, by the field with their sum, or in tables
        @own sums: Cow<'static, [(Place, Vec<Place>)]> => own.profile.claims.sums = it,
        /// numbers, and what they count
        @own counts: Vec<CountRule> => own.profile.claims.counts = it.into(),
        /// more folders, next to the root, that artifacts and files may be in
        @own extra_roots: Vec<PathBuf> => {
            // Absolute paths, so that it does not matter where the program is.
            let folder = item.reader.folder.unwrap_or(Path::new(""));
            let roots = it.iter().filter_map(|it| std::path::absolute(folder.join(it)).ok());
            own.profile.extra_roots = roots.collect();
        },
        /// globs of the files that the agent may write; others are reported
        writes: Vec<PathGlob> => own.profile.writes = Some(it),
        /// file with an example of a return, which is checked against the profile
        @own example: String => drop(it),
        /// file with a return that breaks the profile, for `retval init --verify`
        @own counter_example: String => drop(it),
        /// none if the agent's own prompt says how to return
        @own instruct: Uninstructed => own.profile.is_instructed = false,
        /// whether a success without artifacts is an error
        @own artifacts_on_success: OnSuccess => own.profile.requires_artifacts = it.0,
        /// more words for nothing than none, n/a and the like
        @own none: Vec<String> => own.profile.none = it.into(),
        /// more words for removed files in the line above a list than deleted, removed, moved and renamed
        @own gone: Vec<String> => own.profile.gone = it.into(),
        /// limits of lengths
        limits: Nested<LimitKeys> => {
            LimitKeys::read_into(own, item);
            own.refuse_several(item);
        },
        /// path of handoff files, with {session}, {group} and {agent}
        @extending handoff_path: PathTemplate => {
            own.profile.handoff_paths.to_mut().insert(0, it.0.into());
            if !own.base.has_handoff_file() {
                own.refuse(item, item.at(), format!(
                    "the profile `{}` has no handoff files, so that they cannot have a path",
                    own.base_name()
                ));
            }
        },
        /// levels of rules
        rules: RuleLevels => {
            for (rule, level) in &it.0 {
                let known = own.profile.levels.to_mut();
                known.retain(|(known, _)| *known != rule.id);
                known.push((rule.id, *level));
            }
            own.rules = it.0;
        },
        /// file names that select this profile
        files: Vec<FilePattern> => {
            // If the profile's documents are files, agents are told the first glob as the file name.
            if let (Some(told), Some(first)) = (&mut own.profile.file, it.first()) {
                *told = first.as_str().to_owned().into();
            }
            own.profile.files = it.into();
        },
    }
}

pub(super) struct AgentKeys;

toml_keys! {
    AgentKeys for ProfileTable (own, it, item) {
        /// what each word of the status claims; off takes away one that the base has, and without a base it can
        /// be what the caller does after it
        statuses: Entries<WordMeaning> => {
            let base = own.base.clone();
            change_statuses(&mut own.agent().statuses, &it, &base);
        },
        /// agents whose handoff file it starts from
        @extending reads_from: Vec<VisibleName> => own.agent().reads_from = it.into(),
        /// agents whose handoff file it starts from if none of those left one
        @extending reads_otherwise: Vec<VisibleName> => own.agent().reads_otherwise = it.into(),
        /// whether it leaves a handoff file
        @extending writes_handoff: bool => own.agent().writes_handoff = it,
        /// whether a summary of its handoff that is too long is an error
        @extending limits_summary: bool => own.agent().limits_summary = it,
        /// paths of files with details of its work, by name; off removes one
        @extending details: Entries<OrOff<PathTemplate>> => for (file, path) in it.0 {
            let details = own.agent().details.to_mut();
            details.retain(|detail| detail.name != *file);
            let path = path.0.map(|path| path.0.into());
            details.extend(path.map(|path| DetailFile { name: file.value, path }));
        },
        /// agents that continue after a status, the usual one first; off leaves open what follows
        next: Entries<OrOff<OneOrMore>> => own.change_next(&it, item),
    }
}

pub(super) struct LimitKeys;

toml_keys! {
    LimitKeys for ProfileTable (own, it, item) {
        /// most lines of the whole message that are not blank
        @own lines: usize => own.profile.message_limits.lines = Some(it),
        /// most characters of the whole message
        @own return_characters: usize => own.profile.message_limits.characters = Some(it),
        /// most tokens of the summary
        summary_tokens: OrOff<usize> => own.length(it.0, Unit::Tokens, Measured::Summary, item),
        /// most words of the summary
        summary_words: OrOff<usize> => own.length(it.0, Unit::Words, Measured::Summary, item),
        /// most characters of the summary
        summary_characters: OrOff<usize> => own.length(it.0, Unit::Characters, Measured::Summary, item),
        /// most tokens of the whole message
        @extending return_tokens: OrOff<usize> => own.length(it.0, Unit::Tokens, Measured::Return, item),
        /// most tokens of the whole message, next to the limit of the summary
        @own return_tokens: OrOff<usize> => own.profile.message_limits.tokens = it.0,
        /// fewest and most sentences of the summary
        sentences: OrOff<(usize, usize)> => own.profile.sentences = it.0,
        /// fewest characters of the summary
        @extending summary_characters_at_least: OrOff<usize> => own.profile.limits.summary_at_least = it.0,
        /// most characters of the summary of an artifact
        @extending artifact_summary_characters: OrOff<usize> => own.profile.limits.artifact_summary_at_most = it.0,
        /// most characters of the message of an error
        @extending error_message_characters: OrOff<usize> => own.profile.limits.error_message_at_most = it.0,
        /// most characters of the next steps
        @extending next_steps_characters: OrOff<usize> => own.profile.limits.next_steps_at_most = it.0,
    }
}

impl ProfileTable {
    /// Adds agents, or changes them. All are added before any is changed, because one can name another that
    /// comes later.
    fn change_agents(&mut self, own: Entries<Nested<AgentKeys>>, item: &TomlItem<'_>) {
        for (name, _) in own.0 {
            if self.profile.agent(&name).is_none() {
                self.profile.agents.to_mut().push(Agent { name: name.value, ..Agent::BASE });
            }
        }
        for member in item.members().unwrap_or_default() {
            let mut agents = self.profile.agents.iter();
            if let Some(at) = agents.position(|it| it.name == member.key) {
                self.agent = at;
                AgentKeys::read_into(self, &member);
            }
        }
    }

    fn length(&mut self, most: Option<usize>, unit: Unit, of: Measured, item: &TomlItem<'_>) {
        self.profile.length = most.map(|most| LengthLimit::at_most(most, unit, of));
        // A limit of the base that only warns goes, too.
        self.profile.soft_length = None;
        self.lengths.push(item.at());
    }

    fn refuse_several(&self, item: &TomlItem<'_>) {
        let Some(second) = self.lengths.get(1) else {
            return;
        };
        let (at, keys) = if item.has_base {
            (item.at(), "`summary-words`, `summary-characters` and `return-tokens`")
        } else {
            (*second, "`summary-words` and `summary-characters`")
        };
        let message = format!("only one of `summary-tokens`, {keys} can be set");
        item.reader.refuse(at, message);
    }
}
