//! The fields of a custom profile.

use std::borrow::Cow;

use crate::profile::builder::ProfileBuilder;
use crate::profile::{FieldSpec, Need, ProfileError};
use crate::text::escape;

impl ProfileBuilder {
    /// Adds a field, or changes how much it is needed. Its path is written as in
    /// [`FieldSpec::path`].
    pub fn field(&mut self, path: impl Into<Cow<'static, str>>, need: Need) -> &mut Self {
        let Some(path) = self.checked_name("a field", path.into()) else {
            return self;
        };
        if path == "status" && need != Need::Required {
            self.refuse(ProfileError::StatusNotRequired);
        } else if !self.profile.shape.has_place(&path) {
            let base = escape::truncated(&self.base).to_string();
            let field = path.into_owned();
            self.refuse(ProfileError::UnknownField { field, base });
        } else {
            let fields = self.profile.fields.to_mut();
            add_parents(fields, &path);
            set_field(fields, path, need);
        }
        self
    }
}

/// Adds a field, or changes how much it is needed. A field that a custom profile requires is required of
/// every agent.
fn set_field(fields: &mut Vec<FieldSpec>, path: Cow<'static, str>, need: Need) {
    let Some(index) = fields.iter().position(|field| field.path == path) else {
        return fields.push(FieldSpec::new(path, need));
    };
    if need != Need::Required {
        let same = fields.iter_mut().filter(|field| field.path == path);
        return same.for_each(|field| field.need = need);
    }
    fields.retain(|field| field.path != path);
    fields.insert(index, FieldSpec::new(path, need));
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
