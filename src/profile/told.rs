//! How a place is told to an agent: in words, or as the path of a member. Never as a pointer.

use crate::document::Form;
use crate::document::pointer::unescaped;
use crate::text::escape::full;

/// A place as the configuration writes it, in words. Safe to print.
pub(crate) fn told(place: &str, form: Form) -> String {
    let (name, steps) = match place.find('/') {
        Some(at) if at == 0 || form == Form::Text => place.split_at(at),
        _ => (place, ""),
    };
    let name = unescaped(name).unwrap_or_default();
    let steps = steps.split('/').skip(1);
    let steps = steps.map(|step| unescaped(step).unwrap_or_default());
    match form {
        Form::Text => in_text(&name, steps),
        Form::Json | Form::Yaml => path(name, steps),
    }
}

/// A path as profiles write it: `findings[].file`.
fn path(mut path: String, steps: impl Iterator<Item = String>) -> String {
    for step in steps {
        if step == "*" || step.parse::<usize>().is_ok() {
            path.push_str("[]");
        } else {
            path.push_str(if path.is_empty() { "" } else { "." });
            path.push_str(&step);
        }
    }
    match &*path {
        "" => "the document".to_owned(),
        path => format!("`{}`", full(path)),
    }
}

/// What stands there, then what that is a part of: "`Check` of each row of the table of `Evidence`".
fn in_text(name: &str, mut steps: impl Iterator<Item = String>) -> String {
    let quoted = |name: &str| format!("`{}`", full(&visible(name)));
    let mut parts = Vec::new();
    if !name.is_empty() {
        parts.push(quoted(name));
    }
    while let Some(step) = steps.next() {
        let (kind, next) = match &*step {
            "labels" => ("label", steps.next()),
            "sections" => ("section", steps.next()),
            "tags" => ("tag", steps.next()),
            "blocks" => ("block", steps.next()),
            _ => ("item", Some(step)),
        };
        parts.push(match (kind, next.as_deref()) {
            ("item", Some("first" | "last")) => format!("the {} line", next.unwrap_or_default()),
            ("item", Some("lines")) => "the number of lines".to_owned(),
            ("item", Some("front_matter")) => "the front matter".to_owned(),
            ("item", Some("text" | "list" | "table")) => {
                format!("the {}", next.unwrap_or_default())
            }
            ("item", Some("*")) if parts.last().is_some_and(|it| it == "the table") => {
                "each row".to_owned()
            }
            (kind, None | Some("*")) => format!("each {kind}"),
            ("item", Some(index)) if index.parse::<usize>().is_ok() => continue,
            ("label" | "item", Some(name)) => quoted(name),
            (kind, Some(name)) => format!("the {kind} {}", quoted(name)),
        });
    }
    if parts.is_empty() {
        return "the whole text".to_owned();
    }
    parts.reverse();
    parts.join(" of ")
}

/// A name without the mark that makes an emoji colourful, which names are compared without.
pub(crate) fn visible(name: &str) -> String {
    name.replace('\u{fe0f}', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_in_words() {
        for (place, words) in [
            ("Status", "`Status`"),
            ("/first", "the first line"),
            ("/front_matter/score", "`score` of the front matter"),
            ("STEPS/*", "each item of `STEPS`"),
            ("Evidence/table/*/Check", "`Check` of each row of the table of `Evidence`"),
            ("Faults/sections/*/labels/severity", "`severity` of each section of `Faults`"),
            ("/tags/results/tags/files/list", "the list of the tag `files` of the tag `results`"),
            ("", "the whole text"),
        ] {
            assert_eq!(told(place, Form::Text), words);
        }
        for (place, words) in [
            ("/findings/*/file", "`findings[].file`"),
            ("/a~1b/0", "`a/b[]`"),
            ("severity", "`severity`"),
            ("", "the document"),
        ] {
            assert_eq!(told(place, Form::Json), words);
        }
    }
}
