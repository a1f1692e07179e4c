//! What a standard of one's own says must not contradict itself, or check nothing.

use crate::config::build::Builder;
use crate::document::Form;
use crate::profile::words::{Said, spoken};
use crate::profile::{Meaning, Profile};
use crate::text::escape::truncated;

impl Builder<'_> {
    /// Refuses what could never hold, and what would check nothing.
    pub(super) fn consistent(&self, profile: &Profile) {
        self.words_of_status(profile);
        self.conditions_differ(profile);
        self.values_compare();
        self.part_can_be();
        self.has_place();
    }

    /// The status and its words need each other, and a word must be one that a value can be.
    fn words_of_status(&self, profile: &Profile) {
        let (own, words) = (self.own, self.status_words());
        let first = own.statuses.first().map(|(word, _)| word.at);
        match (&own.at.status, first) {
            (Some(_), _) if words.is_empty() => self.refuse(
                self.profile_at,
                "`at.status` needs `statuses`, the words that it can have",
            ),
            (None, Some(_)) => self.refuse(
                self.profile_at,
                "`statuses` needs `at.status`, the place of the status",
            ),
            _ => {}
        }
        let of_agents = own.agents.iter().flat_map(|(_, it)| it.statuses.iter());
        let mut meanings = own.statuses.iter().chain(of_agents).map(|(_, it)| it.0);
        let names_files = own.at.artifacts.is_some() || own.at.files.is_some();
        if let Some(at) = first.filter(|_| names_files)
            && meanings.all(|it| it.is_none_or(|(meaning, _)| meaning != Meaning::Success))
        {
            self.refuse(
                at,
                "`statuses` needs a word of \"success\"; without one, no file is ever looked up",
            );
        }
        let status = profile.roles.status.as_ref();
        if let Some(default) = status.and_then(|role| role.default.as_deref())
            && !matches!(spoken(default, &words), Said::Word(_))
        {
            let at = own.at.status.as_ref().map_or(0, |it| it.at);
            let default = truncated(default);
            self.refuse(
                at,
                format!("`default`: `{default}` is none of the statuses"),
            );
        }
        for (word, _) in own.statuses.iter().filter(|_| self.form == Form::Text) {
            let is_marked =
                |mark: char| word.len() > 1 && word.starts_with(mark) && word.ends_with(mark);
            if ['*', '`', '~'].into_iter().any(is_marked) {
                let shown = truncated(word);
                self.refuse(
                    word.at,
                    format!("`statuses`: no value is `{shown}`, as its marks do not count"),
                );
            }
        }
    }

    /// A place cannot have to hold something and nothing with one word, and a status always holds
    /// something.
    fn conditions_differ(&self, profile: &Profile) {
        let status = profile.roles.status.iter().flat_map(|role| &*role.paths);
        let status: Vec<_> = status.collect();
        for (empty, (key, _)) in profile.empty_if.iter().zip(self.own.empty_if.iter()) {
            for place in &empty.places {
                let is_same = |word: &String| empty.words.contains(word);
                let mut filled = profile.required_if.iter();
                let is_filled =
                    filled.any(|it| it.places.contains(place) && it.words.iter().any(is_same));
                let name = truncated(place.as_str());
                if is_filled {
                    let message =
                        format!("`empty-if`: `required-if` says that `{name}` holds something");
                    self.refuse(key.at, message);
                } else if status.contains(&place.path()) {
                    let message = format!("`empty-if`: `{name}` is the place of the status");
                    self.refuse(key.at, message);
                }
            }
        }
    }

    /// What is compared must be there to be compared.
    fn values_compare(&self) {
        let own = self.own;
        for table in own.values.0.iter().filter(|it| it.words.is_empty()) {
            let place = table.value.at.as_ref();
            let name = place.and_then(|it| it.texts.first());
            let name = truncated(name.map_or("", |it| it.as_str())).to_string();
            let at = place.map_or(table.at, |it| it.at);
            self.refuse(at, format!("`values`: `{name}` needs words"));
        }
        for places in own.same.iter().filter(|it| it.len() < 2) {
            let at = places.first().map_or(places.at, |it| it.at);
            self.refuse(at, "`same` needs at least two places");
        }
        for sum in &own.sums.0 {
            let total = sum.total.as_ref().map_or(sum.at, |it| it.at);
            if sum.of.is_empty() {
                self.refuse(total, "`sums` needs the places of the parts");
            }
        }
    }

    /// What is held to a value needs the place of that value.
    fn has_place(&self) {
        let (own, limits) = (self.own, &self.own.limits);
        let keys = [
            (
                "limits.summary-tokens",
                limits.summary_tokens.as_ref().map(|it| it.at),
            ),
            (
                "limits.summary-words",
                limits.summary_words.as_ref().map(|it| it.at),
            ),
            (
                "limits.summary-characters",
                limits.summary_characters.as_ref().map(|it| it.at),
            ),
            (
                "limits.sentences",
                limits.sentences.as_ref().map(|it| it.at),
            ),
            (
                "artifacts-on-success",
                own.artifacts_on_success.as_ref().map(|it| it.at),
            ),
        ];
        for (key, at) in keys {
            let (role, item, what) = if key.starts_with("limits") {
                ("summary", &own.at.summary, "the summary")
            } else {
                (
                    "artifacts",
                    &own.at.artifacts,
                    "the files that the agent wrote",
                )
            };
            if let (Some(at), None) = (at, item) {
                let message = format!("`{key}` needs `at.{role}`, the place of {what}");
                self.refuse(at, message);
            }
        }
    }

    fn part_can_be(&self) {
        let Some(part) = &self.own.part else { return };
        let fences = part.fence.as_ref().map(|it| &*it.0);
        if fences.is_some_and(<[_]>::is_empty) {
            self.refuse(part.at, "`part`: `fence` needs a word");
        }
        let is_tag = |it: char| it.is_ascii_alphanumeric() || "_-.:".contains(it);
        let tag = part.tag.as_ref();
        if let Some(tag) = tag.filter(|tag| tag.contains(['<', '>', '/'])) {
            let name = truncated(tag.trim_matches(|it| !is_tag(it)));
            let tag = truncated(tag);
            self.refuse(
                part.at,
                format!("`part`: `{tag}` is no name of a tag; write `{name}`"),
            );
            return;
        }
        let mut names = fences.into_iter().flatten().chain(tag);
        let is_name = |name: &&String| !name.is_empty() && !name.contains(char::is_whitespace);
        if let Some(name) = names.find(|name| !is_name(name)) {
            let name = truncated(name);
            let message = format!("`part`: `{name}` is no single word, so that nothing has it");
            self.refuse(part.at, message);
        }
    }
}
