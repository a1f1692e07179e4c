use std::fs::{self, File};
use std::path::Path;

use crate::output::place::is_at;
use crate::output::replace;
use crate::output::temp_name::usual;

/// The names in a folder after its file `log` was replaced.
fn replaced(folder: &Path) -> Vec<String> {
    replace(&folder.join("log"), b"new", None).expect("it is replaced");
    let text = fs::read_to_string(folder.join("log")).expect("a file");
    assert_eq!(text, "new");
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn what_was_left_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = usual(&folder.path().join("log"));
    fs::write(&name, "half").expect("a file");
    fs::write(folder.path().join(".retval-other"), "").expect("a file");
    assert_eq!(replaced(folder.path()), [".retval-other", "log"]);
}

#[test]
fn what_is_in_use_or_no_file_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = usual(&folder.path().join("log"));
    let used = File::create(&name).expect("a file");
    used.lock().expect("a lock");
    assert_eq!(replaced(folder.path()).len(), 2);
    assert!(is_at(&used, &name).expect("it is there"));
    fs::remove_file(&name).expect("it is there");
    std::os::unix::fs::symlink("log", &name).expect("a link");
    assert_eq!(replaced(folder.path()).len(), 2);
    assert!(name.is_symlink());
}
