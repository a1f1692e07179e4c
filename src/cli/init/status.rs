//! The role status: its place and its words.

use crate::form::Form;

use super::blocks::{Blocks, item};
use super::find::FoundTemplate;
use super::lists::{List, words};
use super::name::TemplateName;
use super::proposal::KeyValue;
use super::status_role::StatusRole;
use super::template::Template;
use super::told::{of_either, of_named, of_stated, of_titled};
use super::words::{
    can_succeed, enumerated, has_outcome, is_capital, is_outcome, is_status, is_value, of_line,
    single, status_words,
};

/// The status that the templates of a prompt have. None if there is none or more than one.
pub(super) fn of(
    blocks: &Blocks<'_>,
    found: &FoundTemplate,
    notes: &mut Vec<(usize, String)>,
) -> Option<StatusRole> {
    let templates: Vec<_> = found.templates().collect();
    let (mut roles, mut without_words) = (Vec::new(), Vec::new());
    for name in sought(&found.template.names, templates.len() > 1)
        .into_iter()
        .take(5)
    {
        let mut role = of_name(&templates, name);
        role.join_shown(blocks, name);
        role.join_prose(blocks, name);
        if role.words.len() > 1 {
            roles.push(role);
        } else {
            let text = format!("no words were found for `{}`", name.name);
            without_words.push((name.line, text));
        }
    }
    if roles.is_empty() {
        roles.extend(of_first_lines(&templates));
    }
    // What sentences say has no pointer.
    let is_text = found.template.form == Form::Text;
    if roles.is_empty() && is_text {
        roles.extend(of_title(&found.template));
        roles.extend(of_stated(blocks).or_else(|| of_either(blocks)));
    }
    if roles.is_empty() && is_text && without_words.is_empty() {
        roles.extend(of_named(blocks).or_else(|| of_titled(blocks)));
    }
    if roles.is_empty() {
        notes.append(&mut without_words);
    }
    only(roles, notes)
}

/// The names that can be that of the status.
fn sought(names: &[TemplateName], has_variants: bool) -> Vec<&TemplateName> {
    let is_of_item = |it: &TemplateName| {
        let first = it.value.lines().next().unwrap_or_default();
        // A word in brackets before a text is that of one item of a list.
        let item = item(first).filter(|it| it.starts_with('['));
        let of_one = item.and_then(|it| it.split_once("] "));
        List("each|every|per").is_in(&words(first)) || of_one.is_some()
    };
    let statuses = names
        .iter()
        .filter(|it| is_status(&it.name) && !is_of_item(it));
    let mut statuses: Vec<_> = statuses.collect();
    // A heading with a value is a label, too.
    statuses.dedup_by_key(|it| it.line);
    let others = names
        .iter()
        .filter(|it| can_succeed(&it.value, has_variants) && !is_of_item(it));
    let mut others: Vec<_> = others.collect();
    if !statuses.is_empty() {
        return statuses;
    }
    // Whatever its name, the only one that can succeed is the status, or the only one with words in capitals.
    if others.is_empty() {
        others.extend(names.iter().filter(|it| is_marked(it) && !is_of_item(it)));
    }
    let is_only = others.len() == 1;
    if is_only { others } else { Vec::new() }
}

/// Whether a name in capitals has words in capitals that are no severity.
fn is_marked(name: &TemplateName) -> bool {
    let words = of_line(&name.value);
    let is_state =
        |it: &String| is_capital(it) && it.len() > 3 && (!is_value(it) || is_outcome(it));
    is_capital(&name.name) && words.len() > 1 && words.iter().all(is_state)
}

/// The status of that name, with the words of all templates.
fn of_name(templates: &[&Template], name: &TemplateName) -> StatusRole {
    let mut role = StatusRole {
        place: KeyValue::Text(name.place.clone()),
        line: name.line,
        words: Vec::new(),
        of_variants: Vec::new(),
    };
    for template in templates {
        let own = template.names.iter().find(|it| it.place == name.place);
        let words = own.map_or_else(Vec::new, |it| status_words(&it.value));
        let is_one_of_several = words.is_empty() && templates.len() > 1;
        let word = own
            .filter(|_| is_one_of_several)
            .and_then(|it| single(&it.value));
        let line = own.map_or(name.line, |it| it.line);
        role.join(words.into_iter().chain(word.clone()), line);
        role.of_variants.push(word);
    }
    role
}

/// The only status. Of several that differ, none.
fn only(mut roles: Vec<StatusRole>, notes: &mut Vec<(usize, String)>) -> Option<StatusRole> {
    let (first, others) = roles.split_first()?;
    let is_known = |word: &(String, usize)| first.words.iter().any(|own| own.0 == word.0);
    // One that repeats the words of another says the same again.
    if others.iter().all(|it| it.words.iter().all(is_known)) {
        return Some(roles.swap_remove(0));
    }
    // Besides a recommendation, a verdict is that of the whole.
    let is_verdict = |it: &StatusRole| match &it.place {
        KeyValue::Text(place) => List("verdict|status").is_in(&words(place)),
        _ => false,
    };
    let is_weak = |it: &StatusRole| match &it.place {
        KeyValue::Text(place) => {
            List("recommendation|assessment|conclusion|readiness").is_in(&words(place))
        }
        _ => false,
    };
    let has_weak = roles.iter().filter(|it| is_weak(it)).count() + 1 == roles.len();
    let mut verdicts = (0..roles.len())
        .filter(|_| has_weak)
        .filter(|it| is_verdict(&roles[*it]));
    if let (Some(at), None) = (verdicts.next(), verdicts.next()) {
        return Some(roles.swap_remove(at));
    }
    for role in &roles {
        let words: Vec<_> = role.words.iter().map(|it| it.0.as_str()).collect();
        let text = format!("one of several statuses: {}", words.join(", "));
        notes.push((role.line, text));
    }
    None
}

/// Templates whose first lines say the outcome, such as `## PLAN COMPLETE` or `DONE|PATH`.
fn of_first_lines(templates: &[&Template]) -> Option<StatusRole> {
    let firsts: Vec<_> = templates.iter().map(|it| it.outcome()).collect();
    let known: Vec<Vec<_>> = firsts
        .iter()
        .flatten()
        .map(|it| it.split(' ').collect())
        .collect();
    let first = known.first()?;
    let is_common = |at: &usize| {
        known
            .iter()
            .all(|it| it.len() > at + 1 && it[*at] == first[*at])
    };
    let common = (0..first.len()).take_while(is_common).count();
    let words: Vec<_> = known.iter().map(|it| it[common..].join(" ")).collect();
    let mut distinct = words.clone();
    distinct.dedup();
    let is_title = |it: &&Template| it.first.starts_with('#');
    let are_lines = templates.iter().all(|it| it.length == 1)
        || words.len() == templates.len() && templates.iter().all(is_title);
    let is_upper = |it: &String| {
        it.chars()
            .next()
            .map(|it| (it.is_uppercase(), it.is_lowercase()))
    };
    let is_alike = distinct
        .iter()
        .all(|it| is_upper(it) == is_upper(&distinct[0]));
    if distinct.len() < 2 || !is_alike || !are_lines && !words.iter().any(|it| has_outcome(it)) {
        return None;
    }
    let mut longest = distinct.clone();
    longest.sort_by_key(|it| usize::MAX - it.len());
    let before: String = first[..common].iter().flat_map(|it| [*it, " "]).collect();
    let expression = format!("^{before}(?<value>{})\\b", longest.join("|"));
    let optional = if words.len() < templates.len() {
        ", optional = true"
    } else {
        ""
    };
    let place = format!("{{ at = \"/first\", match = '{expression}'{optional} }}");
    let mut role = StatusRole::of_line(distinct, templates[0].line, place);
    let cut = |it: String| it.split(' ').skip(common).collect::<Vec<_>>().join(" ");
    role.of_variants = firsts.into_iter().map(|it| it.map(cut)).collect();
    Some(role)
}

/// A title that ends in the words, such as `## Pump <id>: <RUNS | STOPPED>`.
fn of_title(template: &Template) -> Option<StatusRole> {
    let (_, value) = template.first.rsplit_once(": ")?;
    let words = enumerated(value);
    let is_word = |it: &String| !it.chars().any(|it| it.is_lowercase() || it == '\'');
    let is_title = template.first.starts_with('#');
    (is_title && words.len() > 1 && words.iter().all(is_word)).then(|| {
        // A sentence may stand before the title, so the first line may be another one.
        let value = words.join("|");
        let expression = format!("\\b(?<value>{value})\\b");
        let place = format!("{{ at = \"/first\", match = '{expression}', optional = true }}");
        StatusRole {
            of_variants: Vec::new(),
            ..StatusRole::of_line(words, template.line, place)
        }
    })
}
