//! Makes the profile that a table of the file describes which extends another one: a copy of that one, with
//! changes.

use std::borrow::Cow;

use crate::config::profile_table::{
    AgentTable, Count, LimitTable, ProfileTable, Sentences, WordMeaning,
};
use crate::config::reader::{At, Reader, TomlItem};
use crate::config::types::{Entries, OneOrMore, OrAny, OrOff, VisibleName};
use crate::profile::{
    Action, Agent, DetailFile, FieldSpec, LengthLimit, Meaning, Measured, Need, Profile, Status,
    Unit,
};
use crate::text::escape::truncated;

/// Checks that a custom profile can have this name.
pub(super) fn check_id(id: &str) -> Result<(), String> {
    let is_valid = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if id == "auto" || Profile::named(id).is_some() {
        return Err(format!("`{id}` is built in; choose another name"));
    }
    if id.is_empty() || !id.chars().all(is_valid) {
        let id = truncated(id);
        return Err(format!(
            "`{id}` is not a valid profile name: use letters, digits, `-`, `_` and `.`"
        ));
    }
    VisibleName::parse(id).map(drop)
}

/// Returns the profile of an item: `base` with the changes of `own`. The reader gets all mistakes.
pub(super) fn extend(base: &Profile, item: &TomlItem<'_>, own: &ProfileTable) -> Option<Profile> {
    let (reader, before) = (item.reader, item.reader.mistakes());
    let mut profile = changed(base, item, own);
    add_types(&mut profile.artifact_types, &own.artifact_types);
    add_types(&mut profile.error_types, &own.error_types);
    set_fields(reader, &mut profile, base, own);
    if let Some(path) = &own.handoff_path {
        if !base.has_handoff_file() {
            let base = truncated(&base.id);
            let message = format!(
                "the profile `{base}` has no handoff files, so that they cannot have a path"
            );
            reader.refuse(path.at, message);
        }
        let places = profile.handoff_paths.to_mut();
        places.insert(0, path.0.clone().into());
    }
    check_statuses(reader, &profile, item.key_at, own);
    for (word, action) in own.actions.iter() {
        set_action(reader, &mut profile, word, *action);
    }
    (reader.mistakes() == before).then_some(profile)
}

/// `base` with the changes of those keys that each profile can have.
pub(super) fn changed(base: &Profile, item: &TomlItem<'_>, own: &ProfileTable) -> Profile {
    let mut profile = Profile {
        id: item.key.to_owned().into(),
        files: own.files.iter().map(|file| file.0.clone()).collect(),
        ..base.clone()
    };
    // If the profile's documents are files, agents are told the first glob as the file name.
    if let (Some(told), Some(first)) = (&mut profile.file, profile.files.first()) {
        *told = first.as_str().to_owned().into();
    }
    if let Some(document) = &own.document {
        profile.document = document.cow();
    }
    change_statuses(&mut profile.statuses, &own.statuses, base);
    change_agents(item.reader, &mut profile, base, &own.agents);
    set_limits(item, &mut profile, &own.limits);
    for (rule, level) in &own.rules.0 {
        let levels = profile.levels.to_mut();
        levels.retain(|(known, _)| *known != rule.id);
        levels.push((rule.id, **level));
    }
    profile
}

/// Adds status words, changes what they mean, or removes them.
fn change_statuses(
    statuses: &mut Cow<'static, [Status]>,
    changes: &Entries<WordMeaning>,
    base: &Profile,
) {
    for (word, WordMeaning(meaning)) in changes.iter() {
        let statuses = statuses.to_mut();
        let Some((meaning, action)) = *meaning else {
            statuses.retain(|status| *status.word != ***word);
            continue;
        };
        match statuses.iter_mut().find(|it| *it.word == ***word) {
            Some(status) => status.meaning = meaning,
            None => statuses.push(Status {
                word: word.cow(),
                meaning,
                // Several agents can have the same word. The action after it is that of the others.
                own_action: action.or_else(|| {
                    let mut statuses = base.statuses_of(None);
                    statuses.find(|it| *it.word == ***word)?.own_action
                }),
                ..Status::BASE
            }),
        }
    }
}

/// Checks that success has a status word.
fn check_statuses(reader: &Reader<'_>, profile: &Profile, at: usize, own: &ProfileTable) {
    // If a table has no statuses, mistakes about them are at its key.
    let place = |key: usize, statuses: &Entries<WordMeaning>| {
        statuses.first().map_or(key, |(word, _)| word.at)
    };
    let has_success = |agent: Option<&Agent>| {
        let of_agent = agent.map_or(&[][..], |agent| &agent.statuses);
        let mut statuses = profile.statuses.iter().chain(of_agent);
        statuses.any(|it| it.meaning == Meaning::Success)
    };
    let refuse = |at: usize, of: &str| {
        reader.refuse(
            at,
            format!(
                "none of the `statuses`{of} means success, so that no return could say that the work is done"
            ),
        );
    };
    if profile.statuses.is_empty() && profile.agents.is_empty() {
        reader.refuse(at, "the profile has no status left");
    }
    if !profile.statuses.is_empty() && !has_success(None) {
        return refuse(place(at, &own.statuses), "");
    }
    let agents = profile.agents.iter();
    for agent in agents.filter(|agent| !has_success(Some(agent))) {
        let table = own.agents.iter().find(|(name, _)| agent.name == ***name);
        let at = table.map_or(at, |(name, own)| place(name.at, &own.statuses));
        refuse(at, &format!(" of the agent `{}`", truncated(&agent.name)));
    }
}

/// Adds agents, or changes them. All are added before any is changed, because one can name another that
/// comes later.
fn change_agents(
    reader: &Reader<'_>,
    profile: &mut Profile,
    base: &Profile,
    own: &Entries<AgentTable>,
) {
    for (name, _) in own.iter() {
        if profile.agent(name).is_none() {
            profile.agents.to_mut().push(Agent {
                name: name.cow(),
                ..Agent::BASE
            });
        }
    }
    let known = profile.agents.iter().map(|agent| agent.name.clone());
    let known: Vec<_> = known.collect();
    let agents = profile.agents.to_mut();
    let names = |own: &[VisibleName]| own.iter().map(VisibleName::cow).collect();
    for (name, own) in own.iter() {
        let Some(agent) = agents.iter_mut().find(|agent| agent.name == ***name) else {
            continue;
        };
        change_statuses(&mut agent.statuses, &own.statuses, base);
        if let Some(own) = &own.reads_from {
            agent.reads_from = names(own);
        }
        if let Some(own) = &own.reads_otherwise {
            agent.reads_otherwise = names(own);
        }
        agent.writes_handoff = own.writes_handoff.unwrap_or(agent.writes_handoff);
        agent.limits_summary = own.limits_summary.unwrap_or(agent.limits_summary);
        for (file, OrOff(path)) in own.details.iter() {
            let path = path.as_ref().map(|path| path.0.clone().into());
            change_detail(agent.details.to_mut(), file.cow(), path);
        }
        change_next(reader, agent, &own.next, &known);
    }
}

/// Adds a file with details, changes its path, or removes it.
fn change_detail(
    details: &mut Vec<DetailFile>,
    name: Cow<'static, str>,
    path: Option<Cow<'static, str>>,
) {
    let known = details.iter().position(|detail| detail.name == name);
    match (known, path) {
        (Some(index), Some(path)) => details[index].path = path,
        (Some(index), None) => drop(details.remove(index)),
        (None, Some(path)) => details.push(DetailFile { name, path }),
        (None, None) => {}
    }
}

/// Sets the agents that may continue after each of these words, the usual one first, in place of the action
/// after it. With no agents, it is open what follows.
fn change_next(
    reader: &Reader<'_>,
    agent: &mut Agent,
    own: &Entries<OrOff<OneOrMore>>,
    known: &[Cow<'static, str>],
) {
    for (word, OrOff(next)) in own.iter() {
        let next = next.as_ref().map_or(&[][..], |next| &next.0);
        if let Some(unknown) = next.iter().find(|name| known.iter().all(|it| it != *name)) {
            let (unknown, known) = (truncated(unknown), known.join(", "));
            let known = truncated(&known);
            let message = format!("unknown agent `{unknown}`; expected one of {known}");
            reader.refuse(word.at, message);
            continue;
        }
        let statuses = agent.statuses.to_mut();
        if let Some(status) = statuses.iter_mut().find(|it| *it.word == ***word) {
            status.own_action = next.is_empty().then_some(Action::Open);
            status.next = next.iter().cloned().map(Cow::Owned).collect();
            continue;
        }
        let words: Vec<_> = statuses.iter().map(|status| &*status.word).collect();
        let message = format!(
            "unknown status `{}` of `{}`; expected one of {}",
            truncated(word),
            truncated(&agent.name),
            truncated(&words.join(", "))
        );
        reader.refuse(word.at, message);
    }
}

fn add_types(types: &mut Cow<'static, [Cow<'static, str>]>, own: &OrAny<VisibleName>) {
    let OrAny(Some(own)) = own else {
        *types = Cow::Borrowed(&[]);
        return;
    };
    for own in own.iter().map(VisibleName::cow) {
        if !types.contains(&own) {
            types.to_mut().push(own);
        }
    }
}

fn set_fields(reader: &Reader<'_>, profile: &mut Profile, base: &Profile, own: &ProfileTable) {
    let required = own.required.members.iter();
    let required: Vec<_> = required.map(|it| (it.at, &***it)).collect();
    let optional = own.optional.iter().map(|it| (it.at, &***it));
    let optional = optional.map(|it| (it, Need::Optional));
    let all = required.iter().map(|it| (*it, Need::Required));
    for ((at, path), need) in all.chain(optional) {
        let field = truncated(path);
        if need == Need::Optional && required.iter().any(|it| it.1 == path) {
            reader.refuse(at, format!("`{field}` is both required and optional"));
        } else if need == Need::Optional && path == "status" {
            reader.refuse(
                at,
                "`status` must stay required: nothing can be checked without it",
            );
        } else if !profile.shape.form().has_place(path) {
            let base = truncated(&base.id);
            reader.refuse(
                at,
                format!(
                    "cannot check the field `{field}`: it must be a member of the return, or of an object that the profile `{base}` describes"
                ),
            );
        } else {
            let fields = profile.fields.to_mut();
            add_parents(fields, path);
            set_field(fields, path, need);
        }
    }
}

/// Adds a field, or changes how much it is needed. A field that a custom profile requires is required of
/// every agent.
fn set_field(fields: &mut Vec<FieldSpec>, path: &str, need: Need) {
    let spec = FieldSpec::new(path.to_owned(), need);
    let Some(index) = fields.iter().position(|field| field.path == path) else {
        return fields.push(spec);
    };
    if need != Need::Required {
        let same = fields.iter_mut().filter(|field| field.path == path);
        return same.for_each(|field| field.need = need);
    }
    fields.retain(|field| field.path != path);
    fields.insert(index, spec);
}

/// Adds the objects and lists around a field that the profile does not have yet.
fn add_parents(fields: &mut Vec<FieldSpec>, path: &str) {
    for (dot, _) in path.match_indices('.') {
        let parent = path[..dot].trim_end_matches("[]");
        if fields.iter().all(|field| field.path != parent) {
            fields.push(FieldSpec::new(parent.to_owned(), Need::Optional));
        }
    }
}

fn set_limits(item: &TomlItem<'_>, profile: &mut Profile, own: &At<LimitTable>) {
    let lengths = [
        (&own.summary_tokens, Measured::Summary, Unit::Tokens),
        (&own.summary_words, Measured::Summary, Unit::Words),
        (&own.summary_characters, Measured::Summary, Unit::Characters),
        (&own.return_tokens, Measured::Return, Unit::Tokens),
    ];
    // Of the whole message, a standard of one's own can have a limit besides.
    let lengths = &lengths[..if item.has_base { 4 } else { 3 }];
    let mut lengths = lengths.iter().filter_map(|(own, of, unit)| {
        let own = own.as_ref()?;
        let most = own.0.as_ref();
        let limit = most.map(|Count(most)| LengthLimit::at_most(*most, *unit, *of));
        Some((own.at, limit))
    });
    if let Some((_, length)) = lengths.next() {
        // A limit of the base that only warns goes, too.
        (profile.length, profile.soft_length) = (length, None);
    }
    if let Some((second, _)) = lengths.next() {
        let (at, keys) = if item.has_base {
            (
                own.at,
                "`summary-words`, `summary-characters` and `return-tokens`",
            )
        } else {
            (second, "`summary-words` and `summary-characters`")
        };
        let message = format!("only one of `summary-tokens`, {keys} can be set");
        item.reader.refuse(at, message);
    }
    if let Some(sentences) = &own.sentences {
        profile.sentences = sentences.0.map(|Sentences(fewest, most)| (fewest, most));
    }
    let limits = &mut profile.limits;
    for (limit, own) in [
        (
            &mut limits.summary_at_least,
            &own.summary_characters_at_least,
        ),
        (
            &mut limits.artifact_summary_at_most,
            &own.artifact_summary_characters,
        ),
        (
            &mut limits.error_message_at_most,
            &own.error_message_characters,
        ),
        (&mut limits.next_steps_at_most, &own.next_steps_characters),
    ] {
        if let Some(OrOff(own)) = own {
            *limit = own.map(|Count(number)| number);
        }
    }
}

/// Sets the action after each status with this word.
fn set_action(reader: &Reader<'_>, profile: &mut Profile, word: &At<VisibleName>, action: Action) {
    let of_agents = profile.agents.to_mut().iter_mut();
    let of_agents = of_agents.flat_map(|agent| agent.statuses.to_mut());
    let statuses = profile.statuses.to_mut().iter_mut().chain(of_agents);
    let mut is_known = false;
    for status in statuses.filter(|status| *status.word == ***word) {
        status.own_action = Some(action);
        is_known = true;
    }
    if !is_known {
        let name = truncated(word);
        reader.refuse(
            word.at,
            format!("cannot set the action after `{name}`: the profile has no such status"),
        );
    }
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
        let expected = Profile {
            id: "again".into(),
            ..custom
        };
        assert_eq!(again, expected);
    }

    #[test]
    fn a_profile_without_changes_is_like_its_base() {
        for (id, base) in [("return", &RETURN), ("compact", &COMPACT)] {
            let own = last(&format!("[profiles.own]\nextends = \"{id}\"\n"));
            let expected = Profile {
                id: "own".into(),
                ..base.clone()
            };
            assert_eq!(own, expected);
        }
    }

    #[test]
    fn what_follows_a_status_is_an_agent_or_an_action() {
        let custom = last(
            r#"
    [profiles.own]
    extends = "compact"
    actions = { DRAFTED = "ask", FAIL = "retry" }
    [profiles.own.agents.writer]
    statuses = { DRAFTED = "success", BLOCKED = "other", STUCK = "other" }
    [profiles.own.agents.qa_expert]
    next = { FLAKY = "developer", PASS = "off", FAIL = ["writer"] }
    "#,
        );
        let after = |agent, word| {
            let status = custom.status(word, Some(agent)).expect("a status");
            (status.action(), status.next_agent())
        };
        assert_eq!(after("writer", "DRAFTED"), (Action::Ask, None));
        assert_eq!(after("writer", "STUCK"), (Action::Stop, None));
        let of_the_base = (Action::Ask, None);
        assert_eq!(after("writer", "BLOCKED"), of_the_base);
        assert_eq!(
            after("qa_expert", "FLAKY"),
            (Action::Proceed, Some("developer"))
        );
        assert_eq!(after("qa_expert", "PASS"), (Action::Open, None));
        let not_to_the_writer = (Action::Retry, None);
        assert_eq!(after("qa_expert", "FAIL"), not_to_the_writer);
    }
}
