//! The files that a report in prose names, and that are not there.

use std::path::Path;

use crate::clients::run::{Call, ReadFiles, is_code};
use crate::document::outside_code;
use crate::evidence::subject::Subject;
use crate::profile::paths::{code_span, link, split_lines};
use crate::root::Root;

/// The most files that are looked for.
const LOOKED_FOR_AT_MOST: usize = 256;

/// Folders whose files nobody's report is about.
const PASSED_OVER: &[&str] = &[".git", "node_modules"];

/// File extensions besides those of code.
const DOCUMENTS: &str = "adoc cfg conf css csv html ini ipynb json jsonl jsx lock md pdf png proto rst \
                         scss svg tf toml tsv txt xml yaml yml";

impl Subject<'_> {
    /// The files that a report names, and that are nowhere below the root, unless the record shows that they were
    /// written or may show that they were removed.
    pub(super) fn not_there(&self, root: &Root, message: &str) -> Vec<String> {
        let base = self.evidence.base.as_ref();
        let repository = base.and_then(|it| it.repository.as_ref().ok());
        // In a part of a repository, a path may be meant from its top.
        let is_part = repository.is_some_and(|it| !it.is_at_top());
        let mut missing: Vec<String> = Vec::new();
        if is_part || message.trim_start().starts_with(['{', '[']) {
            return missing;
        }
        for path in named_files(message) {
            let below = match Path::new(path) {
                it if it.is_absolute() => root.below(it),
                it => Some(it.to_owned()),
            };
            let below = below.as_deref().and_then(Path::to_str).unwrap_or_default();
            let below = below.trim_start_matches("./").trim_end_matches('/');
            let is_new = is_file_name(below) && missing.iter().all(|it| it != below);
            if is_new && !root.has(below) && !self.is_explained(root, below) {
                missing.push(below.to_owned());
            }
        }
        if missing.is_empty() {
            return missing;
        }
        // It may be named from another folder.
        let Some(files) = root.files_below(Path::new("."), PASSED_OVER) else {
            return Vec::new();
        };
        let files: Vec<_> = files.iter().map(|it| it.to_lowercase()).collect();
        missing.retain(|path| {
            let path = path.to_lowercase();
            // It may begin with a mark of a diff, or with the name of the root.
            let rest = path.split_once('/').map_or(&*path, |(_, rest)| rest);
            !files.iter().any(|file| {
                let folder = file.strip_suffix(&*path);
                file == rest || folder.is_some_and(|it| it.is_empty() || it.ends_with('/'))
            })
        });
        missing
    }

    /// Whether the record shows that a file was there, or that it may have been removed since.
    fn is_explained(&self, root: &Root, path: &str) -> bool {
        let file = self.file(root, path);
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_it = |it: &str| Path::new(it).ends_with(path);
        let shows = |call: &Call| {
            call.paths.iter().any(|it| is_it(it))
                || matches!(&call.reads, ReadFiles::File(it) if is_it(it))
                // What a command does with it need not be known.
                || call.command.as_ref().is_some_and(|it| it.contains(name))
        };
        let writes = self.writes(&file);
        let mut trees = self.evidence.work_trees.iter();
        writes.of_file(&file).wrote.is_some()
            || writes.may_undo(&file)
            || self.run_calls().any(shows)
            || trees.any(|tree| tree.join(path).exists())
    }
}

/// Whether a path is certainly meant to be one of a file below the root: it leads into a folder, and its last part has
/// a known extension. Hidden files are seldom those of a project, and a name alone may be anywhere.
fn is_file_name(path: &str) -> bool {
    let (folder, _) = path.split_once('/').unwrap_or_default();
    let (_, ending) = path.rsplit_once('.').unwrap_or_default();
    let is_known = is_code(path) || DOCUMENTS.split(' ').any(|it| it == ending);
    let is_hidden = path.split('/').any(|part| part.starts_with('.'));
    // Otherwise it is the name of a site.
    is_known && !is_hidden && !folder.is_empty() && !folder.contains('.')
}

/// What code spans, targets of links and items of lists name, outside of fenced code.
fn named_files(message: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in outside_code(message).into_iter().flat_map(str::lines) {
        let line = line.trim_start();
        let number = line.trim_start_matches(|it: char| it.is_ascii_digit());
        let numbered = number.strip_prefix('.').filter(|_| number != line);
        let item = line.strip_prefix(['-', '*']).or(numbered);
        let item = item.and_then(|it| it.strip_prefix(' ')?.split_whitespace().next());
        let word = item.map(|it| it.trim_matches(['*', '_', ':', ',', ';', '(', ')']));
        found.extend(word.filter(|it| it.contains('/')));
        let mut rest = line;
        while let Some(at) = rest.find(['`', '[']) {
            rest = &rest[at..];
            let marked = code_span(rest).or_else(|| link(rest));
            found.extend(marked.map(|(inside, _)| inside.split('#').next().unwrap_or(inside)));
            rest = marked.map_or(&rest[1..], |(_, rest)| rest);
        }
        if found.len() > LOOKED_FOR_AT_MOST {
            break;
        }
    }
    let is_path = |it: &&str| {
        let strange = |it: char| !it.is_alphanumeric() && !"/._-+@".contains(it);
        let is_odd = it.contains("..") || it.contains("//") || it.contains("path/to/");
        !it.is_empty() && !it.starts_with(['-', '~']) && !it.contains(strange) && !is_odd
    };
    let paths = found.into_iter().map(|it| split_lines(it).0);
    paths.filter(is_path).take(LOOKED_FOR_AT_MOST).collect()
}
