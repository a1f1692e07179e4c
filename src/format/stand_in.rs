//! Values for members that a profile requires but whose real values a failed return cannot know.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::json::field::{Expected, TypeTree};
use crate::profile::{Companion, Need, Profile};

/// The value of an unknown text.
pub(super) const UNKNOWN: &str = "unknown";

/// The value of an unknown time.
const NO_TIME: &str = "1970-01-01T00:00:00Z";

/// Members of an object that only some profiles require.
pub(super) type StandIns<'v> = BTreeMap<&'v str, Value>;

/// Returns the members that the object at `place` must have in a return with this status, each with a
/// value of its type. Those that the object already has, as it is `written`, are left out.
pub(super) fn members<'p>(
    profile: &'p Profile,
    status: &str,
    place: &str,
    written: &Value,
) -> StandIns<'p> {
    let whole = profile.shape.form();
    let mut form = Some(&whole);
    for name in place.split('.').filter(|name| !name.is_empty()) {
        form = form.and_then(|form| member(form, name));
    }
    let mut members = Needed::of(profile, status).members(form, place);
    members.retain(|name, _| written.get(name).is_none());
    members
}

/// Returns the members of a handoff of this agent that are required, and those that are recommended if the
/// profile knows the agent.
pub(super) fn of_handoff<'p>(profile: &'p Profile, agent: &str) -> StandIns<'p> {
    let is_known = profile.has_fields_of(Some(agent));
    let fields = profile
        .fields_of(Some(agent))
        .filter(|field| match field.need {
            Need::Required => true,
            Need::Recommended => is_known,
            Need::Optional => false,
        });
    Needed(fields.map(|field| &*field.path).collect()).members(Some(&profile.shape.form()), "")
}

/// Returns the form of a member, or of the items of a list (`name[]`). None if the form does not have
/// it.
fn member<'f>(form: &'f TypeTree, name: &str) -> Option<&'f TypeTree> {
    let TypeTree::Record(members) = form else {
        return None;
    };
    let list = name.strip_suffix("[]");
    let member = members.iter().find(|(its, _)| *its == list.unwrap_or(name));
    match (member.map(|(_, form)| form), list) {
        (Some(TypeTree::List(item)), Some(_)) => Some(item),
        (form, _) => form,
    }
}

/// The paths of all required members.
struct Needed<'p>(Vec<&'p str>);

impl<'p> Needed<'p> {
    fn of(profile: &'p Profile, status: &str) -> Self {
        let mut paths: Vec<_> = profile.fields_with(Need::Required).collect();
        let in_errors = |path: &&str| path.starts_with("errors[].");
        paths.extend(profile.fields_with(Need::Recommended).filter(in_errors));
        let status = profile.statuses.iter().find(|it| it.word == status);
        for companion in status.map_or(&[][..], |status| &status.companions) {
            paths.extend(match companion {
                Companion::StartedAt => &["started_at"][..],
                Companion::Progress => &[
                    "partial_progress",
                    "partial_progress.stage",
                    "partial_progress.details",
                ],
                Companion::CompletionData => {
                    &["completion_data", "completion_data.completion_summary"]
                }
                Companion::Errors | Companion::Artifacts => &[],
            });
        }
        Self(paths)
    }

    fn members(&self, form: Option<&TypeTree>, place: &str) -> StandIns<'p> {
        let paths = self.0.iter().filter_map(|path| {
            let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
            (parent == place).then_some((*path, name))
        });
        let members = paths.map(|(path, name)| {
            let form = form.and_then(|form| member(form, name));
            (name, self.value(form, path))
        });
        members.collect()
    }

    fn value(&self, form: Option<&TypeTree>, path: &str) -> Value {
        match form {
            Some(TypeTree::Leaf(Expected::Boolean)) => json!(false),
            Some(TypeTree::Leaf(Expected::Integer | Expected::Number)) => json!(0),
            Some(TypeTree::List(_) | TypeTree::Leaf(Expected::List)) => json!([]),
            Some(TypeTree::Map(_) | TypeTree::Leaf(Expected::Object)) => json!({}),
            Some(TypeTree::Record(_)) => json!(self.members(form, path)),
            // A time must have the form of one.
            None | Some(TypeTree::Leaf(Expected::Text | Expected::Amount | Expected::Anything)) => {
                match path {
                    "started_at" | "timestamp" => json!(NO_TIME),
                    _ => json!(UNKNOWN),
                }
            }
        }
    }
}
