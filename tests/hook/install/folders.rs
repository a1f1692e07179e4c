//! The folders that are created for a settings file.

use super::{in_repo, said, world};

#[test]
fn folders_are_removed_with_the_file_if_they_are_empty() {
    let world = world();
    let folder = in_repo(&world, ".claude");
    for options in ["", "--user"] {
        let home = world.path("home/.claude/settings.json");
        said(&world, &format!("install claude-code {options}"));
        assert!(folder.is_dir() || home.is_file());
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
