//! `[profiles]`: custom profiles. An extended profile is built before those that extend it. One that extends none
//! must say what it checks, and what could never hold is refused.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::check::Checker;
use crate::check::rules::{Level, Rule, Step};
use crate::config::CustomProfile;
use crate::config::extend::{ProfileTable, check_id};
use crate::config::reader::{At, Reader, TomlItem};
use crate::config::types::{self, FromToml, TomlTable, toml_types};
use crate::document::Form;
use crate::json_schema::SchemaNode;
use crate::profile::words::{Said, spoken};
use crate::profile::{Meaning, PROFILES, Profile, Roles, Shape};
use crate::root::Root;
use crate::text::escape::truncated;
use crate::text::suggest::unknown_name;

/// One `[profiles.NAME]`. One that extends another has no mistakes in its keys and values.
struct ProfileEntry<'r> {
    item: TomlItem<'r>,
    /// The name of the profile that it extends. Empty if there is none.
    base: At<String>,
}

pub(super) struct ProfileTables(pub(super) Vec<CustomProfile>);

toml_types! {
    ProfileTables = |item| item.section().map(|items| Self(read(&items))), {
        let extending = SchemaNode {
            required: vec!["extends".to_owned()],
            ..ProfileTable::table_schema(true)
        };
        // One of these says what a standard of one's own checks.
        let standards = ["form", "part", "at", "required"].map(|key| SchemaNode {
            required: vec![key.to_owned()],
            ..types::reference("#/$defs/own-profile")
        });
        let profiles = std::iter::once(extending).chain(standards);
        types::table_of(SchemaNode::any_of(profiles.collect::<Vec<_>>()))
    };
}

/// Builds every valid profile of the table, in the order of the text.
fn read(items: &[TomlItem<'_>]) -> Vec<CustomProfile> {
    let entries: Vec<_> = items.iter().filter_map(ProfileEntry::read).collect();
    let by_id: HashMap<_, _> = entries.iter().map(|entry| (entry.id(), entry)).collect();
    let (mut made, mut seen) = (HashMap::new(), HashSet::new());
    for entry in &entries {
        let mut chain: Vec<&ProfileEntry<'_>> = Vec::new();
        let mut next = Some(entry);
        while let Some(entry) = next.filter(|entry| seen.insert(entry.id())) {
            chain.push(entry);
            next = by_id.get(&**entry.base).copied();
        }
        if let (Some(again), Some(last)) = (next, chain.last())
            && chain.iter().any(|entry| entry.id() == again.id())
        {
            let names: Vec<_> = chain.iter().map(|entry| entry.id()).collect();
            let (names, base) = (names.join(" -> "), &*last.base);
            let message = format!("a profile cannot extend itself: {names} -> {base}");
            last.item.reader.refuse(last.base.at, message);
            continue;
        }
        for entry in chain.into_iter().rev() {
            if let Some(custom) = entry.make(&made) {
                made.insert(entry.id(), custom);
            }
        }
    }
    let extending = entries.iter().filter(|entry| entry.item.has_base);
    let bases = PROFILES.iter().map(|it| &*it.id);
    let bases =
        bases.chain(extending.clone().map(ProfileEntry::id).filter(|it| made.contains_key(it)));
    for entry in extending {
        // A base with mistakes of its own is not reported again.
        let is_known = |id: &str| id == &**entry.base;
        if !bases.clone().any(is_known) && !items.iter().any(|it| is_known(it.key)) {
            let message = unknown_name("profile", &entry.base, bases.clone());
            entry.item.reader.refuse(entry.base.at, message);
        }
    }
    let profiles = items.iter().filter_map(|item| made.get(item.key));
    profiles.cloned().collect()
}

/// Refuses a table `profile` at the top of the file, where `profiles` is meant.
pub(super) fn misspelt(item: &TomlItem<'_>) {
    let mut members = item.members().unwrap_or_default().into_iter();
    let own = members.find(|member| member.value().is_table());
    let id = own.map(|own| format!(".{}", truncated(own.key)));
    let id = id.unwrap_or_default();
    item.refuse::<()>(format!(
        "`profile` must be a string, found a table; did you mean `[profiles{id}]`?"
    ));
}

impl<'r> ProfileEntry<'r> {
    fn read(item: &TomlItem<'r>) -> Option<Self> {
        if let Err(why) = check_id(item.key) {
            return item.refuse_key(why);
        }
        // What the names are that follow depends on it.
        let form = match item.find("form") {
            Some(form) if item.find("extends").is_none() => Some(Form::read(&form)?),
            _ => None,
        };
        let base = item.find("extends");
        let mut item = item.clone();
        (item.has_base, item.form) = (base.is_some(), form);
        let Some(base) = base else {
            let base = At::default();
            return item.value().is_table().then_some(Self { item, base });
        };
        // All mistakes that can be told without the base.
        let before = item.reader.mistakes();
        ProfileTable::read_into(&mut ProfileTable::new(&Profile::BASE, false), &item);
        let base = At::read(&base)?;
        (item.reader.mistakes() == before).then_some(Self { item, base })
    }

    fn id(&self) -> &'r str {
        self.item.key
    }

    /// Builds the profile. `made` are those that were built before.
    fn make(&self, made: &HashMap<&str, CustomProfile>) -> Option<CustomProfile> {
        let (item, custom) = (&self.item, made.get(&**self.base));
        let of_own = Profile {
            document: "return".into(),
            shape: Shape::Own,
            // Who names the place of the agent wants it to be held.
            levels: Cow::Borrowed(&[("agent-mismatch", Level::Error)]),
            ..Profile::BASE
        };
        let base = match custom {
            Some(base) => &*base.profile,
            None if item.has_base => PROFILES.into_iter().find(|it| it.id == **self.base)?,
            None => &of_own,
        };
        if item.has_base && base.is_own() {
            let base = truncated(&self.base);
            let message = format!("`{base}` extends no built-in profile, and cannot be extended");
            item.reader.refuse(self.base.at, message);
            return None;
        }
        let before = item.reader.mistakes();
        let mut own = ProfileTable::new(base, true);
        own.profile.id = self.id().to_owned().into();
        ProfileTable::read_into(&mut own, item);
        if item.has_base {
            own.check_statuses(item);
        } else if item.reader.mistakes() == before {
            complete(&mut own.profile, item);
        }
        let ProfileTable { profile, rules, .. } = own;
        let is_other = |it: &&(&Rule, Level)| rules.iter().all(|(rule, _)| rule.id != it.0.id);
        let inherited = custom.map_or(&[][..], |base| &base.levels).iter();
        let levels = inherited.filter(is_other).chain(&rules).copied().collect();
        (item.reader.mistakes() == before)
            .then(|| CustomProfile { profile: Arc::new(profile), levels })
    }
}

const BYTES_AT_MOST: u64 = 1024 * 1024;

/// Refuses a profile of one's own that says too little, or what cannot be, and reads its example.
fn complete(profile: &mut Profile, item: &TomlItem<'_>) -> Option<()> {
    let before = item.reader.mistakes();
    let is_valid = || item.reader.mistakes() == before;
    consistent(profile, item);
    let says_nothing = profile.roles == Roles::BASE
        && profile.required.is_empty()
        && profile.schema.is_none()
        && profile.part.is_none()
        && item.find("form").is_none();
    if is_valid() && says_nothing {
        let name = truncated(item.key);
        return item.refuse_key(format!(
            "the profile `{name}` must extend another one, or say what it checks; add extends = \"return\", or `form`, `schema`, `at` or `required`"
        ));
    }
    let file = item.find("example").filter(|_| is_valid())?;
    let read = example(item.reader, profile, file.text()?);
    profile.example = read.map_or_else(|why| file.refuse(format!("`example`: {why}")), Some);
    Some(())
}

/// Refuses what could never hold, and what would check nothing.
fn consistent(profile: &Profile, item: &TomlItem<'_>) {
    let roles = &profile.roles;
    let words: Vec<_> = profile.statuses_of(None).map(|it| &*it.word).collect();
    let statuses = item.find("statuses").and_then(|it| it.members());
    let statuses = statuses.unwrap_or_default();
    if roles.status.is_some() && words.is_empty() {
        item.refuse_key::<()>("`at.status` needs `statuses`, the words that it can have");
    }
    if roles.status.is_none() && !statuses.is_empty() {
        item.refuse_key::<()>("`statuses` needs `at.status`, the field with the status");
    }
    let mut meanings = profile.statuses_of(None).map(|it| it.meaning);
    let names_files = roles.artifacts.is_some() || roles.files.is_some();
    if let Some(first) = statuses.first().filter(|_| names_files)
        && meanings.all(|it| it != Meaning::Success)
    {
        first.refuse_key::<()>(
            "`statuses` needs a word of \"success\"; without one, no file is ever looked up",
        );
    }
    if let Some(default) = roles.status.as_ref().and_then(|it| it.default.as_deref())
        && !matches!(spoken(default, &words), Said::Word(_))
        && let Some(status) = item.find("at.status")
    {
        let default = truncated(default);
        status.refuse::<()>(format!("`default`: `{default}` is none of the statuses"));
    }
    for word in statuses.iter().filter(|_| profile.form == Form::Text) {
        let key = word.key;
        let is_marked = |mark| key.len() > 1 && key.starts_with(mark) && key.ends_with(mark);
        if ['*', '`', '~'].into_iter().any(is_marked) {
            let key = truncated(key);
            let why = format!("`statuses`: no value is `{key}`, as its marks do not count");
            word.refuse_key::<()>(why);
        }
    }
    conditions_differ(profile, item);
    let summary = ("summary", roles.summary.is_some(), "the summary");
    let files = "the files that the agent wrote";
    for (key, (role, is_there, what)) in [
        ("limits.summary-tokens", summary),
        ("limits.summary-words", summary),
        ("limits.summary-characters", summary),
        ("limits.sentences", summary),
        ("artifacts-on-success", ("artifacts", roles.artifacts.is_some(), files)),
    ] {
        if let Some(limit) = item.find(key).filter(|_| !is_there) {
            limit.refuse::<()>(format!("`{key}` needs `at.{role}`, the field with {what}"));
        }
    }
}

/// A place cannot have to hold something and nothing with one word, and a status always holds something.
fn conditions_differ(profile: &Profile, item: &TomlItem<'_>) {
    let keys = item.find("empty-if").and_then(|it| it.members());
    let status = profile.roles.status.iter().flat_map(|role| &*role.paths);
    for (empty, key) in profile.empty_if.iter().zip(keys.iter().flatten()) {
        for place in &empty.places {
            let is_same = |word: &String| empty.words.contains(word);
            let mut filled = profile.required_if.iter();
            let is_filled =
                filled.any(|it| it.places.contains(place) && it.words.iter().any(is_same));
            let name = truncated(place.as_str());
            let why = if is_filled {
                format!("`required-if` says that `{name}` is not empty")
            } else if status.clone().any(|it| it == place.path()) {
                format!("`{name}` is the field with the status")
            } else {
                continue;
            };
            key.refuse_key::<()>(format!("`empty-if`: {why}"));
        }
    }
}

/// The text of an example, which must keep the profile. Its files need not be there.
fn example(reader: &Reader<'_>, profile: &Profile, file: &str) -> Result<String, String> {
    let root = Root::open(reader.folder()?).map_err(|error| error.to_string())?;
    let bytes = root.read(Path::new(file), BYTES_AT_MOST);
    let bytes = bytes.ok().filter(|it| it.len() as u64 <= BYTES_AT_MOST);
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let name = truncated(file);
    let why = "it is not a file below the folder of the configuration, of UTF-8 and at most 1 MiB";
    let text = text.ok_or_else(|| format!("cannot read {name}: {why}"))?;
    let report = Checker::new(profile, &root).check(&text);
    let mut findings = report.findings.iter();
    let wrong = findings.find(|it| it.level == Level::Error && it.rule.step != Step::Artifacts);
    if let Some(it) = wrong {
        let (line, column) = (it.position.line, it.position.column);
        return Err(format!("{name}:{line}:{column}: {}", it.head));
    }
    drop(report);
    Ok(text)
}
