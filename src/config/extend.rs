//! Makes the profile that a table of the file describes which extends another one: a copy of that one, with
//! changes.

use std::borrow::Cow;
use std::sync::Arc;

use crate::check::rules::{Level, Rule};
use crate::config::profile_types::WordMeaning;
use crate::config::reader::{At, TomlItem};
use crate::config::types::{Entries, OneOrMore, OrAny, OrOff, OrWord, VisibleName, visible_name};
use crate::profile::words::ANY;
use crate::profile::{Action, Agent, Condition, FieldSpec, Meaning, Need, Place, Profile, Status};
use crate::text::escape::truncated;

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
    visible_name(id).map(drop)
}

/// A profile, while its keys are read, and those of the tables in it.
pub(super) struct ProfileTable {
    pub(super) profile: Profile,
    pub(super) base: Arc<Profile>,
    /// Whether it is told what does not fit the base. Without one, nothing does.
    pub(super) tells: bool,
    pub(super) required: Vec<String>,
    pub(super) rules: Vec<(&'static Rule, Level)>,
    /// The bytes at which limits of its one length stand.
    pub(super) lengths: Vec<usize>,
    /// Which of its agents is read.
    pub(super) agent: usize,
}

impl ProfileTable {
    pub(super) fn new(base: &Profile, tells: bool) -> Self {
        let profile = Profile { files: Cow::Borrowed(&[]), ..base.clone() };
        Self {
            profile,
            base: Arc::new(base.clone()),
            tells,
            required: Vec::new(),
            rules: Vec::new(),
            lengths: Vec::new(),
            agent: 0,
        }
    }

    /// Refuses what does not fit the base.
    pub(super) fn refuse(&self, item: &TomlItem<'_>, at: usize, message: impl Into<String>) {
        if self.tells {
            item.reader.refuse(at, message);
        }
    }

    pub(super) fn base_name(&self) -> String {
        truncated(&self.base.id).to_string()
    }

    /// The words of a key such as `DONE, PASS`, each of which must be a status.
    pub(super) fn words(&self, words: &At<VisibleName>, item: &TomlItem<'_>) -> Vec<String> {
        let all = words.split(',').map(str::trim);
        let is_known = |word: &str| {
            let mut known = self.profile.statuses_of(None);
            known.any(|it| it.word == word || it.word == ANY)
        };
        if let Some(unknown) = all.clone().find(|word| !is_known(word)) {
            let (key, unknown) = (item.key, truncated(unknown));
            let message = format!("`{key}`: `{unknown}` is none of the statuses");
            item.reader.refuse(words.at, message);
        }
        all.map(str::to_owned).collect()
    }

    pub(super) fn conditions(
        &self,
        Entries(all): Entries<Vec<Place>>,
        item: &TomlItem<'_>,
    ) -> Cow<'static, [Condition]> {
        let condition = |(words, places)| Condition { words: self.words(&words, item), places };
        all.into_iter().map(condition).collect()
    }

    /// Sets the action after each status with one of these words.
    pub(super) fn set_actions(&mut self, actions: &Entries<Action>, item: &TomlItem<'_>) {
        for (word, action) in &actions.0 {
            let mut is_known = false;
            let of_agents = self.profile.agents.to_mut().iter_mut();
            let of_agents = of_agents.flat_map(|agent| agent.statuses.to_mut());
            for status in self.profile.statuses.to_mut().iter_mut().chain(of_agents) {
                if status.word == **word {
                    (status.own_action, is_known) = (Some(*action), true);
                }
            }
            if !is_known {
                let name = truncated(word);
                let why = "the profile has no such status";
                let message = format!("cannot set the action after `{name}`: {why}");
                self.refuse(item, word.at, message);
            }
        }
    }

    pub(super) fn check_statuses(&self, item: &TomlItem<'_>) {
        // If a table has no statuses, mistakes about them are at its key.
        let refuse = |table: &TomlItem<'_>, of: &str| {
            let statuses = table.find("statuses").and_then(|it| it.members());
            let first = statuses.into_iter().flatten().next();
            first.as_ref().unwrap_or(table).refuse_key::<()>(format!(
                "none of the `statuses`{of} means success, so that no return could say that the work is done"
            ));
        };
        let profile = &self.profile;
        let has_success = |own: &[Status]| {
            let mut statuses = profile.statuses.iter().chain(own);
            statuses.any(|it| it.meaning == Meaning::Success)
        };
        if profile.statuses.is_empty() && profile.agents.is_empty() {
            item.refuse_key::<()>("the profile has no status left");
        }
        if !profile.statuses.is_empty() && !has_success(&[]) {
            return refuse(item, "");
        }
        let agents = profile.agents.iter();
        for agent in agents.filter(|agent| !has_success(&agent.statuses)) {
            let tables = item.find("agents").and_then(|it| it.members());
            let mut tables = tables.into_iter().flatten();
            let table = tables.find(|it| *it.key == *agent.name);
            let of = format!(" of the agent `{}`", truncated(&agent.name));
            refuse(table.as_ref().unwrap_or(item), &of);
        }
    }

    pub(super) fn agent(&mut self) -> &mut Agent {
        &mut self.profile.agents.to_mut()[self.agent]
    }

    pub(super) fn set_fields(&mut self, own: &[At<VisibleName>], need: Need, item: &TomlItem<'_>) {
        for field in own {
            let (path, is_optional) = (&*field.value, need == Need::Optional);
            let why = if is_optional && self.required.iter().any(|it| it == path) {
                format!("`{}` is both required and optional", truncated(path))
            } else if is_optional && path == "status" {
                "`status` must stay required: nothing can be checked without it".to_owned()
            } else if !self.profile.shape.form().has_place(path) {
                let (field, base) = (truncated(path), self.base_name());
                format!(
                    "cannot check the field `{field}`: it must be a member of the return, or of an object that the profile `{base}` describes"
                )
            } else {
                set_field(self.profile.fields.to_mut(), path, need);
                continue;
            };
            self.refuse(item, field.at, why);
        }
        if need == Need::Required {
            self.required.extend(own.iter().map(|it| it.to_string()));
        }
    }

    /// Sets the agents that may continue after each of these words, the usual one first, in place of the action
    /// after it. With no agents, it is open what follows.
    pub(super) fn change_next(&mut self, own: &Entries<OrOff<OneOrMore>>, item: &TomlItem<'_>) {
        let agents = self.profile.agents.to_mut();
        let known: Vec<_> = agents.iter().map(|it| it.name.clone()).collect();
        let agent = &mut agents[self.agent];
        for (word, OrWord(next)) in &own.0 {
            let next = next.as_ref().map_or(&[][..], |next| &next.0);
            let statuses = agent.statuses.to_mut();
            let words: Vec<_> = statuses.iter().map(|it| it.word.clone()).collect();
            // An agent without words has them from a profile that is not known: that is told.
            if words.is_empty() {
                continue;
            }
            let status = statuses.iter_mut().find(|it| it.word == **word);
            let unknown = next.iter().find(|name| known.iter().all(|it| it != *name));
            let (what, expected) = match (unknown, status) {
                (None, Some(status)) => {
                    status.own_action = next.is_empty().then_some(Action::Open);
                    status.next = next.iter().cloned().map(Cow::Owned).collect();
                    continue;
                }
                (Some(unknown), _) => (format!("agent `{}`", truncated(unknown)), known.join(", ")),
                (None, None) => {
                    let (word, agent) = (truncated(word), truncated(&agent.name));
                    (format!("status `{word}` of `{agent}`"), words.join(", "))
                }
            };
            if self.tells {
                let expected = truncated(&expected);
                let message = format!("unknown {what}; expected one of {expected}");
                item.reader.refuse(word.at, message);
            }
        }
    }
}

pub(super) fn change_statuses(
    statuses: &mut Cow<'static, [Status]>,
    changes: &Entries<WordMeaning>,
    base: &Profile,
) {
    for (word, WordMeaning(meaning)) in &changes.0 {
        let statuses = statuses.to_mut();
        let is_it = |status: &Status| status.word == **word;
        let known = statuses.iter_mut().find(|status| is_it(status));
        match (*meaning, known) {
            (None, _) => statuses.retain(|status| !is_it(status)),
            (Some((meaning, _)), Some(status)) => status.meaning = meaning,
            (Some((meaning, action)), None) => statuses.push(Status {
                word: word.value.clone(),
                meaning,
                // Several agents can have the same word. The action after it is that of the others.
                own_action: action
                    .or_else(|| base.statuses_of(None).find(|it| is_it(it))?.own_action),
                ..Status::BASE
            }),
        }
    }
}

pub(super) fn add_types(types: &mut Cow<'static, [VisibleName]>, own: OrAny<VisibleName>) {
    let Some(own) = own.0 else {
        *types = Cow::Borrowed(&[]);
        return;
    };
    for own in own {
        if !types.contains(&own) {
            types.to_mut().push(own);
        }
    }
}

/// Adds a field, with the objects and lists around it, or changes how much it is needed. A field that a custom
/// profile requires is required of every agent.
fn set_field(fields: &mut Vec<FieldSpec>, path: &str, need: Need) {
    for (dot, _) in path.match_indices('.') {
        let parent = path[..dot].trim_end_matches("[]");
        if fields.iter().all(|field| field.path != parent) {
            fields.push(FieldSpec::new(parent.to_owned(), Need::Optional));
        }
    }
    let known = fields.iter().position(|field| field.path == path);
    if let (Some(_), Need::Optional) = (known, need) {
        let same = fields.iter_mut().filter(|field| field.path == path);
        return same.for_each(|field| field.need = need);
    }
    fields.retain(|field| field.path != path);
    let at = known.unwrap_or(fields.len());
    fields.insert(at, FieldSpec::new(path.to_owned(), need));
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
        assert_eq!(after("qa_expert", "FLAKY"), (Action::Proceed, Some("developer")));
        assert_eq!(after("qa_expert", "PASS"), (Action::Open, None));
        let not_to_the_writer = (Action::Retry, None);
        assert_eq!(after("qa_expert", "FAIL"), not_to_the_writer);
    }
}
