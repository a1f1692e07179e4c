//! The role status: its place and its words.

use super::blocks::{Blocks, Heading};
use super::find::FoundTemplate;
use super::lists::{has_words, words};
use super::name::TemplateName;
use super::proposal::KeyValue;
use super::stated::stated_line;
use super::template::Template;
use super::words::{code_spans, enumerated, is_outcome, is_status, of_items, of_line};

/// Where the status stands, and its words.
#[derive(Debug)]
pub(super) struct StatusRole {
    pub(super) place: KeyValue,
    pub(super) line: usize,
    /// The words, each with its line.
    pub(super) words: Vec<(String, usize)>,
    /// The word of each template of the region, if it has one of its own.
    pub(super) of_variants: Vec<Option<String>>,
}

/// The status that the templates of a prompt have. None if there is none or more than one.
pub(super) fn of(
    blocks: &Blocks<'_>,
    found: &FoundTemplate,
    notes: &mut Vec<(usize, String)>,
) -> Option<StatusRole> {
    let templates: Vec<_> = found.templates().collect();
    let mut roles = Vec::new();
    for name in sought(&found.template.names) {
        let mut role = of_name(&templates, name);
        if role.words.len() < 2 || templates.len() == 1 {
            join_prose(blocks, &name.name, &mut role);
        }
        if role.words.len() > 1 {
            roles.push(role);
        } else {
            let text = format!("no words were found for `{}`", name.name);
            notes.push((name.line, text));
        }
    }
    if roles.is_empty() {
        roles.extend(of_titles(&templates));
        roles.extend(of_lines(&templates));
        roles.extend(of_stated(blocks));
    }
    only(roles, notes)
}

/// The names that can be that of the status.
fn sought(names: &[TemplateName]) -> Vec<&TemplateName> {
    let statuses: Vec<_> = names.iter().filter(|it| is_status(&it.name)).collect();
    let has_words = |it: &&TemplateName| enumerated(&it.value).iter().any(|word| is_outcome(word));
    let others: Vec<_> = names.iter().filter(has_words).collect();
    // Whatever its name, the only one that passes or fails is the status.
    if statuses.is_empty() && others.len() == 1 {
        others
    } else {
        statuses
    }
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
        let words = own.map_or_else(Vec::new, |it| enumerated(&it.value));
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
    for role in &roles {
        let words: Vec<_> = role.words.iter().map(|it| it.0.as_str()).collect();
        let text = format!("one of several statuses: {}", words.join(", "));
        notes.push((role.line, text));
    }
    None
}

impl StatusRole {
    fn join(&mut self, words: impl IntoIterator<Item = String>, line: usize) {
        for word in words {
            if self.words.iter().all(|it| it.0 != word) {
                self.words.push((word, line));
            }
        }
    }

    fn of_line(words: Vec<String>, line: usize, place: String) -> Self {
        Self {
            place: KeyValue::Raw(place),
            line,
            of_variants: words.iter().cloned().map(Some).collect(),
            words: words.into_iter().map(|it| (it, line)).collect(),
        }
    }
}

/// A value that is one word.
fn single(value: &str) -> Option<String> {
    let value = value.trim().trim_matches(|it: char| !it.is_alphanumeric());
    let is_word = !value.is_empty()
        && value
            .chars()
            .all(|it| it.is_alphanumeric() || matches!(it, '_' | '-'));
    is_word.then(|| value.to_owned())
}

/// Adds words that stand outside of the template: below a heading or in a sentence about the status.
fn join_prose(blocks: &Blocks<'_>, name: &str, role: &mut StatusRole) {
    let name = words(name);
    let core = name.rsplit(' ').next().unwrap_or_default().to_owned();
    let mut found = Vec::new();
    for heading in &blocks.headings {
        let title = words(heading.title);
        if has_words(&title, &core) || has_words(&title, &format!("{core}s")) {
            found.push((below(blocks, heading), heading.line));
        }
    }
    for (line, text) in blocks.lines.iter().enumerate() {
        let sentence = words(text);
        let spans: Vec<_> = code_spans(text).collect();
        let names_it = spans.first().is_some_and(|it| words(it) == name);
        let is_about = has_words(&sentence, &core) && has_words(&sentence, "one of")
            || names_it && spans.len() > 2;
        let is_condition = sentence.starts_with("if ") || sentence.starts_with("when ");
        if is_about && !is_condition && !blocks.is_in_fence(line) {
            let spans = if names_it { &spans[1..] } else { &spans[..] };
            found.push((of_line(&spans.join(" | ")), line));
        }
    }
    for (line, text) in blocks.lines.iter().enumerate() {
        let value = text.split_once(": ").map_or("", |it| it.1);
        if value.contains(" | ") && !text.starts_with('|') && !blocks.is_in_fence(line) {
            let again = of_line(value);
            if again
                .iter()
                .filter(|it| role.words.iter().any(|own| own.0 == **it))
                .count()
                > 1
            {
                found.push((again, line));
            }
        }
    }
    for (words, line) in found {
        let is_same = role.words.is_empty()
            || words
                .iter()
                .any(|it| role.words.iter().any(|own| own.0 == *it));
        if words.len() > 1 && words.len() <= 8 && is_same {
            role.join(words, line);
        }
    }
}

/// The words of the list, the bold lines or the table below a heading.
fn below(blocks: &Blocks<'_>, heading: &Heading<'_>) -> Vec<String> {
    let lines = blocks.lines.iter().skip(heading.line + 1);
    let lines = lines.take_while(|it| !it.starts_with('#')).take(30);
    let is_item = |it: &&&str| it.trim_start().starts_with(['-', '*', '|']);
    let items: Vec<_> = lines
        .filter(is_item)
        .filter(|it| !it.starts_with(' '))
        .copied()
        .collect();
    let is_table = items.iter().all(|it| it.starts_with('|'));
    of_items(items.into_iter().skip(usize::from(is_table)))
}

/// Titles of templates that differ in their last words, such as `## PLAN COMPLETE`.
fn of_titles(templates: &[&Template]) -> Option<StatusRole> {
    let titles: Vec<Vec<_>> = templates
        .iter()
        .map(|it| {
            it.first
                .trim_start_matches(['#', '*', ' '])
                .trim_end_matches(['*', ':'])
                .split(' ')
                .collect()
        })
        .collect();
    let first = titles.first()?;
    let is_title = templates.iter().all(|it| it.first.starts_with('#'));
    let common = first
        .iter()
        .enumerate()
        .take_while(|(at, word)| titles.iter().all(|it| it.get(*at) == Some(*word)));
    let common = common.count();
    let words: Vec<_> = titles.iter().map(|it| it[common..].join(" ")).collect();
    let is_word = |it: &String| {
        !it.is_empty()
            && it
                .chars()
                .all(|it| it.is_ascii_uppercase() || matches!(it, ' ' | '_'))
    };
    if templates.len() < 2 || !is_title || !words.iter().all(is_word) {
        return None;
    }
    let before = first[..common].join(" ");
    let before = if before.is_empty() {
        before
    } else {
        before + " "
    };
    if before.contains(|it: char| !it.is_alphanumeric() && it != ' ') {
        return None;
    }
    let expression = format!("^{before}(?<value>{})$", words.join("|"));
    let place = format!("{{ at = \"/first\", match = '{expression}' }}");
    Some(StatusRole::of_line(words, templates[0].line, place))
}

/// Templates of one line that begin with different words, such as `DONE|PATH`.
fn of_lines(templates: &[&Template]) -> Option<StatusRole> {
    let is_line = templates
        .iter()
        .all(|it| it.length == 1 && !it.first.starts_with(['#', '{', '[', '<']));
    if !is_line || templates.len() < 2 {
        return None;
    }
    let word = |it: &&Template| {
        let end = it
            .first
            .find(|it: char| !it.is_ascii_alphanumeric() && it != '_')
            .unwrap_or(it.first.len());
        it.first[..end].to_owned()
    };
    let words: Vec<_> = templates.iter().map(word).collect();
    let is_distinct = words
        .iter()
        .enumerate()
        .all(|(at, it)| !it.is_empty() && !words[..at].contains(it));
    let place = format!(
        "{{ at = \"/first\", match = '^(?<value>{})\\b' }}",
        words.join("|")
    );
    is_distinct.then(|| StatusRole::of_line(words, templates[0].line, place))
}

/// The line that a sentence asks for.
pub(super) fn of_stated(blocks: &Blocks<'_>) -> Option<StatusRole> {
    let stated = stated_line(blocks)?;
    // It would end the string of the expression.
    if stated.words.iter().any(|it| it.contains('\'')) {
        return None;
    }
    let place = if let Some(name) = stated.name {
        KeyValue::Text(name)
    } else {
        let at = if stated.is_first { "/first" } else { "/last" };
        let words = stated.words.join("|");
        // What follows the word may take more lines, so the line may be another one.
        let place =
            format!("{{ at = \"{at}\", match = '\\b(?<value>{words})\\b', optional = true }}");
        KeyValue::Raw(place)
    };
    Some(StatusRole {
        place,
        line: stated.line,
        words: stated
            .words
            .into_iter()
            .map(|it| (it, stated.line))
            .collect(),
        of_variants: Vec::new(),
    })
}
