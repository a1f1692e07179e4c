//! Makes the profile that a standard of one's own describes.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use toml::Spanned;

use crate::check::Checker;
use crate::check::rules::{Level, Step};
use crate::config::nodes::VisibleName;
use crate::config::profile::{Count, Sentences};
use crate::config::reader::{Reader, TomlKey, checked_levels};
use crate::config::standard::{
    OnSuccess, PartTable, PlaceText, RoleItem, RoleTable, RoleValue, StandardTable,
};
use crate::document::Form;
use crate::document::part::PartMarks;
use crate::document::pointer::PointerStep;
use crate::profile::standard::{
    Expression, MessageLimits, PlaceError, ReturnPart, Role, RoleMember, Roles, ValuePlace,
};
use crate::profile::{LengthLimit, Measured, Profile, Shape, Unit};
use crate::root::Root;
use crate::text::escape::truncated;

/// The most bytes of an example.
const BYTES_AT_MOST: u64 = 1024 * 1024;

/// Returns the profile `id`. Its mistakes are kept by the reader, all of them.
pub(in crate::config) fn build(
    reader: &Reader<'_>,
    id: TomlKey<'_>,
    own: &StandardTable,
) -> Option<Profile> {
    let mut builder = Builder {
        reader,
        form: own.form.unwrap_or_default(),
        is_valid: true,
    };
    let standard = builder.standard(id, own);
    let statuses = builder.statuses(id.at, own);
    let levels = builder.reader.keep(checked_levels(&own.rules))?;
    let (length, sentences) = builder.summary_limits(own);
    let files: Vec<_> = own.files.iter().map(|file| file.0.clone()).collect();
    let place = |role: &Option<Role>| {
        let first = role.as_ref()?.places.first()?;
        Some(Cow::Owned(first.as_str().to_owned()))
    };
    let agents = builder.agents(own);
    let mut profile = Profile {
        id: id.name.to_owned().into(),
        document: (own.document.as_ref()).map_or(Cow::Borrowed("return"), VisibleName::cow),
        session: place(&standard.roles.session),
        agent: place(&standard.roles.agent),
        statuses: statuses.into(),
        agents: agents.into(),
        length,
        sentences,
        levels: levels
            .map(|(rule, level)| (rule.id, *level.get_ref()))
            .collect(),
        files: files.into(),
        ..standard
    };
    if let Some(file) = own.example.as_ref().filter(|_| builder.is_valid) {
        profile.example = builder.example(&profile, file);
    }
    builder.is_valid.then_some(profile)
}

pub(super) struct Builder<'b, 'r> {
    reader: &'b Reader<'r>,
    pub(super) form: Form,
    is_valid: bool,
}

impl<'r> Builder<'_, 'r> {
    pub(super) fn refuse(&mut self, at: usize, message: impl Into<String>) {
        self.reader.refuse(at, message.into());
        self.is_valid = false;
    }

    /// Returns what was read from a part of the file, or refuses that part.
    pub(super) fn keep<P, T>(&mut self, part: &Spanned<P>, read: Result<T, String>) -> Option<T> {
        read.map_err(|why| self.refuse(part.span().start, why)).ok()
    }

    /// The folder of the file, which what it names is read below.
    pub(super) fn folder(&self) -> Result<&'r Path, String> {
        let folder = self.reader.folder;
        folder.ok_or_else(|| "no files can be read here".to_owned())
    }

    /// What the profile says of its documents: their form, their places, and what must hold there.
    fn standard(&mut self, id: TomlKey<'_>, own: &StandardTable) -> Profile {
        let roles = Roles {
            status: self.role_of("status", &own.at.status),
            session: self.role_of("session", &own.at.session),
            agent: self.role_of("agent", &own.at.agent),
            summary: self.role_of("summary", &own.at.summary),
            artifacts: self.role_of("artifacts", &own.at.artifacts),
            files: self.role_of("files", &own.at.files),
            cites: self.role_of("cites", &own.at.cites),
            commits: self.role_of("commits", &own.at.commits),
            tests: self.role_of("tests", &own.at.tests),
            changed: self.role_of("changed", &own.at.changed),
            given: (own.at.given.0.iter())
                .filter_map(|(name, role)| {
                    let name = &name.get_ref().0;
                    Some((name.clone(), self.role(name, role)?))
                })
                .collect::<Vec<_>>()
                .into(),
        };
        let mut standard = Profile {
            shape: Shape::Own,
            form: self.form,
            part: own.part.as_ref().and_then(|part| self.part(part)),
            requires_artifacts: roles.artifacts.as_ref().is_some_and(|role| {
                let required = own.artifacts_on_success.as_ref();
                let required = required.map(|it| *it.get_ref() == OnSuccess::Required);
                required.unwrap_or(!role.is_optional)
            }),
            roles,
            required: self.places("required", &own.required).into(),
            required_if: self.conditions("required-if", own, &own.required_if).into(),
            empty_if: self.conditions("empty-if", own, &own.empty_if).into(),
            message_limits: MessageLimits {
                lines: own.limits.lines.map(|Count(most)| most),
                characters: own.limits.return_characters.map(|Count(most)| most),
                tokens: own.limits.return_tokens.map(|Count(most)| most),
            },
            extra_roots: self.extra_roots(own).into(),
            is_instructed: own.instruct.is_none(),
            none: own.none.clone().into(),
            gone: own.gone.clone().into(),
            schema: own.schema.as_ref().and_then(|item| self.schema(item)),
            claims: self.claims(own),
            ..Profile::BASE
        };
        standard.elements = elements(&standard).into();
        self.consistent(id.at, own, &standard);
        let is_empty = standard.roles == Roles::default()
            && standard.required.is_empty()
            && standard.schema.is_none()
            && standard.part.is_none();
        let says_nothing = is_empty && own.form.is_none();
        if says_nothing && self.is_valid {
            let name = truncated(id.name);
            self.refuse(
                id.at,
                format!(
                    "the profile `{name}` must extend another one, or say what it checks; add extends = \"return\", or `form`, `schema`, `at` or `required`"
                ),
            );
        }
        standard
    }

    /// The text of an example. Its files need not be there.
    fn example(&mut self, profile: &Profile, file: &Spanned<String>) -> Option<String> {
        let name = truncated(file.get_ref());
        let read = self.read_example(file.get_ref());
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
        self.keep(file, held.map_err(|why| format!("`example`: {why}")))
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

    /// Absolute paths, so that it does not matter where the program is.
    fn extra_roots(&mut self, own: &StandardTable) -> Vec<PathBuf> {
        let folder = self.reader.folder.unwrap_or(Path::new(""));
        let folders = own.extra_roots.iter().map(|it| folder.join(it));
        folders
            .filter_map(|it| std::path::absolute(it).ok())
            .collect()
    }

    fn summary_limits(
        &mut self,
        own: &StandardTable,
    ) -> (Option<LengthLimit>, Option<(usize, usize)>) {
        let limits = [
            (&own.limits.summary_tokens, Unit::Tokens),
            (&own.limits.summary_words, Unit::Words),
            (&own.limits.summary_characters, Unit::Characters),
        ];
        let mut limits = limits
            .into_iter()
            .filter_map(|(own, unit)| Some((own.as_ref()?, unit)));
        let first = limits.next();
        if let Some((second, _)) = limits.next() {
            self.refuse(
                second.span().start,
                "only one of `summary-tokens`, `summary-words` and `summary-characters` can be set",
            );
        }
        let length = first
            .map(|(most, unit)| LengthLimit::at_most(most.get_ref().0, unit, Measured::Summary));
        let sentences = own.limits.sentences.as_ref().map(Spanned::get_ref);
        let sentences = sentences.map(|&Sentences(fewest, most)| (fewest, most));
        (length, sentences)
    }

    fn part(&mut self, part: &Spanned<PartTable>) -> Option<ReturnPart> {
        let (at, table) = (part.span().start, part.get_ref());
        let marks = match (&table.fence, &table.between, &table.tag) {
            (Some(words), None, None) => PartMarks::Fence(words.texts().to_vec()),
            (None, Some(marks), None) => PartMarks::Between(marks.clone()),
            (None, None, Some(name)) => PartMarks::Tag(name.clone()),
            _ => {
                self.refuse(at, "`part` needs one of `fence`, `between` and `tag`");
                return None;
            }
        };
        Some(ReturnPart {
            marks,
            is_optional: table.optional,
            is_last: table.last,
        })
    }

    fn role_of(&mut self, name: &str, item: &RoleItem) -> Option<Role> {
        self.role(name, item.as_ref()?)
    }

    fn role(&mut self, name: &str, item: &Spanned<RoleValue>) -> Option<Role> {
        match item.get_ref() {
            RoleValue::One(text) => Some(Role {
                places: vec![self.place(name, &Spanned::new(item.span(), text))?],
                ..Role::default()
            }),
            RoleValue::All(places) => Some(Role {
                places: self.places(name, places),
                ..Role::default()
            }),
            RoleValue::Table(table) => self.role_table(name, item.span().start, table),
        }
    }

    fn role_table(&mut self, name: &str, at: usize, table: &RoleTable) -> Option<Role> {
        let members = [
            ("path", RoleMember::Path, &table.path),
            ("line", RoleMember::Line, &table.line),
            ("quote", RoleMember::Quote, &table.quote),
            ("commit", RoleMember::Commit, &table.commit),
        ];
        let members = members
            .into_iter()
            .filter_map(|(key, member, text)| Some((member, self.member(key, text.as_ref()?)?)));
        let members: Vec<_> = members.collect();
        let places = match (&table.at, &table.each) {
            (Some(places), None) if members.is_empty() => places,
            (None, Some(each)) if !members.is_empty() => each,
            _ => {
                let name = truncated(name);
                self.refuse(
                    at,
                    format!("`{name}` needs either `at`, or `each` and the members that are taken"),
                );
                return None;
            }
        };
        let looked_for = [
            ("cites", RoleMember::Path, "path"),
            ("commits", RoleMember::Commit, "commit"),
        ];
        let looked_for = looked_for.into_iter().find(|(role, ..)| *role == name);
        if let Some((_, member, key)) = looked_for
            && !members.is_empty()
            && members.iter().all(|(known, _)| *known != member)
        {
            self.refuse(
                at,
                format!("`{name}` needs `{key}`, the member that is looked for"),
            );
            return None;
        }
        Some(Role {
            places: self.places(name, &places.0),
            members,
            expression: table
                .r#match
                .as_ref()
                .and_then(|text| self.expression(text)),
            default: table.default.clone(),
            is_optional: table.optional || table.default.is_some(),
        })
    }

    pub(super) fn expression(&mut self, text: &Spanned<String>) -> Option<Expression> {
        let expression = text.get_ref();
        let compiled = Expression::new(expression).map_err(|why| {
            let (expression, why) = (truncated(expression), truncated(&why));
            format!("invalid expression `{expression}`: {why}")
        });
        self.keep(text, compiled)
    }

    pub(super) fn places(&mut self, key: &str, texts: &[PlaceText]) -> Vec<ValuePlace> {
        let places = texts.iter().filter_map(|text| self.place(key, text));
        places.collect()
    }

    pub(super) fn place(
        &mut self,
        key: &str,
        text: &Spanned<impl AsRef<str>>,
    ) -> Option<ValuePlace> {
        let form = self.form;
        self.read_place(key, text, |place| ValuePlace::read(place, form))
    }

    /// The place of a member of an object.
    pub(super) fn member(
        &mut self,
        key: &str,
        text: &Spanned<impl AsRef<str>>,
    ) -> Option<ValuePlace> {
        self.read_place(key, text, ValuePlace::read_member)
    }

    fn read_place(
        &mut self,
        key: &str,
        text: &Spanned<impl AsRef<str>>,
        read: impl FnOnce(&str) -> Result<ValuePlace, PlaceError>,
    ) -> Option<ValuePlace> {
        let place = text.get_ref().as_ref();
        let read = read(place).map_err(|error| {
            let (key, place) = (truncated(key), truncated(place));
            format!("`{key}`: the place `{place}` {error}")
        });
        self.keep(text, read)
    }
}

/// The names that stand in the places of a standard.
fn elements(standard: &Profile) -> Vec<String> {
    let mut names = Vec::new();
    for place in standard.places() {
        names.extend(place.name().map(str::to_owned));
        names.extend(place.steps().iter().filter_map(|step| match step {
            PointerStep::Name(name) => Some(name.clone()),
            PointerStep::Every => None,
        }));
    }
    names
}
