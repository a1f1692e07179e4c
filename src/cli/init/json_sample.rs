//! Names of JSON and YAML samples. Samples of prompts are seldom valid: they have placeholders, comments
//! and dots. So only quotes, brackets and line breaks count.

use std::collections::HashSet;

use super::name::{TemplateName, place_of};
use super::words::is_status;

/// A key of a sample.
struct SampleKey<'t> {
    name: &'t str,
    line: usize,
    depth: usize,
    /// Where its value begins.
    value: usize,
    /// Where its name begins.
    start: usize,
}

/// The keys of the highest level, as pointers. None if the text is not like JSON. If the only key holds an
/// object, they are the keys of that object.
pub(super) fn names(text: &str) -> Option<Vec<TemplateName>> {
    let is_array = text.trim_start().starts_with('[');
    if !is_array && !text.trim_start().starts_with('{') {
        return None;
    }
    let (keys, end) = keys(text);
    if keys.is_empty() {
        return None;
    }
    let mut depth = if is_array { 2 } else { 1 };
    let mut prefix = if is_array {
        "/*".to_owned()
    } else {
        String::new()
    };
    let roots: Vec<_> = keys.iter().filter(|it| it.depth == depth).collect();
    if let [only] = roots[..]
        && text[only.value..].trim_start().starts_with('{')
    {
        prefix = format!("{prefix}/{}", place_of(only.name));
        depth += 1;
    }
    let level: Vec<_> = keys.iter().filter(|it| it.depth == depth).collect();
    let mut names: Vec<TemplateName> = Vec::new();
    let mut places = HashSet::new();
    for (index, key) in level.iter().enumerate() {
        let end = level.get(index + 1).map_or(end, |next| next.start);
        let mut place = format!("{prefix}/{}", place_of(key.name));
        // A status that is an object holds its word under one of its keys.
        let at = |start| keys.partition_point(|it: &SampleKey<'_>| it.start < start);
        let inner = keys[at(key.start)..at(end).max(at(key.start))].iter();
        let inner = inner.filter(|it| it.depth == depth + 1 && is_status(it.name));
        let inner: Vec<_> = inner.collect();
        let mut key = *key;
        if let [only] = inner[..]
            && is_status(key.name)
            && text[key.value..].trim_start().starts_with('{')
        {
            key = only;
            place = format!("{place}/{}", place_of(key.name));
        }
        let value = text[key.value..end.max(key.value)]
            .trim()
            .trim_end_matches(['}', ']'])
            .trim();
        if places.insert(place.clone()) {
            let value = value.trim_end_matches(',');
            names.push(TemplateName::new(place, key.name, key.line, value));
        }
    }
    Some(names)
}

/// All keys, and where the sample ends.
fn keys(text: &str) -> (Vec<SampleKey<'_>>, usize) {
    let bytes = text.as_bytes();
    let (mut keys, mut depth, mut line, mut at) = (Vec::new(), 0_usize, 0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => line += 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return (keys, at);
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = end_of_line(text, at);
                continue;
            }
            b'"' => {
                let end = end_of_string(bytes, at + 1);
                let after = text[end..].trim_start_matches(['"', ' ']);
                if let Some(value) = after.strip_prefix(':') {
                    keys.push(SampleKey {
                        name: &text[at + 1..end],
                        line,
                        depth,
                        value: text.len() - value.len(),
                        start: at,
                    });
                }
                at = if bytes.get(end) == Some(&b'"') {
                    end + 1
                } else {
                    end
                };
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    (keys, text.len())
}

fn end_of_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |it| at + it)
}

/// The end of a string: its quote, or the end of the line.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\n' => return at,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The keys of the highest level of a YAML sample, or those below its only key.
pub(super) fn yaml_names(text: &str) -> Vec<TemplateName> {
    let keys: Vec<_> = text
        .lines()
        .enumerate()
        .filter_map(|(line, it)| yaml_key(line, it))
        .collect();
    let Some(indent) = keys.iter().map(|it| it.0).min() else {
        return Vec::new();
    };
    let mut prefix = String::new();
    let mut level: Vec<_> = keys.iter().filter(|it| it.0 == indent).collect();
    if let [only] = level[..]
        && only.3.is_empty()
    {
        let inner = keys.iter().map(|it| it.0).filter(|it| *it > indent).min();
        if let Some(inner) = inner {
            prefix = format!("/{}", place_of(only.1));
            level = keys.iter().filter(|it| it.0 == inner).collect();
        }
    }
    let lines: Vec<_> = text.lines().collect();
    let name = |(indent, name, line, value): &&(usize, &str, usize, &str)| {
        // A status that holds keys has its word under one of them.
        let inner = keys
            .iter()
            .skip_while(|it| it.2 <= *line)
            .take_while(|it| it.0 > *indent);
        let inner: Vec<_> = inner.filter(|it| is_status(it.1)).collect();
        if let ([only], true) = (&inner[..], value.is_empty() && is_status(name)) {
            let place = format!("{prefix}/{}/{}", place_of(name), place_of(only.1));
            return TemplateName::new(place, only.1, only.2, only.3);
        }
        // A comment alone below a key says when it is there.
        let below = lines.get(line + 1).copied().unwrap_or_default().trim();
        let comment = value.is_empty() && below.starts_with('#');
        let value = if comment { below } else { value };
        TemplateName::new(format!("{prefix}/{}", place_of(name)), name, *line, value)
    };
    level.iter().map(name).collect()
}

/// The indentation, the name, the line and the value of a key.
fn yaml_key(line: usize, text: &str) -> Option<(usize, &str, usize, &str)> {
    let body = text.trim_start();
    let (name, value) = body.split_once(':')?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.'))
        && !name.starts_with('-');
    let is_key = is_name && (value.is_empty() || value.starts_with(' '));
    is_key.then(|| (text.len() - body.len(), name, line, value.trim()))
}
