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

/// What stands there, then what that is a part of: "`Check` of each item of the table of `Evidence`".
fn in_text(name: &str, steps: impl Iterator<Item = String>) -> String {
    let quoted = |name: &str| format!("`{}`", full(&visible(name)));
    let mut parts = Vec::new();
    if !name.is_empty() {
        parts.push(quoted(name));
    }
    // Whether a name of the agent's comes next, and not one of the form.
    let mut is_name = false;
    for step in steps {
        let group = ["labels", "sections", "tags", "blocks"].contains(&&*step);
        match &*step {
            _ if group => {}
            "*" => parts.push("each item".to_owned()),
            "first" | "last" => parts.push(format!("the {step} line")),
            "lines" => parts.push("the number of lines".to_owned()),
            "front_matter" => parts.push("the front matter".to_owned()),
            "text" | "list" | "table" if !is_name => parts.push(format!("the {step}")),
            step if step.parse::<usize>().is_ok() => {}
            step => parts.push(quoted(step)),
        }
        is_name = group;
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
            ("Evidence/table/*/Check", "`Check` of each item of the table of `Evidence`"),
            ("Faults/sections/*/labels/severity", "`severity` of each item of `Faults`"),
            ("/tags/results/tags/files/list", "the list of `files` of `results`"),
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
