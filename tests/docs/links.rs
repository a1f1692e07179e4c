//! The targets of links and paths exist.

use std::path::{Path, PathBuf};

use crate::{CONTRIBUTING, documents, read, root};

/// The targets of the links in a text, code left out.
fn links(source: &str) -> Vec<&str> {
    let parts = source.split("](").skip(1);
    let targets = parts.filter_map(|part| Some(part.split_once(')')?.0));
    targets.filter(|target| !target.contains("://")).collect()
}

/// What a forge calls the headings of a document.
fn anchors(source: &str) -> Vec<String> {
    let headings = source.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut found = 0;
    for document in documents() {
        let source = read(&document);
        let folder = root().join(&document);
        let folder = folder.parent().expect("a folder");
        for link in links(&source) {
            found += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target: PathBuf = match path {
                "" => root().join(&document),
                path => folder.join(path),
            };
            assert!(target.exists(), "{document}: {link}");
            if !anchor.is_empty() {
                let target = std::fs::read_to_string(&target).expect("a page");
                let anchors = anchors(&target);
                assert!(
                    anchors.iter().any(|known| known == anchor),
                    "{document}: {link} is none of {anchors:?}"
                );
            }
        }
    }
    assert!(found > 20, "{found}");
}

/// Where paths of the project begin.
const FOLDERS: [&str; 8] =
    ["src/", "tests/", "fixtures/", "benches/", "fuzz/", ".ci/", ".github/workflows/", ".dist/"];

/// The paths of the project that a text names as code.
fn paths(source: &str) -> Vec<&str> {
    let code = source.lines().flat_map(|line| line.split('`').skip(1).step_by(2));
    let paths = code.filter(|code| FOLDERS.iter().any(|folder| code.starts_with(folder)));
    paths.collect()
}

#[test]
fn paths_that_are_named_exist() {
    for document in documents() {
        for path in paths(&read(&document)) {
            // The arguments of a script may follow.
            let path = path.split_whitespace().next().unwrap_or_default();
            assert!(root().join(path).exists(), "{document}: {path}");
        }
    }
}

#[test]
fn every_recipe_names_files() {
    let page = read(CONTRIBUTING);
    let recipes: Vec<_> = page.split("\n## Add ").skip(1).collect();
    assert_eq!(recipes.len(), 6);
    for recipe in recipes {
        let (recipe, _) = recipe.split_once("\n## ").unwrap_or((recipe, ""));
        let files = paths(recipe).into_iter().filter(|path| is_file(path));
        assert!(files.count() >= 2, "{recipe}");
    }
}

#[test]
fn the_tree_shows_folders_that_exist() {
    let page = read(CONTRIBUTING);
    let (_, tree) = page.split_once("```text\n").expect("a tree");
    let (tree, _) = tree.split_once("```").expect("an end");
    for line in tree.lines() {
        let above = if line.starts_with(' ') { "src/" } else { "" };
        let names = line.trim_start().split("  ").next().unwrap_or_default();
        for name in names.split(", ") {
            let path = format!("{above}{name}");
            assert!(root().join(&path).is_dir(), "{path}");
        }
    }
    assert!(tree.lines().count() >= 10);
}

fn is_file(path: &str) -> bool {
    Path::new(path).extension().is_some() && root().join(path).is_file()
}
