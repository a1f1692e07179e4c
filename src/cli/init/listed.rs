//! Words that a text begins to list.

use super::words::{code_spans, is_capital, is_outcome, of_line};

/// The words in capitals or code that a text begins to list.
pub(super) fn listed(text: &str) -> Vec<String> {
    let bold = text.split("**").skip(1).step_by(2);
    let marks = ['*', '`', ' ', ':', '-', '—', '–'];
    let text = text.trim_start_matches(marks);
    // The name itself is one of a list.
    if text.starts_with(',') {
        return Vec::new();
    }
    let text = [
        "is one of",
        "one of",
        "is",
        "must be",
        "either",
        "exactly",
        "with",
    ]
    .into_iter()
    .find_map(|it| text.strip_prefix(it))
    .unwrap_or(text);
    let text = text.trim_start_matches(['*', ' ', ':']);
    let inner = text.strip_prefix('(').and_then(|it| it.split_once(')'));
    // What stands in brackets between the words tells what they mean.
    let list = inner.map_or_else(|| without_brackets(text), |it| it.0.to_owned());
    let end = [
        ". ",
        ";",
        " and ",
        " + ",
        ".\n",
        ", then",
        ", with ",
        ", plus ",
        ", along ",
        ", on ",
        ", followed ",
        " for ",
        " if ",
        " when ",
        " only ",
    ]
    .into_iter()
    .filter_map(|it| list.find(it))
    .min();
    let list = list[..end.unwrap_or(list.len())].trim_end_matches('.');
    let spans: Vec<_> = code_spans(list).chain(bold).collect();
    let plain = list
        .replace(['`', '*'], "")
        .replace(", or ", ", ")
        .replace(" or ", ", ");
    let words = of_line(&format!("[{plain}]"));
    let is_marked = |it: &String| spans.contains(&it.as_str()) || is_capital(it);
    if words.iter().all(is_marked) || words.iter().all(|it| is_outcome(it)) {
        words
    } else {
        Vec::new()
    }
}

fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let outside = |it: &char| {
        depth += usize::from(*it == '(');
        let is_outside = depth == 0;
        depth -= usize::from(*it == ')' && depth > 0);
        is_outside
    };
    text.chars().filter(outside).collect()
}
