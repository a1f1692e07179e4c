//! What must hold of values, as the file writes it.

use std::sync::Arc;

use toml::Spanned;

use crate::config::nodes::TextOr;
use crate::config::reader::invalid_glob;
use crate::config::standard::build::Builder;
use crate::config::standard::{CountTable, PlaceWords, SchemaTable, StandardTable};
use crate::profile::standard::{
    AllowedWords, Claims, CountRule, CountedThings, PathGlob, Schema, SchemaRule,
};

impl Builder<'_, '_> {
    pub(super) fn claims(&mut self, own: &StandardTable) -> Claims {
        let values_if = own.values_if.0.iter().map(|(words, values)| {
            let words = self.words("values-if", own, words);
            (words, self.place_words("values-if", values))
        });
        let values_if: Vec<_> = values_if.collect();
        let sums = own.sums.0.iter().filter_map(|(total, parts)| {
            let total = self.place("sums", total)?;
            Some((total, self.places("sums", parts)))
        });
        let sums: Vec<_> = sums.collect();
        let counts: Vec<_> = own.counts.iter().filter_map(|it| self.count(it)).collect();
        let same = own.same.iter().map(|places| self.places("same", places));
        let same: Vec<_> = same.collect();
        Claims {
            values: self.place_words("values", &own.values).into(),
            values_if: values_if.into(),
            same: same.into(),
            sums: sums.into(),
            counts: counts.into(),
        }
    }

    fn place_words(&mut self, key: &str, values: &PlaceWords) -> Vec<AllowedWords> {
        let words = values.0.iter().filter_map(|(place, words)| {
            let place = self.place(key, place)?;
            let words = words.clone();
            Some(AllowedWords { place, words })
        });
        words.collect()
    }

    fn count(&mut self, count: &Spanned<CountTable>) -> Option<CountRule> {
        let (at, table) = (count.span().start, count.get_ref());
        let number = table.number.as_ref();
        let (Some(number), true) = (number, table.items.is_some() != table.files.is_some()) else {
            self.refuse(at, "`counts` needs `number`, and either `items` or `files`");
            return None;
        };
        let number = self.place("number", number);
        let counted = match (&table.items, &table.files) {
            (Some(items), _) => {
                let members = table.r#where.0.iter().filter_map(|(name, value)| {
                    Some((self.member("where", name)?, value.0.clone()))
                });
                let members = members.collect();
                CountedThings::Items {
                    place: self.place("items", items)?,
                    members,
                }
            }
            (None, files) => {
                let files = files.as_ref()?;
                let (Some(folder), Some(glob)) = (&files.r#in, &files.glob) else {
                    self.refuse(at, "`files` needs `in` and `glob`");
                    return None;
                };
                CountedThings::Files {
                    folder: self.place("in", folder)?,
                    glob: self.glob(glob)?,
                }
            }
        };
        Some(CountRule {
            number: number?,
            counted,
        })
    }

    /// The schema of the document, or of a value in it.
    pub(super) fn schema(&mut self, item: &Spanned<TextOr<SchemaTable>>) -> Option<SchemaRule> {
        let (place, schema) = match item.get_ref() {
            TextOr::Text(file) => (None, self.schema_of(&Spanned::new(item.span(), file))?),
            TextOr::Table(table) => {
                let (Some(place), Some(file)) = (&table.at, &table.file) else {
                    self.refuse(item.span().start, "`schema` needs `at` and `file`");
                    return None;
                };
                (Some(self.place("schema", place)?), self.schema_of(file)?)
            }
        };
        Some(SchemaRule { place, schema })
    }

    fn schema_of(&mut self, file: &Spanned<impl AsRef<str>>) -> Option<Arc<Schema>> {
        let folder = self.folder();
        let read = folder.and_then(|folder| Schema::read(file.get_ref().as_ref(), folder));
        let read = read.map(Arc::new).map_err(|why| format!("`schema`: {why}"));
        self.keep(file, read)
    }

    fn glob(&mut self, text: &Spanned<impl AsRef<str>>) -> Option<PathGlob> {
        let glob = text.get_ref().as_ref();
        let read = PathGlob::new(glob).map_err(|error| invalid_glob(glob, &error));
        self.keep(text, read)
    }
}
