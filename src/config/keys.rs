//! The tables of the file, which are read key by key. One call reads a key, knows it, and describes it for the schema.

use crate::config::reader::TomlItem;
use crate::config::{Setting, SettingTable};
use crate::json_schema::{NodeMembers, Others, SchemaNode};
use crate::text::suggest::unknown_name;

/// A type that can be read from the file.
pub(super) trait FromToml: Sized {
    /// Reads a value. None if there is a mistake in it, which the reader then has.
    fn read(item: &TomlItem<'_>) -> Option<Self>;

    /// The schema of the values that it is read from.
    fn schema() -> SchemaNode;
}

/// A type that is read from a table, key by key.
pub(super) trait TomlTable: Sized {
    /// None if the table is wrong, or if its keys are only described.
    fn read_keys(keys: &mut Keys<'_>) -> Option<Self>;
}

impl<T: TomlTable> FromToml for T {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        Keys::read(item, T::read_keys).flatten()
    }

    fn schema() -> SchemaNode {
        Keys::schema(T::read_keys)
    }
}

/// A value, or `off`, which is none.
pub(super) struct OrOff<T>(pub(super) Option<T>);

impl<T: FromToml> FromToml for OrOff<T> {
    fn read(item: &TomlItem<'_>) -> Option<Self> {
        let is_off = item.value().as_str() == Some("off");
        if is_off { Some(Self(None)) } else { T::read(item).map(|it| Self(Some(it))) }
    }

    fn schema() -> SchemaNode {
        SchemaNode::any_of([T::schema(), SchemaNode::one_of(["off"])])
    }
}

/// The keys of a table, which is read key by key. Without a table, the same calls describe the keys for the schema.
pub(super) struct Keys<'r> {
    /// The table.
    pub(super) item: Option<TomlItem<'r>>,
    /// Its members that were not read yet.
    left: Vec<TomlItem<'r>>,
    known: Vec<(&'static str, SchemaNode)>,
    /// How many mistakes there were before it.
    mistakes: usize,
}

impl<'r> Keys<'r> {
    /// Reads a table. None if it is none.
    pub(super) fn read<T>(item: &TomlItem<'r>, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let (left, mistakes) = (item.members()?, item.reader.mistakes());
        let mut keys = Self { item: Some(item.clone()), left, known: Vec::new(), mistakes };
        let value = read(&mut keys);
        let known = keys.known.iter().map(|it| it.0);
        for item in &keys.left {
            item.refuse_key::<()>(unknown_name("key", item.key, known.clone()));
        }
        Some(value)
    }

    /// The schema of a table that is read in this way.
    pub(super) fn schema<T>(read: impl FnOnce(&mut Self) -> T) -> SchemaNode {
        let mut keys = Self { item: None, left: Vec::new(), known: Vec::new(), mistakes: 0 };
        read(&mut keys);
        table(keys.known)
    }

    /// The member with this key. None if there is none.
    fn take(
        &mut self,
        key: &'static str,
        schema: impl FnOnce() -> SchemaNode,
    ) -> Option<TomlItem<'r>> {
        let schema = if self.item.is_none() { schema() } else { SchemaNode::default() };
        match self.known.iter_mut().find(|it| it.0 == key) {
            Some((_, known)) => {
                let about = schema.description.clone().unwrap_or_default();
                *known = SchemaNode::any_of([known.clone(), schema]).described(about);
            }
            None => self.known.push((key, schema)),
        }
        let at = self.left.iter().position(|it| it.key == key)?;
        Some(self.left.remove(at))
    }

    /// The value of a key. None if it is missing or wrong.
    pub(super) fn get<T: FromToml>(&mut self, key: &'static str, about: &str) -> Option<T> {
        T::read(&self.take(key, || T::schema().described(about))?)
    }

    /// Replaces a value by that of a key, if it has one.
    pub(super) fn set<T: FromToml>(&mut self, key: &'static str, about: &str, value: &mut T) {
        if let Some(read) = self.get(key, about) {
            *value = read;
        }
    }

    /// The same of a value that a word can take away.
    pub(super) fn limit<T: FromToml>(
        &mut self,
        key: &'static str,
        about: &str,
        value: &mut Option<T>,
    ) {
        if let Some(OrOff::<T>(read)) = self.get(key, about) {
            *value = read;
        }
    }

    /// Reads the table of a key.
    pub(super) fn table(
        &mut self,
        key: &'static str,
        about: &str,
        mut read: impl FnMut(&mut Self),
    ) {
        if let Some(item) = self.take(key, || Self::schema(&mut read).described(about)) {
            Self::read(&item, read);
        }
    }

    /// Whether another table can stand in place of a setting, and does.
    pub(super) fn has_table(&self, key: &str) -> bool {
        self.item.is_none() || self.left.iter().any(|it| it.key == key && it.value().is_table())
    }

    /// Reads the settings that the table can have.
    pub(super) fn settings(
        &mut self,
        settings: impl IntoIterator<Item = &'static Setting>,
        table: &mut SettingTable,
    ) {
        for setting in settings {
            self.setting(setting.key(), setting, table);
        }
    }

    pub(super) fn setting(
        &mut self,
        key: &'static str,
        setting: &'static Setting,
        table: &mut SettingTable,
    ) {
        if let Some(item) = self.take(key, || setting.schema()) {
            table.set(setting, &item);
        }
    }

    /// Whether no mistake was found in the table so far.
    pub(super) fn is_valid(&self) -> bool {
        self.item.as_ref().is_some_and(|it| it.reader.mistakes() == self.mistakes)
    }

    /// Collects an error about the table, unless there is one about a value in it.
    pub(super) fn refuse<T>(&self, message: impl std::fmt::Display) -> Option<T> {
        let item = self.item.as_ref().filter(|_| self.is_valid())?;
        item.invalid(message)
    }

    /// Collects an error about something in the table.
    pub(super) fn refuse_at(&self, at: usize, message: impl Into<String>) {
        if let Some(item) = &self.item {
            item.reader.refuse(at, message);
        }
    }
}

pub(super) fn table<K: Into<String>>(
    members: impl IntoIterator<Item = (K, SchemaNode)>,
) -> SchemaNode {
    let members = members.into_iter().map(|(key, it)| (key.into(), it));
    SchemaNode {
        properties: NodeMembers(members.collect()),
        others: Some(Others::Allowed(false)),
        ..SchemaNode::of_type("object")
    }
}

pub(super) fn table_of(values: SchemaNode) -> SchemaNode {
    SchemaNode { others: Some(Others::like(values)), ..SchemaNode::of_type("object") }
}
