//! Makes the profile that a table of the file describes which extends none: a standard of one's own.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use crate::check::Checker;
use crate::check::rules::{Level, Step};
use crate::config::extend::changed;
use crate::config::place_tables::{
    ByPlace, CountTable, PlaceItem, PlaceTable, SchemaItem, WordsTable,
};
use crate::config::profile_table::{Count, OnSuccess, PartTable, ProfileTable};
use crate::config::reader::{At, Reader, TomlItem};
use crate::config::types::{Entries, VisibleName, invalid_glob};
use crate::document::Form;
use crate::document::part::PartMarks;
use crate::document::pointer::PointerStep;
use crate::profile::words::ANY;
use crate::profile::{
    AllowedWords, Claims, Condition, CountRule, CountedThings, Expression, MessageLimits, PathGlob,
    Place, PlaceError, PlacePath, ReturnPart, RoleMember, Roles, Schema, SchemaRule,
};
use crate::profile::{Profile, Shape};
use crate::root::Root;
use crate::text::escape::truncated;

/// The most bytes of an example.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// Returns the profile of an item. The reader gets its mistakes, all of them.
pub(super) fn build(item: &TomlItem<'_>, own: &ProfileTable) -> Option<Profile> {
    let builder = Builder {
        reader: item.reader,
        form: own.form.unwrap_or_default(),
        profile_at: item.key_at,
        own,
    };
    let before = item.reader.mistakes();
    let is_valid = || item.reader.mistakes() == before;
    let mut profile = builder.profile(item);
    builder.consistent(&profile);
    if is_valid() && own.form.is_none() && says_nothing(&profile) {
        let name = truncated(item.key);
        builder.refuse(
            item.key_at,
            format!(
                "the profile `{name}` must extend another one, or say what it checks; add extends = \"return\", or `form`, `schema`, `at` or `required`"
            ),
        );
    }
    if let Some(file) = own.example.as_ref().filter(|_| is_valid()) {
        profile.example = builder.example(&profile, file);
    }
    is_valid().then_some(profile)
}

fn says_nothing(profile: &Profile) -> bool {
    profile.roles == Roles::default()
        && profile.required.is_empty()
        && profile.schema.is_none()
        && profile.part.is_none()
}

pub(super) struct Builder<'b> {
    reader: &'b Reader<'b>,
    pub(super) form: Form,
    /// Where mistakes are that no key has.
    pub(super) profile_at: usize,
    pub(super) own: &'b ProfileTable,
}

impl Builder<'_> {
    pub(super) fn refuse(&self, at: usize, message: impl Into<String>) {
        self.reader.refuse(at, message);
    }

    /// Returns what was read at a place of the file, or refuses it.
    fn keep<T>(&self, at: usize, read: Result<T, String>) -> Option<T> {
        read.map_err(|why| self.refuse(at, why)).ok()
    }

    fn profile(&self, item: &TomlItem<'_>) -> Profile {
        let (own, roles) = (self.own, self.roles());
        let on_success = own.artifacts_on_success.as_ref();
        let base = Profile {
            document: Cow::Borrowed("return"),
            shape: Shape::Own,
            ..Profile::BASE
        };
        let mut profile = Profile {
            form: self.form,
            part: own.part.as_ref().and_then(|part| self.part(part)),
            requires_artifacts: roles.artifacts.as_ref().is_some_and(|role| {
                on_success.map_or(!role.is_optional, |it| **it == OnSuccess::Required)
            }),
            roles,
            required: self.places("required", &own.required).into(),
            required_if: self.conditions("required-if", &own.required_if).into(),
            empty_if: self.conditions("empty-if", &own.empty_if).into(),
            message_limits: MessageLimits {
                lines: own.limits.lines.map(|Count(most)| most),
                characters: own.limits.return_characters.map(|Count(most)| most),
                tokens: (own.limits.return_tokens.as_ref()).and_then(|it| Some(it.0.as_ref()?.0)),
            },
            // Absolute paths, so that it does not matter where the program is.
            extra_roots: (own.extra_roots.iter())
                .map(|it| self.reader.folder.unwrap_or(Path::new("")).join(it))
                .filter_map(|it| std::path::absolute(it).ok())
                .collect(),
            is_instructed: own.instruct.is_none(),
            none: own.none.clone().into(),
            gone: own.gone.clone().into(),
            schema: own.schema.as_ref().and_then(|item| self.schema(item)),
            claims: self.claims(),
            ..changed(&base, item, own)
        };
        profile.elements = elements(&profile).into();
        profile
    }

    fn roles(&self) -> Roles {
        let at = &self.own.at;
        let role = |name, item: &Option<At<PlaceItem>>| self.place(name, item.as_ref()?);
        let given = at.given.iter();
        Roles {
            status: role("status", &at.status),
            session: role("session", &at.session),
            agent: role("agent", &at.agent),
            summary: role("summary", &at.summary),
            artifacts: role("artifacts", &at.artifacts),
            files: role("files", &at.files),
            cites: role("cites", &at.cites),
            commits: role("commits", &at.commits),
            tests: role("tests", &at.tests),
            changed: role("changed", &at.changed),
            given: given
                .filter_map(|(name, item)| Some((name.to_string(), self.place(name, item)?)))
                .collect(),
        }
    }

    fn places(&self, key: &str, items: &[At<PlaceItem>]) -> Vec<Place> {
        let places = items.iter().filter_map(|item| self.place(key, item));
        places.collect()
    }

    /// The place that a key takes.
    fn place(&self, key: &str, item: &At<PlaceItem>) -> Option<Place> {
        if let Some(table) = &item.table {
            return self.table_place(key, item.at, table);
        }
        self.place_of(item.at, self.paths(key, &item.texts))
    }

    fn place_of(&self, at: usize, paths: Option<Vec<PlacePath>>) -> Option<Place> {
        let mut paths = paths?.into_iter();
        let Some(first) = paths.next() else {
            self.refuse(at, "`at` needs a place");
            return None;
        };
        let mut place = Place::at(first);
        place.paths.to_mut().extend(paths);
        Some(place)
    }

    fn table_place(&self, key: &str, at: usize, table: &PlaceTable) -> Option<Place> {
        let members = [
            ("path", RoleMember::Path, &table.path),
            ("line", RoleMember::Line, &table.line),
            ("quote", RoleMember::Quote, &table.quote),
            ("commit", RoleMember::Commit, &table.commit),
        ];
        let members = members.into_iter().filter_map(|(key, member, text)| {
            let text = text.as_ref()?;
            let path = self.path(key, text.at, text, PlacePath::read_member)?;
            Some((member, path))
        });
        let members: Vec<_> = members.collect();
        let texts = match (&table.at, &table.each) {
            (Some(texts), None) if members.is_empty() => texts,
            (None, Some(texts)) if !members.is_empty() => texts,
            _ => {
                let key = truncated(key);
                self.refuse(
                    at,
                    format!("`{key}` needs either `at`, or `each` and the members that are taken"),
                );
                return None;
            }
        };
        let looked_for = [
            ("cites", RoleMember::Path, "path"),
            ("commits", RoleMember::Commit, "commit"),
        ];
        let looked_for = looked_for.into_iter().find(|(role, ..)| *role == key);
        if let Some((_, member, name)) = looked_for
            && !members.is_empty()
            && members.iter().all(|(known, _)| *known != member)
        {
            self.refuse(
                at,
                format!("`{key}` needs `{name}`, the member that is looked for"),
            );
            return None;
        }
        let expression = table.r#match.as_ref();
        Some(Place {
            members: members.into(),
            expression: expression.and_then(|text| self.expression(text)),
            default: table.default.clone(),
            is_optional: table.optional || table.default.is_some(),
            ..self.place_of(at, self.paths(key, &texts.0))?
        })
    }

    fn expression(&self, text: &At<String>) -> Option<Expression> {
        let compiled = Expression::new(text).map_err(|why| {
            let (expression, why) = (truncated(text), truncated(&why));
            format!("invalid expression `{expression}`: {why}")
        });
        self.keep(text.at, compiled)
    }

    /// None if one of them cannot be read.
    fn paths(&self, key: &str, texts: &[At<String>]) -> Option<Vec<PlacePath>> {
        let read = |text: &str| PlacePath::read(text, self.form);
        let paths: Vec<_> = texts
            .iter()
            .map(|text| self.path(key, text.at, text, read))
            .collect();
        paths.into_iter().collect()
    }

    fn path(
        &self,
        key: &str,
        at: usize,
        text: &str,
        read: impl FnOnce(&str) -> Result<PlacePath, PlaceError>,
    ) -> Option<PlacePath> {
        let read = read(text).map_err(|error| {
            let (key, place) = (truncated(key), truncated(text));
            format!("`{key}`: the place `{place}` {error}")
        });
        self.keep(at, read)
    }

    fn part(&self, part: &At<PartTable>) -> Option<ReturnPart> {
        let marks = match (&part.fence, &part.between, &part.tag) {
            (Some(words), None, None) => PartMarks::Fence(words.0.clone()),
            (None, Some(marks), None) => PartMarks::Between(marks.clone()),
            (None, None, Some(name)) => PartMarks::Tag(name.clone()),
            _ => {
                self.refuse(part.at, "`part` needs one of `fence`, `between` and `tag`");
                return None;
            }
        };
        Some(ReturnPart {
            marks,
            is_optional: part.optional,
            is_last: part.last,
        })
    }

    fn claims(&self) -> Claims {
        let own = self.own;
        let values_if = own.values_if.iter().map(|(words, values)| {
            let words = self.words("values-if", words);
            (words, self.allowed("values-if", values))
        });
        let sums = own.sums.0.iter().filter_map(|sum| {
            let Some(total) = &sum.total else {
                self.refuse(sum.at, "`sums` needs `total` and `of`");
                return None;
            };
            let (total, parts) = (self.place("sums", total)?, self.places("sums", &sum.of));
            if parts.contains(&total) {
                let part = sum
                    .of
                    .iter()
                    .find(|it| self.place("sums", it).as_ref() == Some(&total));
                let at = part.map_or(sum.at, |it| it.at);
                self.refuse(at, "`sums`: a total cannot be a part of itself");
            }
            Some((total, parts))
        });
        let same = own.same.iter().map(|places| self.places("same", places));
        Claims {
            values: self.allowed("values", &own.values).into(),
            values_if: values_if.collect(),
            same: same.collect(),
            sums: sums.collect(),
            counts: own.counts.iter().filter_map(|it| self.count(it)).collect(),
        }
    }

    fn allowed(&self, key: &str, values: &ByPlace<WordsTable>) -> Vec<AllowedWords> {
        let allowed = values.0.iter().filter_map(|table| {
            let Some(place) = &table.value.at else {
                self.refuse(table.at, format!("`{key}` needs `at` and `words`"));
                return None;
            };
            let words = table.words.clone();
            let place = self.place(key, place)?;
            Some(AllowedWords { place, words })
        });
        allowed.collect()
    }

    fn count(&self, count: &At<CountTable>) -> Option<CountRule> {
        let number = count.number.as_ref();
        let (Some(number), true) = (number, count.items.is_some() != count.files.is_some()) else {
            self.refuse(
                count.at,
                "`counts` needs `number`, and either `items` or `files`",
            );
            return None;
        };
        let number = self.place("number", number);
        let counted = if let Some(items) = &count.items {
            let members = count.r#where.iter().filter_map(|(name, value)| {
                let path = self.path("where", name.at, name, PlacePath::read_member)?;
                Some((path, value.0.clone()))
            });
            let members = members.collect();
            let place = self.place("items", items)?;
            CountedThings::Items { place, members }
        } else {
            let files = count.files.as_ref()?;
            let (Some(folder), Some(glob)) = (&files.r#in, &files.glob) else {
                self.refuse(count.at, "`files` needs `in` and `glob`");
                return None;
            };
            let read = PathGlob::new(glob).map_err(|error| invalid_glob(glob, &error));
            CountedThings::Files {
                folder: self.place("in", folder)?,
                glob: self.keep(glob.at, read)?,
            }
        };
        let number = number?;
        Some(CountRule { number, counted })
    }

    /// The schema of the document, or of a value in it.
    fn schema(&self, item: &At<SchemaItem>) -> Option<SchemaRule> {
        let (place, at, file) = match &**item {
            SchemaItem::File(file) => (None, item.at, file),
            SchemaItem::Table(table) => {
                let (Some(place), Some(file)) = (&table.at, &table.file) else {
                    self.refuse(item.at, "`schema` needs `at` and `file`");
                    return None;
                };
                (Some(self.place("schema", place)?), file.at, &file.value)
            }
        };
        let read = self.folder().and_then(|folder| Schema::read(file, folder));
        let read = read.map_err(|why| format!("`schema`: {why}"));
        let schema = Arc::new(self.keep(at, read)?);
        Some(SchemaRule { place, schema })
    }

    /// The folder of the file, which what it names is read below.
    fn folder(&self) -> Result<&Path, String> {
        let folder = self.reader.folder;
        folder.ok_or_else(|| "no files can be read here".to_owned())
    }

    fn conditions(&self, key: &str, own: &Entries<Vec<At<PlaceItem>>>) -> Vec<Condition> {
        let conditions = own.iter().map(|(words, places)| Condition {
            words: self.words(key, words),
            places: self.places(key, places),
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
    pub(super) fn status_words(&self) -> Vec<&str> {
        let of_agents = self.own.agents.iter();
        let of_agents = of_agents.flat_map(|(_, agent)| agent.statuses.iter());
        let all = self.own.statuses.iter().chain(of_agents);
        all.map(|(word, _)| &***word).collect()
    }

    /// The text of an example, which must keep the standard. Its files need not be there.
    fn example(&self, profile: &Profile, file: &At<String>) -> Option<String> {
        let name = truncated(file);
        let read = self.read_example(file);
        let held = read.and_then(|(root, text)| {
            let report = Checker::new(profile, &root).check(&text);
            let mut findings = report.findings.iter();
            let wrong =
                findings.find(|it| it.level == Level::Error && it.rule.step != Step::Artifacts);
            wrong.map_or(Ok(()), |it| {
                let (line, column) = (it.position.line, it.position.column);
                Err(format!("{name}:{line}:{column}: {}", it.head()))
            })?;
            drop(report);
            Ok(text)
        });
        self.keep(file.at, held.map_err(|why| format!("`example`: {why}")))
    }

    fn read_example(&self, file: &str) -> Result<(Root, String), String> {
        let root = Root::open(self.folder()?).map_err(|error| error.to_string())?;
        let bytes = root.read(Path::new(file), BYTES_AT_MOST);
        let bytes = bytes.ok().filter(|it| it.len() as u64 <= BYTES_AT_MOST);
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let name = truncated(file);
        let why =
            "it is not a file below the folder of the configuration, of UTF-8 and at most 1 MiB";
        let text = text.ok_or_else(|| format!("cannot read {name}: {why}"))?;
        Ok((root, text))
    }
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
