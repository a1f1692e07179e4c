//! `[profiles.NAME]`: its keys. Those of a profile that extends another one change a copy of that, the others say
//! where each field is in a return and what must be true of it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::check::rules::{Level, Rule};
use crate::config::keys::{Keys, OrOff, TomlTable};
use crate::config::places::{SameFields, roles};
use crate::config::reader::At;
use crate::config::scopes::RuleLevels;
use crate::config::types::{Entries, OneOrMore, VisibleName, glob, text, toml_types, word};
use crate::document::part::PartMarks;
use crate::json_schema::SchemaNode;
use crate::profile::words::ANY;
use crate::profile::{
    Action, Agent, AllowedWords, Condition, FieldSpec, FilePattern, LengthLimit, Meaning, Measured,
    Need, Place, Profile, ReturnPart, Status, Unit, fill_placeholders,
};
use crate::text::escape::truncated;
use crate::text::suggest::unknown_name;

/// What a profile extends. Of one that is not known, nothing is told that does not fit it.
pub(super) struct ExtendedProfile {
    pub(super) profile: Profile,
    pub(super) is_known: bool,
}

impl ExtendedProfile {
    fn refuse(&self, keys: &Keys<'_>, at: usize, message: impl Into<String>) {
        if self.is_known {
            keys.refuse_at(at, message);
        }
    }
}

/// A profile, and the levels of rules that it sets.
pub(super) type ProfileWithLevels = (Profile, Vec<(&'static Rule, Level)>);

/// What every profile can say.
fn common(keys: &mut Keys<'_>, base: &ExtendedProfile) -> ProfileWithLevels {
    let mut profile = Profile { files: Cow::Borrowed(&[]), ..base.profile.clone() };
    let about = "what the documents are, for instructions and schemas";
    keys.set("document", about, &mut profile.document);
    let statuses: Entries<WordMeaning> = keys.get("statuses", STATUSES).unwrap_or_default();
    change_statuses(&mut profile.statuses, statuses, &base.profile);
    let about = "agents with words of their own, and the chain in which they work";
    let Entries::<AgentTable>(agents) = keys.get("agents", about).unwrap_or_default();
    // All are added before any is changed, because one can name another that comes later.
    for (name, _) in &agents {
        if profile.agent(name).is_none() {
            profile.agents.to_mut().push(Agent { name: name.value.clone(), ..Agent::BASE });
        }
    }
    for (name, table) in agents {
        table.change(&name, &mut profile, keys, base);
    }
    let about = "globs of the files that the agent may write; others are reported";
    keys.set("writes", about, &mut profile.writes);
    let levels: Option<RuleLevels> = keys.get("rules", "levels of rules");
    let levels = levels.unwrap_or_default().0;
    for (rule, level) in &levels {
        let known = profile.levels.to_mut();
        known.retain(|(known, _)| *known != rule.id);
        known.push((rule.id, *level));
    }
    keys.set("files", "file names that select this profile", &mut profile.files);
    // If the profile's documents are files, agents are told the first glob as the file name.
    if let (Some(told), Some(first)) = (&mut profile.file, profile.files.first()) {
        *told = first.as_str().to_owned().into();
    }
    (profile, levels)
}

/// Reads a profile that extends another one.
pub(super) fn extending(keys: &mut Keys<'_>, base: &ExtendedProfile) -> ProfileWithLevels {
    keys.get::<String>("extends", "profile that it extends");
    let (mut profile, levels) = common(keys, base);
    let about = "more types of artifacts than the base has";
    let types: Vec<_> = keys.get("artifact-types", about).unwrap_or_default();
    profile.artifact_types.to_mut().extend(types);
    let about = "more types of errors than the base has";
    let types: Vec<_> = keys.get("error-types", about).unwrap_or_default();
    profile.error_types.to_mut().extend(types);
    let about = "members that must be there, dotted; [] is every item";
    let required = keys.get("required", about).unwrap_or_default();
    set_fields(&mut profile, required, Need::Required, keys, base);
    let about = "members that can be there, dotted; [] is every item";
    let optional = keys.get("optional", about).unwrap_or_default();
    set_fields(&mut profile, optional, Need::Optional, keys, base);
    keys.table("limits", "limits of lengths", |keys| {
        lengths(keys, &mut profile, true);
        let limits = &mut profile.limits;
        let about = "fewest characters of the summary";
        keys.limit("summary-characters-at-least", about, &mut limits.summary_at_least);
        let about = "most characters of the summary of an artifact";
        keys.limit("artifact-summary-characters", about, &mut limits.artifact_summary_at_most);
        let about = "most characters of the message of an error";
        keys.limit("error-message-characters", about, &mut limits.error_message_at_most);
        let about = "most characters of the next steps";
        keys.limit("next-steps-characters", about, &mut limits.next_steps_at_most);
    });
    let about = "path of handoff files, with {session}, {group} and {agent}";
    if let Some(path) = keys.get::<At<PathTemplate>>("handoff-path", about) {
        if !base.profile.has_handoff_file() {
            base.refuse(keys, path.at, "`handoff-path`: the base has no handoff files");
        }
        profile.handoff_paths.to_mut().insert(0, path.value.0.into());
    }
    (profile, levels)
}

/// Reads a profile of one's own. `base` has nothing.
pub(super) fn own(keys: &mut Keys<'_>, base: &ExtendedProfile) -> ProfileWithLevels {
    let (mut profile, levels) = common(keys, base);
    let about = "how a return is written: json (the default), yaml or text";
    keys.set("form", about, &mut profile.form);
    keys.set("part", "the part of the message that is the return", &mut profile.part);
    let about = "the fields that the steps look at";
    keys.table("at", about, |keys| roles(keys, &mut profile.roles));
    let about = "fields that must be there; an empty list is enough";
    keys.set("required", about, &mut profile.required);
    let about = "fields that must not be empty with these words of the status";
    let places = keys.get("required-if", about).unwrap_or_default();
    profile.required_if = conditions("required-if", places, &profile, keys);
    let about = "fields that must be empty with these words of the status";
    let places = keys.get("empty-if", about).unwrap_or_default();
    profile.empty_if = conditions("empty-if", places, &profile, keys);
    let claims = &mut profile.claims;
    keys.set("values", "words that values can be, by field, or in tables", &mut claims.values);
    let about = "lists of fields that have the same value";
    if let Some(SameFields(fields)) = keys.get("same", about) {
        claims.same = fields.into();
    }
    let about = "fields with parts, by the field with their sum, or in tables";
    keys.set("sums", about, &mut claims.sums);
    keys.set("counts", "numbers, and what they count", &mut claims.counts);
    let about = "words that values can be with these words of the status";
    let values = keys.get("values-if", about).unwrap_or_default();
    let Entries::<Cow<'static, [AllowedWords]>>(values) = values;
    let values = values.into_iter();
    let values = values
        .map(|(words, it)| (known_words("values-if", &words, &profile, keys), it.into_owned()));
    profile.claims.values_if = values.collect();
    let about = "file with the JSON Schema of the document, or a table with a field and the file";
    keys.set("schema", about, &mut profile.schema);
    let about = "more folders, next to the root, that artifacts and files may be in";
    let folders: Vec<PathBuf> = keys.get("extra-roots", about).unwrap_or_default();
    // Absolute paths, so that it does not matter where the program is.
    let folder = keys.item.as_ref().and_then(|it| it.reader.folder).unwrap_or(Path::new(""));
    let folders = folders.iter().filter_map(|it| std::path::absolute(folder.join(it)).ok());
    profile.extra_roots = folders.collect();
    keys.get::<String>("example", "file with an example of a return, which must be valid");
    let about = "file with a return that breaks the profile, for `retval init --verify`";
    keys.get::<String>("counter-example", about);
    let about = "none if the agent's own prompt says how to return";
    profile.is_instructed = keys.get::<Uninstructed>("instruct", about).is_none();
    let about = "whether a success without artifacts is an error";
    let said = keys.get("artifacts-on-success", about).map(|OnSuccess(is_required)| is_required);
    let artifacts = profile.roles.artifacts.as_ref();
    profile.requires_artifacts = artifacts.is_some_and(|it| said.unwrap_or(!it.is_optional));
    keys.set("none", "more words for nothing than none, n/a and the like", &mut profile.none);
    let about = "more words for removed files in the line above a list than deleted, removed, moved and renamed";
    keys.set("gone", about, &mut profile.gone);
    keys.table("limits", "limits of lengths", |keys| {
        lengths(keys, &mut profile, false);
        let limits = &mut profile.message_limits;
        let about = "most lines of the whole message that are not blank";
        keys.set("lines", about, &mut limits.lines);
        let about = "most characters of the whole message";
        keys.set("return-characters", about, &mut limits.characters);
        keys.limit("return-tokens", "most tokens of the whole message", &mut limits.tokens);
    });
    (profile, levels)
}

const STATUSES: &str = "what each word of the status claims, or what the caller does after it; off takes away one that \
                        the base has";

/// What a word of the status means: what it claims, or what follows it. None takes the word away.
struct WordMeaning(Option<(Meaning, Option<Action>)>);

impl WordMeaning {
    fn all() -> Vec<&'static str> {
        let meanings = Meaning::ALL.map(Meaning::as_str);
        // An agent's own word ends nothing and leaves nothing open.
        let actions: Vec<_> = Action::ALL[..5].iter().map(|it| it.as_str()).collect();
        [&meanings[..], &actions, &["off"]].concat()
    }
}

/// Whether a success needs artifacts.
struct OnSuccess(bool);

/// The agent's own prompt says how to return, not retval.
struct Uninstructed;

struct PathTemplate(String);

toml_types! {
    WordMeaning = |item| {
        let word = word(item, &Self::all())?;
        let meaning = word.parse().map(|meaning| (meaning, None));
        let action = |_| word.parse().map(|action| (Meaning::Other, Some(action)));
        Some(Self(meaning.or_else(action).ok()))
    }, SchemaNode::one_of(Self::all());
    OnSuccess = |item| word(item, &["required", "allowed"]).map(|it| Self(it == "required")),
        SchemaNode::one_of(["required", "allowed"]);
    Uninstructed = |item| word(item, &["none"]).map(|_| Self), SchemaNode::one_of(["none"]);
    FilePattern = |item| item.read(|text| {
        if text.split('/').any(|part| ["", ".", ".."].contains(&part)) {
            return Err("expected names of files, such as `plan-*.json` or `plans/*.json`".to_owned());
        }
        glob(text, Self::parse)
    }), text();
    PathTemplate = |item| item.read(|text| {
        if text.starts_with('/') || fill_placeholders(text, "", "", "").contains(['{', '}']) {
            let what = "a path below the root, with {session}, {group} and {agent}";
            return Err(format!("expected {what}"));
        }
        Ok(Self(text.to_owned()))
    }), text();
}

impl TomlTable for ReturnPart {
    fn read_keys(keys: &mut Keys<'_>) -> Option<Self> {
        let about = "first word after the fence of the code that is the return, or several";
        let fence = keys.get("fence", about).map(|OneOrMore(words)| PartMarks::Fence(words));
        let between = keys.get("between", "the text before the return, and the one after it");
        let tag = keys.get("tag", "name of the tag around the return").map(PartMarks::Tag);
        let (mut is_optional, mut is_last) = (false, false);
        let about = "whether a message without the part is the return as a whole";
        keys.set("optional", about, &mut is_optional);
        keys.set("last", "whether nothing may follow it", &mut is_last);
        let all = [fence, between.map(PartMarks::Between), tag];
        let all: Vec<_> = all.into_iter().flatten().collect();
        let is_wrong =
            |it: &String| it.contains(|it: char| it.is_whitespace() || "<>/".contains(it));
        match <[_; 1]>::try_from(all) {
            Ok([PartMarks::Fence(words)]) if words.is_empty() || words.iter().any(is_wrong) => {
                keys.refuse("a fence has a single word")
            }
            Ok([PartMarks::Tag(name)]) if is_wrong(&name) => {
                keys.refuse("a tag has a name without white space, `<`, `>` and `/`")
            }
            Ok([marks]) => Some(Self { marks, is_optional, is_last }),
            Err(_) => keys.refuse("needs one of `fence`, `between` and `tag`"),
        }
    }
}

/// What the table of an agent changes.
#[derive(Default)]
struct AgentTable {
    statuses: Entries<WordMeaning>,
    reads_from: Option<Cow<'static, [VisibleName]>>,
    writes_handoff: Option<bool>,
    next: Entries<OrOff<OneOrMore>>,
}

impl TomlTable for AgentTable {
    fn read_keys(keys: &mut Keys<'_>) -> Option<Self> {
        let mut own = Self::default();
        keys.set("statuses", STATUSES, &mut own.statuses);
        keys.set("reads-from", "agents whose handoff it starts from", &mut own.reads_from);
        keys.set("writes-handoff", "whether it leaves a handoff file", &mut own.writes_handoff);
        let about =
            "agents that continue after a status, the usual one first; off leaves that open";
        keys.set("next", about, &mut own.next);
        Some(own)
    }
}

impl AgentTable {
    fn change(self, name: &str, profile: &mut Profile, keys: &Keys<'_>, base: &ExtendedProfile) {
        let agents = profile.agents.to_mut();
        let names: Vec<_> = agents.iter().map(|it| it.name.clone()).collect();
        let Some(agent) = agents.iter_mut().find(|it| it.name == name) else {
            return;
        };
        change_statuses(&mut agent.statuses, self.statuses, &base.profile);
        agent.reads_from = self.reads_from.unwrap_or_else(|| agent.reads_from.clone());
        agent.writes_handoff = self.writes_handoff.unwrap_or(agent.writes_handoff);
        for (word, OrOff(next)) in self.next.0 {
            let next = next.map(|OneOrMore(names)| names).unwrap_or_default();
            let unknown = next.iter().find(|name| names.iter().all(|it| it != *name));
            if let Some(unknown) = unknown {
                let known = names.iter().map(|it| &**it);
                base.refuse(keys, word.at, unknown_name("agent", unknown, known));
            }
            let statuses = agent.statuses.to_mut();
            if let Some(status) = statuses.iter_mut().find(|it| it.word == word.value) {
                // With no agents, it is open what follows.
                status.own_action = next.is_empty().then_some(Action::Open);
                status.next = next.into_iter().map(Cow::Owned).collect();
            } else {
                let known = statuses.iter().map(|it| &*it.word);
                base.refuse(keys, word.at, unknown_name("status", &word, known));
            }
        }
    }
}

fn change_statuses(
    statuses: &mut Cow<'static, [Status]>,
    Entries(changes): Entries<WordMeaning>,
    base: &Profile,
) {
    for (At { value: word, .. }, WordMeaning(meaning)) in changes {
        let statuses = statuses.to_mut();
        let is_it = |status: &Status| status.word == word;
        let known = statuses.iter_mut().find(|status| is_it(status));
        match (meaning, known) {
            (None, _) => statuses.retain(|status| !is_it(status)),
            (Some((meaning, action)), Some(status)) => {
                status.meaning = meaning;
                status.own_action = action.or(status.own_action);
            }
            // Several agents can have the same word. The action after it is that of the others.
            (Some((meaning, action)), None) => {
                let of_others = || base.statuses_of(None).find(|it| is_it(it))?.own_action;
                let own_action = action.or_else(of_others);
                statuses.push(Status { word, meaning, own_action, ..Status::BASE });
            }
        }
    }
}

/// The words of a key such as `DONE, PASS`, each of which must be a status.
fn known_words(
    key: &str,
    words: &At<VisibleName>,
    profile: &Profile,
    keys: &Keys<'_>,
) -> Vec<String> {
    let all = words.split(',').map(str::trim);
    let is_known =
        |word: &&str| profile.statuses_of(None).any(|it| it.word == *word || it.word == ANY);
    if let Some(unknown) = all.clone().find(|word| !is_known(word)) {
        let unknown = truncated(unknown);
        keys.refuse_at(words.at, format!("`{key}`: `{unknown}` is none of the statuses"));
    }
    all.map(str::to_owned).collect()
}

fn conditions(
    key: &str,
    Entries(all): Entries<Vec<Place>>,
    profile: &Profile,
    keys: &Keys<'_>,
) -> Cow<'static, [Condition]> {
    let all = all.into_iter();
    all.map(|(words, places)| Condition { words: known_words(key, &words, profile, keys), places })
        .collect()
}

/// Reads the limits of the one length that a profile has: that of the summary, or of the return if it can be.
fn lengths(keys: &mut Keys<'_>, profile: &mut Profile, has_return: bool) {
    let all = [
        ("summary-tokens", "most tokens of the summary", Unit::Tokens, Measured::Summary),
        ("summary-words", "most words of the summary", Unit::Words, Measured::Summary),
        (
            "summary-characters",
            "most characters of the summary",
            Unit::Characters,
            Measured::Summary,
        ),
        ("return-tokens", "most tokens of the message", Unit::Tokens, Measured::Return),
    ];
    let mut set = 0;
    for (key, about, unit, of) in all.into_iter().take(if has_return { 4 } else { 3 }) {
        if let Some(OrOff::<usize>(most)) = keys.get(key, about) {
            set += 1;
            profile.length = most.map(|most| LengthLimit::at_most(most, unit, of));
            // A limit of the base that only warns goes, too.
            profile.soft_length = None;
        }
    }
    if set > 1 {
        keys.refuse::<()>("only one limit of the summary or the return can be set");
    }
    keys.limit("sentences", "fewest and most sentences of the summary", &mut profile.sentences);
}

/// Says of fields how much they are needed, and of the objects and lists around them. A field that a custom profile
/// requires is required of every agent.
fn set_fields(
    profile: &mut Profile,
    own: Vec<At<VisibleName>>,
    need: Need,
    keys: &Keys<'_>,
    base: &ExtendedProfile,
) {
    for At { at, value: path } in own {
        if need == Need::Optional && path == "status" {
            let why = "`status` must stay required: nothing can be checked without it";
            base.refuse(keys, at, why);
        } else if !profile.shape.form().has_place(&path) {
            let why = "it must be a member of the return, or of an object that the base describes";
            base.refuse(keys, at, format!("cannot check the field `{}`: {why}", truncated(&path)));
        }
        let fields = profile.fields.to_mut();
        for (dot, _) in path.match_indices('.') {
            let parent = path[..dot].trim_end_matches("[]");
            if fields.iter().all(|field| field.path != parent) {
                fields.push(FieldSpec::new(parent.to_owned(), Need::Optional));
            }
        }
        let known = fields.iter().position(|field| field.path == path);
        if let (Some(_), Need::Optional) = (known, need) {
            let same = fields.iter_mut().filter(|field| field.path == path);
            same.for_each(|field| field.need = need);
        } else {
            fields.retain(|field| field.path != path);
            fields.insert(known.unwrap_or(fields.len()), FieldSpec::new(path, need));
        }
    }
}
