//! The folders that are created for a settings file.

use std::fs;

use crate::{in_repo, said, world};

#[test]
fn folders_are_removed_with_the_file_only_if_install_created_them() {
    let world = world();
    let folder = in_repo(&world, ".claude");
    fs::create_dir_all(&folder).expect("a folder");
    said(&world, "install claude-code");
    said(&world, "uninstall claude-code");
    assert!(folder.is_dir(), "it was there before");
    fs::remove_dir(&folder).expect("it is empty");
    for options in ["", "--user"] {
        let home = world.path("home/.claude");
        said(&world, &format!("install claude-code {options}"));
        assert!(folder.is_dir() || home.is_dir());
        said(&world, &format!("install claude-code --observe {options}"));
        said(&world, &format!("uninstall claude-code {options}"));
        assert!(!folder.exists() && !home.exists(), "{options}");
    }
    said(&world, "install copilot");
    world.write("home/repo/.github/CODEOWNERS", "");
    said(&world, "uninstall copilot");
    assert!(in_repo(&world, ".github/CODEOWNERS").exists());
    assert!(!in_repo(&world, ".github/hooks").exists());
}
