//! The schema of a standard of one's own, made from its places.

use crate::document::Form;
use crate::document::pointer::PointerStep;
use crate::json_schema::{NodeMembers, Others, SchemaNode, Types};
use crate::profile::Profile;
use crate::profile::standard::Place;
use crate::profile::standard::words::ANY;

/// The schema of the documents. None for text.
pub(super) fn schema(profile: &Profile) -> Option<SchemaNode> {
    if profile.form == Form::Text {
        return None;
    }
    let mut root = SchemaNode::default();
    let roles = &profile.roles;
    if let Some(role) = &roles.status
        && role.expression.is_none()
        && role.members.is_empty()
    {
        let words: Vec<_> = profile.statuses_of(None).map(|it| &*it.word).collect();
        let needed = role.default.is_none() && !role.is_optional;
        for path in &role.paths {
            let is_needed = needed && role.paths.len() == 1;
            put(&mut root, path.steps(), is_needed, one_of(&words));
        }
    }
    // What is taken of a value is more than a schema can say.
    for path in profile.required.iter().filter_map(Place::only_path) {
        put(&mut root, path.steps(), true, SchemaNode::default());
    }
    for allowed in &*profile.claims.values {
        let words: Vec<_> = allowed.words.iter().map(String::as_str).collect();
        if let Some(path) = allowed.place.only_path() {
            put(&mut root, path.steps(), false, one_of(&words));
        }
    }
    Some(root)
}

/// The words that a value can be. Those that are no text in JSON stand for any value.
fn one_of(words: &[&str]) -> SchemaNode {
    let is_text =
        |word: &&str| **word != *ANY && serde_json::from_str::<serde_json::Value>(word).is_err();
    if words.iter().all(is_text) {
        SchemaNode::one_of(words.iter().copied())
    } else {
        SchemaNode::default()
    }
}

/// Adds what must hold at the end of these steps.
fn put(node: &mut SchemaNode, steps: &[PointerStep], is_required: bool, leaf: SchemaNode) {
    match steps.split_first() {
        None => {
            if !leaf.words.is_empty() {
                node.words = leaf.words;
            }
        }
        Some((PointerStep::Every, rest)) => {
            node.types = Types(vec!["array"]);
            if rest.is_empty() && is_required {
                node.fewest = Some(1);
            }
            let mut items = match node.items.take() {
                Some(Others::Like(items)) => items,
                _ => Box::default(),
            };
            put(&mut items, rest, is_required, leaf);
            node.items = Some(Others::Like(items));
        }
        // An index stands for an item or a member, which nothing here tells.
        Some((PointerStep::Name(name), _)) if name.parse::<usize>().is_ok() => {}
        Some((PointerStep::Name(name), rest)) => {
            node.types = Types(vec!["object"]);
            if is_required && !node.required.contains(name) {
                node.required.push(name.clone());
            }
            put(member(&mut node.properties, name), rest, is_required, leaf);
        }
    }
}

fn member<'n>(members: &'n mut NodeMembers, name: &str) -> &'n mut SchemaNode {
    let known = members.0.iter().position(|(own, _)| own == name);
    let index = known.unwrap_or(members.0.len());
    if known.is_none() {
        members.0.push((name.to_owned(), SchemaNode::default()));
    }
    &mut members.0[index].1
}
