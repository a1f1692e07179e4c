//! Makes the profile that a table of the file describes which extends none: a profile of one's own.

use std::borrow::Cow;
use std::path::Path;

use crate::check::Checker;
use crate::check::rules::{Level, Step};
use crate::config::extend::changed;
use crate::config::profile_table::{Count, OnSuccess, ProfileTable};
use crate::config::reader::{At, Reader, TomlItem};
use crate::config::types::VisibleName;
use crate::document::Form;
use crate::document::pointer::PointerStep;
use crate::profile::words::{ANY, Said, spoken};
use crate::profile::{Claims, Condition, Meaning, MessageLimits, Profile, Roles, Shape};
use crate::root::Root;
use crate::text::escape::truncated;

/// The most bytes of an example.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// Returns the profile of an item. The reader gets its mistakes, all of them. Some of its keys may have had
/// mistakes before.
pub(super) fn build(
    item: &TomlItem<'_>,
    own: &ProfileTable,
    has_mistakes: bool,
) -> Option<Profile> {
    let builder = Builder { item, own };
    let before = item.reader.mistakes();
    let mut profile = builder.profile();
    let is_valid = || !has_mistakes && item.reader.mistakes() == before;
    if is_valid() {
        builder.consistent(&profile);
    }
    let says_nothing = profile.roles == Roles::default()
        && profile.required.is_empty()
        && profile.schema.is_none()
        && profile.part.is_none();
    if is_valid() && own.form.is_none() && says_nothing {
        let name = truncated(item.key);
        return item.refuse_key(format!(
            "the profile `{name}` must extend another one, or say what it checks; add extends = \"return\", or `form`, `schema`, `at` or `required`"
        ));
    }
    if let Some(file) = own.example.as_ref().filter(|_| is_valid()) {
        let read = example(item.reader, &profile, file);
        let refuse = |why| item.reader.refuse(file.at, format!("`example`: {why}"));
        profile.example = read.map_err(refuse).ok();
    }
    is_valid().then_some(profile)
}

struct Builder<'b, 'r> {
    item: &'b TomlItem<'r>,
    own: &'b ProfileTable,
}

impl Builder<'_, '_> {
    fn refuse(&self, at: usize, message: impl Into<String>) {
        self.item.reader.refuse(at, message);
    }

    fn profile(&self) -> Profile {
        let own = self.own;
        let base = Profile {
            document: "return".into(),
            shape: Shape::Own,
            // Who names the place of the agent wants it to be held.
            levels: Cow::Borrowed(&[("agent-mismatch", Level::Error)]),
            ..Profile::BASE
        };
        let folder = self.item.reader.folder.unwrap_or(Path::new(""));
        let values_if = own.values_if.iter();
        let mut profile = Profile {
            form: self.item.form,
            part: own.part.clone(),
            requires_artifacts: own.at.artifacts.as_ref().is_some_and(|role| {
                let on_success = own.artifacts_on_success.as_ref();
                on_success.map_or(!role.is_optional, |it| **it == OnSuccess::Required)
            }),
            roles: own.at.clone(),
            required: own.required.places.clone().into(),
            required_if: self.conditions("required-if", &own.required_if).into(),
            empty_if: self.conditions("empty-if", &own.empty_if).into(),
            message_limits: MessageLimits {
                lines: own.limits.lines.map(|Count(most)| most),
                characters: own.limits.return_characters.map(|Count(most)| most),
                tokens: (own.limits.return_tokens.as_ref()).and_then(|it| Some(it.0.as_ref()?.0)),
            },
            // Absolute paths, so that it does not matter where the program is.
            extra_roots: (own.extra_roots.iter())
                .filter_map(|it| std::path::absolute(folder.join(it)).ok())
                .collect(),
            is_instructed: own.instruct.is_none(),
            none: own.none.clone().into(),
            gone: own.gone.clone().into(),
            schema: own.schema.clone(),
            claims: Claims {
                values: own.values.0.clone().into(),
                values_if: values_if
                    .map(|(words, values)| (self.words("values-if", words), values.0.clone()))
                    .collect(),
                same: own.same.0.iter().map(|it| it.0.clone()).collect(),
                sums: own.sums.0.clone().into(),
                counts: own.counts.clone().into(),
            },
            ..changed(&base, self.item, own)
        };
        profile.elements = elements(&profile).into();
        profile
    }

    fn conditions(
        &self,
        key: &str,
        own: &[(At<VisibleName>, Vec<crate::profile::Place>)],
    ) -> Vec<Condition> {
        let conditions = own.iter().map(|(words, places)| Condition {
            words: self.words(key, words),
            places: places.clone(),
        });
        conditions.collect()
    }

    /// The words of a key such as `DONE, PASS`, each of which must be a status.
    fn words(&self, key: &str, words: &At<VisibleName>) -> Vec<String> {
        let known = self.status_words();
        let all = words.split(',').map(str::trim);
        let is_known = |word: &str| known.contains(&word) || known.contains(&ANY);
        if let Some(unknown) = all.clone().find(|word| !is_known(word)) {
            let message = format!("`{key}`: `{}` is none of the statuses", truncated(unknown));
            self.refuse(words.at, message);
        }
        all.map(str::to_owned).collect()
    }

    /// All words of the status, also those of agents.
    fn status_words(&self) -> Vec<&str> {
        let of_agents = self.own.agents.iter();
        let of_agents = of_agents.flat_map(|(_, agent)| agent.statuses.iter());
        let all = self.own.statuses.iter().chain(of_agents);
        all.map(|(word, _)| &***word).collect()
    }

    /// Refuses what could never hold, and what would check nothing.
    fn consistent(&self, profile: &Profile) {
        let (own, words, roles) = (self.own, self.status_words(), &profile.roles);
        let first = own.statuses.first().map(|(word, _)| word.at);
        match (&roles.status, first) {
            (Some(_), _) if words.is_empty() => self.refuse(
                self.item.key_at,
                "`at.status` needs `statuses`, the words that it can have",
            ),
            (None, Some(_)) => self.refuse(
                self.item.key_at,
                "`statuses` needs `at.status`, the place of the status",
            ),
            _ => {}
        }
        let means_success = |agent| {
            let mut statuses = profile.statuses_of(agent);
            statuses.any(|it| it.meaning == Meaning::Success)
        };
        let names_files = roles.artifacts.is_some() || roles.files.is_some();
        if let Some(at) = first.filter(|_| names_files && !means_success(None)) {
            let message =
                "`statuses` needs a word of \"success\"; without one, no file is ever looked up";
            self.refuse(at, message);
        }
        if let Some(default) = roles.status.as_ref().and_then(|it| it.default.as_deref())
            && !matches!(spoken(default, &words), Said::Word(_))
        {
            let message = format!(
                "`default`: `{}` is none of the statuses",
                truncated(default)
            );
            self.refuse(self.place_of_status(), message);
        }
        for (word, _) in own.statuses.iter().filter(|_| profile.form == Form::Text) {
            let is_marked = |mark| word.len() > 1 && word.starts_with(mark) && word.ends_with(mark);
            if ['*', '`', '~'].into_iter().any(is_marked) {
                let shown = truncated(word);
                let message =
                    format!("`statuses`: no value is `{shown}`, as its marks do not count");
                self.refuse(word.at, message);
            }
        }
        self.conditions_differ(profile);
        let limits = &own.limits;
        let summary = ("summary", &roles.summary, "the summary");
        let artifacts = (
            "artifacts",
            &roles.artifacts,
            "the files that the agent wrote",
        );
        for (key, at, (role, place, what)) in [
            (
                "limits.summary-tokens",
                limits.summary_tokens.as_ref().map(|it| it.at),
                summary,
            ),
            (
                "limits.summary-words",
                limits.summary_words.as_ref().map(|it| it.at),
                summary,
            ),
            (
                "limits.summary-characters",
                limits.summary_characters.as_ref().map(|it| it.at),
                summary,
            ),
            (
                "limits.sentences",
                limits.sentences.as_ref().map(|it| it.at),
                summary,
            ),
            (
                "artifacts-on-success",
                own.artifacts_on_success.as_ref().map(|it| it.at),
                artifacts,
            ),
        ] {
            if let (Some(at), None) = (at, place) {
                let message = format!("`{key}` needs `at.{role}`, the place of {what}");
                self.refuse(at, message);
            }
        }
    }
}

impl Builder<'_, '_> {
    fn place_of_status(&self) -> usize {
        let member = |item: &TomlItem<'_>, key| {
            let members = item.members().into_iter().flatten();
            members.filter(|it| it.key == key).map(|it| it.at()).next()
        };
        let roles = self.item.members().into_iter().flatten();
        let mut roles = roles.filter(|it| it.key == "at");
        let status = roles.find_map(|it| member(&it, "status"));
        status.unwrap_or(self.item.key_at)
    }

    /// A place cannot have to hold something and nothing with one word, and a status always holds something.
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
                    let why =
                        format!("`empty-if`: `required-if` says that `{name}` holds something");
                    self.refuse(key.at, why);
                } else if status.contains(&place.path()) {
                    self.refuse(
                        key.at,
                        format!("`empty-if`: `{name}` is the place of the status"),
                    );
                }
            }
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

/// The names that stand in the places of a profile.
fn elements(profile: &Profile) -> Vec<String> {
    let mut names = Vec::new();
    for path in profile.paths() {
        names.extend(path.name().map(str::to_owned));
        names.extend(path.steps().iter().filter_map(|step| match step {
            PointerStep::Name(name) => Some(name.to_string()),
            PointerStep::Every => None,
        }));
    }
    names
}
