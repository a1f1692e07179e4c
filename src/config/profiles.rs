//! `[profiles]`: custom profiles. One that another extends is built before it. One that extends none must say what it
//! checks.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use crate::check::Checker;
use crate::check::rules::{Level, Step};
use crate::config::CustomProfile;
use crate::config::keys::{self, FromToml, Keys};
use crate::config::profile_keys::{ExtendedProfile, ProfileWithLevels, extending, own};
use crate::config::reader::{Reader, TomlItem};
use crate::config::types::{toml_types, visible_name};
use crate::document::Form;
use crate::json_schema::SchemaNode;
use crate::profile::words::{Said, spoken};
use crate::profile::{Meaning, PROFILES, Profile, Roles, Shape};
use crate::root::Root;
use crate::text::escape::truncated;
use crate::text::suggest::unknown_name;

pub(super) struct ProfileTables(pub(super) Vec<CustomProfile>);

toml_types! {
    ProfileTables = |item| Some(Self(read(&item.members()?))), {
        let base = ExtendedProfile { profile: Profile::BASE, is_known: false };
        let own = Keys::schema(|keys| own(keys, &base));
        let extending = SchemaNode {
            required: vec!["extends".to_owned()],
            ..Keys::schema(|keys| extending(keys, &base))
        };
        keys::table_of(SchemaNode::any_of([extending, own]))
    };
}

/// Those that were built, by name. None if there is a mistake in one.
type Built<'r> = HashMap<&'r str, Option<CustomProfile>>;

/// Builds every valid profile of the table, in the order of the text.
fn read(items: &[TomlItem<'_>]) -> Vec<CustomProfile> {
    let mut built = Built::new();
    let mut waiting: Vec<_> = items.iter().collect();
    while !waiting.is_empty() {
        let waits = |item: &&TomlItem<'_>| {
            let base = item.find("extends").and_then(|it| it.value().as_str());
            base.is_some_and(|base| waiting.iter().any(|it| it.key == base))
        };
        let (mut rest, mut ready): (Vec<_>, Vec<_>) = waiting.iter().copied().partition(waits);
        if ready.is_empty() {
            for base in rest.iter().filter_map(|item| item.find("extends")) {
                base.refuse::<()>("a profile cannot extend itself, nor one that extends it");
            }
            ready.append(&mut rest);
        }
        for item in ready {
            let profile = build(item, items, &built);
            built.insert(item.key, profile);
        }
        waiting = rest;
    }
    items.iter().filter_map(|item| built.remove(item.key)?).collect()
}

fn check_id(id: &str) -> Result<(), String> {
    let is_valid = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if id == "auto" || Profile::named(id).is_some() {
        return Err(format!("`{id}` is built in; choose another name"));
    }
    if id.is_empty() || !id.chars().all(is_valid) || visible_name(id).is_err() {
        let id = truncated(id);
        return Err(format!(
            "`{id}` is not a valid profile name: use letters, digits, `-`, `_` and `.`"
        ));
    }
    Ok(())
}

fn build(item: &TomlItem<'_>, all: &[TomlItem<'_>], built: &Built<'_>) -> Option<CustomProfile> {
    let before = item.reader.mistakes();
    let is_valid = || item.reader.mistakes() == before;
    if let Err(why) = check_id(item.key) {
        item.refuse_key::<()>(why);
    }
    let (mut profile, mut levels) = match item.find("extends") {
        Some(base) => extend(item, &base, all, built)?,
        None => new(item)?,
    };
    profile.id = item.key.to_owned().into();
    if is_valid() {
        consistent(&profile, item);
    }
    if let Some(file) = item.find("example").filter(|_| is_valid()) {
        let read = example(item.reader, &profile, file.text()?);
        profile.example = read.map_or_else(|why| file.invalid(why), Some);
    }
    let base = item.find("extends").and_then(|it| it.value().as_str());
    let base = base.and_then(|base| built.get(base)?.as_ref());
    for (rule, level) in base.iter().flat_map(|it| &it.levels) {
        if levels.iter().all(|it| it.0.id != rule.id) {
            levels.push((*rule, *level));
        }
    }
    is_valid().then(|| CustomProfile { profile: Arc::new(profile), levels })
}

/// A profile that extends another one.
fn extend(
    item: &TomlItem<'_>,
    base: &TomlItem<'_>,
    all: &[TomlItem<'_>],
    built: &Built<'_>,
) -> Option<ProfileWithLevels> {
    let id = base.value().as_str().unwrap_or_default();
    let custom = built.get(id).and_then(|it| it.as_ref());
    let built_in = PROFILES.into_iter().find(|it| it.id == id);
    let known = custom.map(|it| &*it.profile).or(built_in);
    let is_own = known.is_some_and(Profile::is_own);
    if is_own {
        let id = truncated(id);
        base.refuse::<()>(format!("`{id}` extends no built-in profile, and cannot be extended"));
    } else if known.is_none() && base.value().is_str() && all.iter().all(|it| it.key != id) {
        let names = PROFILES.iter().map(|it| &*it.id).chain(all.iter().map(|it| it.key));
        base.refuse::<()>(unknown_name("profile", id, names));
    }
    let known = known.filter(|_| !is_own);
    let is_known = known.is_some();
    let base = ExtendedProfile { profile: known.cloned().unwrap_or(Profile::BASE), is_known };
    // All mistakes are told that can be told without the base.
    Keys::read(item, |keys| extending(keys, &base)).filter(|_| base.is_known)
}

/// A profile of one's own.
fn new(item: &TomlItem<'_>) -> Option<ProfileWithLevels> {
    let mut item = item.clone();
    // What the names are that follow depends on it.
    if let Some(form) = item.find("form") {
        item.form = Form::read(&form)?;
    }
    let nothing = Profile {
        document: "return".into(),
        shape: Shape::Own,
        // Who names the place of the agent wants it to be checked.
        levels: Cow::Borrowed(&[("agent-mismatch", Level::Error)]),
        ..Profile::BASE
    };
    let before = item.reader.mistakes();
    let base = ExtendedProfile { profile: nothing, is_known: true };
    let read = Keys::read(&item, |keys| own(keys, &base))?;
    let profile = &read.0;
    let says_nothing = profile.roles == Roles::BASE
        && profile.required.is_empty()
        && profile.schema.is_none()
        && profile.part.is_none()
        && item.find("form").is_none();
    if says_nothing && item.reader.mistakes() == before {
        let name = truncated(item.key);
        return item.refuse_key(format!(
            "the profile `{name}` must extend another one, or say what it checks; add extends = \"return\", or `form`, `schema`, `at` or `required`"
        ));
    }
    Some(read)
}

/// Refuses what could never hold, and what would check nothing.
fn consistent(profile: &Profile, item: &TomlItem<'_>) {
    let roles = &profile.roles;
    let words: Vec<_> = profile.statuses_of(None).map(|it| &*it.word).collect();
    if roles.status.is_some() == words.is_empty() {
        item.refuse_key::<()>(
            "`at.status`, the field with the status, and `statuses`, its words, need each other",
        );
    }
    let names_files = !profile.is_own() || roles.artifacts.is_some() || roles.files.is_some();
    let is_success = |it: &crate::profile::Status| it.meaning == Meaning::Success;
    if names_files && !words.is_empty() && !profile.statuses_of(None).any(is_success) {
        item.find("statuses").as_ref().unwrap_or(item).refuse_key::<()>(
            "`statuses` needs a word of \"success\"; without one, no file is ever looked up",
        );
    }
    if let Some(default) = roles.status.as_ref().and_then(|it| it.default.as_deref())
        && !matches!(spoken(default, &words), Said::Word(_))
        && let Some(status) = item.find("at").and_then(|it| it.find("status"))
    {
        status.invalid::<()>(format_args!("`{}` is none of the statuses", truncated(default)));
    }
}

const BYTES_AT_MOST: u64 = 1024 * 1024;

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

#[cfg(test)]
mod tests {
    //! What a profile of the file makes of the one that it extends.

    use crate::config::Config;
    use crate::profile::{Action, COMPACT, Profile, RETURN};

    /// The last profile of a configuration.
    fn last(toml: &str) -> Profile {
        let config = Config::parse(toml).expect("a configuration");
        let own = config.profiles.last().expect("a profile");
        Profile::clone(&own.profile)
    }

    #[test]
    fn a_custom_profile_is_its_base_with_the_changes() {
        let toml = r#"
    [profiles.writing]
    extends = "compact"
    document = "a draft"
    handoff-path = "{session}/{agent}.json"
    limits = { return-tokens = "off" }
    [profiles.writing.agents.writer]
    statuses = { DRAFTED = "success", STUCK = "other" }
    reads-from = ["researcher"]
    [profiles.writing.agents.qa_expert]
    statuses = { FLAKY = "off" }
    writes-handoff = false
    "#;
        let custom = last(toml);
        assert_eq!((&*custom.document, custom.length), ("a draft", None));
        let writer = custom.agent("writer").expect("an agent");
        assert_eq!(writer.reads_from.as_ref(), ["researcher"]);
        let tester = custom.agent("qa_expert").expect("an agent");
        assert!(!tester.writes_handoff && tester.statuses.iter().all(|it| it.word != "FLAKY"));
        assert_eq!(tester.statuses.len() + 1, COMPACT.agents[2].statuses.len());
        let file = custom.handoff_file(["s", "g", "writer"], |_| false);
        assert_eq!(file.as_deref(), Some("s/writer.json"));
        let again = last(&format!("{toml}[profiles.again]\nextends = \"writing\"\n"));
        let expected = Profile { id: "again".into(), ..custom };
        assert_eq!(again, expected);
    }

    #[test]
    fn a_profile_without_changes_is_like_its_base() {
        for (id, base) in [("return", &RETURN), ("compact", &COMPACT)] {
            let own = last(&format!("[profiles.own]\nextends = \"{id}\"\n"));
            let expected = Profile { id: "own".into(), ..base.clone() };
            assert_eq!(own, expected);
        }
    }

    #[test]
    fn what_follows_a_status_is_an_agent_or_an_action() {
        let custom = last(
            r#"
    [profiles.own]
    extends = "compact"
    [profiles.own.agents.writer]
    statuses = { DRAFTED = "success", BLOCKED = "other", STUCK = "other", LATE = "retry" }
    [profiles.own.agents.qa_expert]
    next = { FLAKY = "developer", PASS = "off", FAIL = ["writer"] }
    "#,
        );
        let after = |agent, word| {
            let status = custom.status(word, Some(agent)).expect("a status");
            (status.action(), status.next_agent())
        };
        assert_eq!(after("writer", "LATE"), (Action::Retry, None));
        assert_eq!(after("writer", "STUCK"), (Action::Stop, None));
        let of_the_base = (Action::Ask, None);
        assert_eq!(after("writer", "BLOCKED"), of_the_base);
        assert_eq!(after("qa_expert", "FLAKY"), (Action::Proceed, Some("developer")));
        assert_eq!(after("qa_expert", "PASS"), (Action::Open, None));
        assert_eq!(after("qa_expert", "FAIL"), (Action::Proceed, Some("writer")));
    }
}
