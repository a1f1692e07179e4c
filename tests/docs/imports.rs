//! Modules do not import each other, neither directly nor through other modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::names::each_source;
use crate::root;

/// A module by the names on the way to it.
type ModulePath = Vec<String>;

/// Which modules a module names, among those of the same folder.
type Arrows = BTreeMap<ModulePath, BTreeSet<ModulePath>>;

#[test]
fn no_modules_import_each_other() {
    let arrows = arrows(&root().join("src"));
    assert!(arrows.len() > 40, "only {} imports", arrows.len());
    let circles = arrows.keys().filter_map(|start| circle(&arrows, start));
    let circles: Vec<_> = circles.map(|circle| circle.join(" -> ")).collect();
    assert!(circles.is_empty(), "imports lead back: {circles:#?}");
}

/// The arrows between modules that are in the same folder, for every folder.
fn arrows(folder: &Path) -> Arrows {
    let mut arrows = Arrows::new();
    each_source(folder, &mut |path| {
        let module = module_of(path.strip_prefix(folder).expect("a path below"));
        let is_test = module.iter().any(|name| name == "tests");
        if is_test {
            return;
        }
        let text = fs::read_to_string(&path).expect("source");
        for named in named_in(&text, &module) {
            let shared = module.iter().zip(&named).take_while(|(a, b)| a == b).count();
            if shared < module.len() && shared < named.len() {
                let own = module[..=shared].to_vec();
                arrows.entry(own).or_default().insert(named[..=shared].to_vec());
            }
        }
    });
    let known: BTreeSet<_> = arrows.keys().cloned().collect();
    for targets in arrows.values_mut() {
        targets.retain(|target| known.contains(target));
    }
    arrows
}

/// `a/b.rs` and `a/b/mod.rs` are the module `a::b`.
fn module_of(path: &Path) -> ModulePath {
    let path = path.with_extension("");
    let names = path.iter().map(|name| name.to_str().expect("UTF-8").to_owned());
    names.filter(|name| !matches!(name.as_str(), "mod" | "lib" | "main")).collect()
}

/// The paths that a source names, from the root of its crate on. Tests inside it do not count.
fn named_in(text: &str, module: &ModulePath) -> Vec<ModulePath> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code: String = code
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n")
        .collect();
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let is_inside = code[..at].ends_with(|before: char| before == ':' || is_word(before));
            if !is_inside {
                let mut rest = &code[at..];
                tree(&mut rest, Vec::new(), module, &mut found);
            }
        }
    }
    found
}

/// Reads a path with all that is in its braces.
fn tree(rest: &mut &str, mut path: ModulePath, module: &ModulePath, found: &mut Vec<ModulePath>) {
    loop {
        *rest = rest.trim_start();
        if let Some(inside) = rest.strip_prefix('{') {
            *rest = inside;
            while !rest.trim_start().starts_with('}') && !rest.is_empty() {
                tree(rest, path.clone(), module, found);
                *rest = rest.trim_start().trim_start_matches(',');
            }
            *rest = rest.trim_start().strip_prefix('}').unwrap_or("");
            return;
        }
        let length = rest.find(|next| !is_word(next)).unwrap_or(rest.len());
        let (name, after) = rest.split_at(length);
        *rest = after;
        match name {
            "crate" => path = Vec::new(),
            "super" if path.is_empty() => path = parent(module),
            "super" => drop(path.pop()),
            "" | "self" => {}
            name => path.push(name.to_owned()),
        }
        match rest.strip_prefix("::") {
            Some(below) => *rest = below,
            None => break,
        }
        if name.is_empty() {
            break;
        }
    }
    found.push(path);
    // `as` and another name.
    let end = rest.find([',', '}', ';', ')', '\n']).unwrap_or(rest.len());
    *rest = &rest[end..];
}

fn parent(module: &ModulePath) -> ModulePath {
    module[..module.len().saturating_sub(1)].to_vec()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The modules on a way from one back to itself.
fn circle(arrows: &Arrows, start: &ModulePath) -> Option<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut ways = vec![vec![start.clone()]];
    while let Some(way) = ways.pop() {
        for next in arrows.get(way.last()?).into_iter().flatten() {
            let mut way = way.clone();
            way.push(next.clone());
            if next == start {
                return Some(way.iter().map(|module| module.join("::")).collect());
            }
            if seen.insert(next.clone()) {
                ways.push(way);
            }
        }
    }
    None
}
