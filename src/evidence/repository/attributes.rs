//! Attributes that make a file in the work tree differ from the same file in a commit.

use super::layout::RepositoryLayout;
use super::objects::Budget;
use super::{RepositoryGap, files};

/// Most bytes of a file of attributes.
const ATTRIBUTES_AT_MOST: u64 = 1 << 20;

/// What looking for a file of attributes costs, in bytes of the budget.
const LOOK_COST: usize = 1 << 10;

/// Whether a filter may apply to the file. True in doubt.
pub(super) fn may_filter(
    layout: &RepositoryLayout,
    names: &[String],
    budget: &Budget,
) -> Result<bool, RepositoryGap> {
    if layout.has_attributes_elsewhere {
        return Err(RepositoryGap::AttributesElsewhere);
    }
    let mut folder = layout.work_tree.clone();
    let mut places = vec![(layout.common.join("info/attributes"), 0)];
    for (depth, name) in names.iter().enumerate() {
        places.push((folder.join(".gitattributes"), depth));
        folder.push(name);
    }
    for (place, depth) in places {
        budget.spend(LOOK_COST)?;
        let text = files::read_text(&place, ATTRIBUTES_AT_MOST)?.unwrap_or_default();
        budget.spend(text.len())?;
        if text.lines().any(|line| filters(line, &names[depth..])) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a line sets a filter for a path. `names` is relative to the folder of the file with this
/// line.
fn filters(line: &str, names: &[String]) -> bool {
    let mut words = line.split_ascii_whitespace();
    let Some(pattern) = words.next().filter(|pattern| !pattern.starts_with('#')) else {
        return false;
    };
    let is_filter = |word: &str| {
        word == "ident" || word.starts_with("filter=") || word.starts_with("working-tree-encoding=")
    };
    words.any(is_filter) && may_match(pattern, names)
}

/// Whether a pattern may match a path. A pattern that is not simple counts as a match.
fn may_match(pattern: &str, names: &[String]) -> bool {
    let Some(name) = names.last() else {
        return true;
    };
    if let Some(ending) = pattern
        .strip_prefix('*')
        .filter(|ending| is_literal(ending))
    {
        return name.ends_with(ending);
    }
    if !is_literal(&pattern.replace('/', "")) {
        return true;
    }
    match pattern.trim_start_matches('/') {
        whole if whole.contains('/') || pattern.starts_with('/') => whole == names.join("/"),
        bare => bare == name,
    }
}

fn is_literal(text: &str) -> bool {
    !text.contains(['*', '?', '[', '\\', '"', '/'])
}
