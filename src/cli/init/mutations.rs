//! Wrong returns, made from the example of a profile: a profile that checks something refuses most of them.

use crate::document::Form;
use crate::document::tree::Value;
use crate::profile::Profile;
use crate::text::escape::truncated;

/// A word, and a name, that no profile knows.
const FOREIGN: &str = "NO_SUCH_WORD";

/// The most names of an example that are left out.
const NAMES: usize = 200;

/// The wrong returns that an example, which says this status, can be made into: with another status, and
/// without each of its names. Each comes after what is wrong with it, which is safe to print.
pub(super) fn of(profile: &Profile, example: &str, status: Option<&str>) -> Vec<(String, String)> {
    let mut names = Vec::new();
    if let Ok(document) = profile.read(example) {
        add_names(document.root(), profile.form == Form::Text, &mut names);
    }
    let names = names.iter().map(|name| (format!("`{}` left out", truncated(name)), &**name));
    let is_open = profile.statuses.iter().any(|it| &*it.word == "*");
    let status = status.filter(|_| !is_open).map(|it| (format!("the status {FOREIGN}"), it));
    let all = status.into_iter().chain(names);
    let mutations = all.map(|(what, old)| {
        let quoted = format!("\"{old}\"");
        if example.contains(&quoted) {
            return (what, example.replace(&quoted, &format!("\"{FOREIGN}\"")));
        }
        (what, example.replace(old, FOREIGN))
    });
    mutations.filter(|(_, text)| text != example).collect()
}

/// Adds the names in a document, the outer ones before those in them.
fn add_names(body: Value<'_, '_>, is_text: bool, names: &mut Vec<String>) {
    if body.is_list() {
        return body.items().for_each(|it| add_names(it, is_text, names));
    }
    let groups: Vec<_> = if is_text && body.is_object() {
        let groups = ["front_matter", "labels", "tags", "sections"];
        groups.iter().filter_map(|it| body.member(it)).collect()
    } else {
        vec![body]
    };
    let members: Vec<_> = groups.into_iter().flat_map(Value::members).collect();
    for value in &members {
        let is_new = names.len() < NAMES && !value.key().is_empty();
        if is_new && names.iter().all(|it| it != value.key()) {
            names.push(value.key().to_owned());
        }
    }
    for value in members {
        add_names(value.first(), is_text, names);
    }
}
