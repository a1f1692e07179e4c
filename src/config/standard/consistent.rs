//! What a standard says of one place must not contradict itself, or say nothing.

use toml::Spanned;

use crate::config::nodes::OneOrMore;
use crate::config::profile::Count;
use crate::config::standard::build::Builder;
use crate::config::standard::{RoleValue, StandardTable};
use crate::document::Form;
use crate::profile::Profile;
use crate::profile::standard::words::{Said, spoken};
use crate::text::escape::truncated;

impl Builder<'_, '_> {
    /// Refuses what could never hold, and what would check nothing. `at` is the profile.
    pub(super) fn consistent(&mut self, at: usize, own: &StandardTable, profile: &Profile) {
        self.default_status(own);
        self.conditions_differ(at, own, profile);
        for (place, words) in &own.values.0 {
            if words.is_empty() {
                let name = truncated(&place.get_ref().0);
                self.refuse(
                    place.span().start,
                    format!("`values`: `{name}` needs words"),
                );
            }
        }
        for places in own.same.iter().filter(|it| it.len() < 2) {
            let at = places.first().map_or(at, |it| it.span().start);
            self.refuse(at, "`same` needs at least two places");
        }
        for (total, parts) in &own.sums.0 {
            let is_total = |part: &&Spanned<String>| *part.get_ref() == total.get_ref().0;
            if parts.is_empty() {
                self.refuse(total.span().start, "`sums` needs the places of the parts");
            } else if let Some(part) = parts.iter().find(is_total) {
                self.refuse(
                    part.span().start,
                    "`sums`: a total cannot be a part of itself",
                );
            }
        }
        self.part_can_be(own);
        self.has_effect(own);
        for role in own.at.all().filter_map(Option::as_ref) {
            if let RoleValue::All(places) = role.get_ref()
                && places.is_empty()
            {
                self.refuse(role.span().start, "`at` needs a place");
            }
        }
    }

    fn default_status(&mut self, own: &StandardTable) {
        let Some(RoleValue::Table(table)) = own.at.status.as_ref().map(Spanned::get_ref) else {
            return;
        };
        let agents = own.agents.0.iter().flat_map(|(_, agent)| &agent.statuses.0);
        let words = own.statuses.0.iter().chain(agents);
        let words: Vec<_> = words.map(|(word, _)| &*word.get_ref().0).collect();
        if let Some(default) = &table.default
            && !matches!(spoken(default, &words), Said::Word(_))
        {
            let at = own.at.status.as_ref().map_or(0, |it| it.span().start);
            let default = truncated(default);
            self.refuse(
                at,
                format!("`default`: `{default}` is none of the statuses"),
            );
        }
    }

    /// A place cannot have to hold something and nothing with one word, and a status always holds
    /// something.
    fn conditions_differ(&mut self, at: usize, own: &StandardTable, profile: &Profile) {
        let statuses = profile.roles.status.iter().flat_map(|role| &role.places);
        let statuses: Vec<_> = statuses.collect();
        for empty in &*profile.empty_if {
            let at = own
                .empty_if
                .0
                .first()
                .map_or(at, |(words, _)| words.span().start);
            for place in &empty.places {
                let is_same = |word: &String| empty.words.contains(word);
                let mut filled = profile.required_if.iter();
                let is_filled =
                    filled.any(|it| it.places.contains(place) && it.words.iter().any(is_same));
                let name = truncated(place.as_str());
                if is_filled {
                    let message =
                        format!("`empty-if`: `required-if` says that `{name}` holds something");
                    self.refuse(at, message);
                } else if statuses.contains(&place) {
                    self.refuse(
                        at,
                        format!("`empty-if`: `{name}` is the place of the status"),
                    );
                }
            }
        }
    }

    /// What is held to a value needs the place of that value.
    fn has_effect(&mut self, own: &StandardTable) {
        let limits = &own.limits;
        let start = |most: &Option<Spanned<Count>>| most.as_ref().map(|it| it.span().start);
        let summary = [
            ("limits.summary-tokens", start(&limits.summary_tokens)),
            ("limits.summary-words", start(&limits.summary_words)),
            (
                "limits.summary-characters",
                start(&limits.summary_characters),
            ),
            (
                "limits.sentences",
                limits.sentences.as_ref().map(|it| it.span().start),
            ),
        ];
        let on_success = own.artifacts_on_success.as_ref().map(|it| it.span().start);
        let artifacts = [("artifacts-on-success", on_success)];
        let summary = summary.into_iter().filter(|_| own.at.summary.is_none());
        let artifacts = artifacts.into_iter().filter(|_| own.at.artifacts.is_none());
        let needs = |role, what| move |(key, at)| (key, at, role, what);
        let summary = summary.map(needs("summary", "the summary"));
        let artifacts = artifacts.map(needs("artifacts", "the files that the agent wrote"));
        for (key, at, role, what) in summary.chain(artifacts) {
            if let Some(at) = at {
                self.refuse(
                    at,
                    format!("`{key}` needs `at.{role}`, the place of {what}"),
                );
            }
        }
        let is_text = self.form == Form::Text;
        for (word, _) in own.statuses.0.iter().filter(|_| is_text) {
            let (at, word) = (word.span().start, &*word.get_ref().0);
            let is_marked =
                |mark: char| word.len() > 1 && word.starts_with(mark) && word.ends_with(mark);
            if ['*', '`', '~'].into_iter().any(is_marked) {
                let word = truncated(word);
                self.refuse(
                    at,
                    format!("`statuses`: no value is `{word}`, as its marks do not count"),
                );
            }
        }
    }

    fn part_can_be(&mut self, own: &StandardTable) {
        let Some(part) = &own.part else { return };
        let table = part.get_ref();
        let at = part.span().start;
        let fences = table.fence.as_ref().map(OneOrMore::texts);
        if fences.is_some_and(<[_]>::is_empty) {
            self.refuse(at, "`part`: `fence` needs a word");
        }
        let is_tag = |it: char| it.is_ascii_alphanumeric() || "_-.:".contains(it);
        if let Some(tag) = table
            .tag
            .as_ref()
            .filter(|tag| tag.contains(['<', '>', '/']))
        {
            let (name, tag) = (tag.trim_matches(|it| !is_tag(it)), truncated(tag));
            let name = truncated(name);
            self.refuse(
                at,
                format!("`part`: `{tag}` is no name of a tag; write `{name}`"),
            );
            return;
        }
        let fences = table.fence.iter().flat_map(OneOrMore::texts);
        let mut names = fences.chain(&table.tag);
        let is_name = |name: &&String| !name.is_empty() && !name.contains(char::is_whitespace);
        if let Some(name) = names.find(|name| !is_name(name)) {
            let name = truncated(name);
            let message = format!("`part`: `{name}` is no single word, so that nothing has it");
            self.refuse(part.span().start, message);
        }
    }
}
