//! No two types of the library and the command have the same name, so that a search for a name finds one
//! type.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::root;

/// The name that a line declares a type by.
fn declared(line: &str) -> Option<&str> {
    let is_inner = line.starts_with(' ');
    let mut words = line.split([' ', '(', ')', '<', '{', ';', ':']);
    let keyword = words.find(|word| !matches!(*word, "" | "pub" | "crate" | "super"))?;
    // Types inside an item are associated types, whose names are the trait's.
    let is_type =
        matches!(keyword, "struct" | "enum" | "trait") || (keyword == "type" && !is_inner);
    // A macro declares types by other names than this.
    words.next().filter(|name| is_type && !name.starts_with('$'))
}

pub(crate) fn each_source(folder: &Path, found: &mut impl FnMut(PathBuf)) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            each_source(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found(path);
        }
    }
}

#[test]
fn every_type_has_a_name_of_its_own() {
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    each_source(&root().join("src"), &mut |path| {
        let text = fs::read_to_string(&path).expect("source");
        for name in text.lines().filter_map(declared) {
            places.entry(name.to_owned()).or_default().push(path.clone());
        }
    });
    assert!(places.contains_key("Checker"), "no types were found");
    places.retain(|_, paths| paths.len() > 1);
    assert!(places.is_empty(), "types that share a name: {places:#?}");
}
