//! The results of each kind of lookup.

// Only Linux has more than one way to walk a path. The tests in `unix` below create links.
#[cfg(target_os = "linux")]
mod agreement;
#[cfg(target_os = "linux")]
mod bounds;

use std::fs;

use super::*;

/// Returns a root for each kind of lookup. All must give the same result.
pub(super) fn roots(path: &Path) -> Vec<Root> {
    let by_the_kernel = Root::open(path).expect("the root opens");
    #[cfg(target_os = "linux")]
    {
        assert!(by_the_kernel.kernel.is_some(), "this kernel lacks openat2");
        let open = || Root::open(path).expect("the root opens");
        let remembering = open().remembering();
        let by_path = Root { kernel: None, ..open() };
        vec![by_the_kernel, remembering, by_path]
    }
    #[cfg(not(target_os = "linux"))]
    vec![by_the_kernel]
}

#[track_caller]
pub(super) fn finds(root: &Path, path: &str, expected: Found) {
    for (way, root) in roots(root).iter().enumerate() {
        assert_eq!(root.stat(Path::new(path), true), expected, "{path}, way {way}");
    }
}

#[cfg(unix)]
#[test]
fn each_kind_of_file_has_its_finding() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("root");
    let make = |path: &str, text: &str| fs::write(root.join(path), text).expect("a file");
    fs::create_dir_all(root.join("in/side")).expect("folders");
    make("full.md", "text");
    make("in/deep.md", "text");
    make("empty.md", "");
    make("blank.md", &" \n".repeat(300));
    fs::write(folder.path().join("secret.md"), "text").expect("a file");
    symlink("full.md", root.join("link.md")).expect("a link");
    symlink("../secret.md", root.join("out.md")).expect("a link");
    symlink(folder.path(), root.join("away")).expect("a link");
    symlink("round", root.join("round")).expect("a link");
    let inside = root.canonicalize().expect("it is there").join("full.md");
    symlink(inside, root.join("absolute.md")).expect("a link");
    symlink("gone", root.join("dangling")).expect("a link");
    let fifo = std::process::Command::new("mkfifo").arg(root.join("pipe")).status();
    assert!(fifo.expect("mkfifo runs").success());
    let _socket = UnixListener::bind(root.join("socket")).expect("a socket");

    let file = |bytes| Found::File { bytes, blank: false };
    finds(&root, "full.md", file(4));
    finds(&root, "./full.md", file(4));
    finds(&root, "in/../full.md", file(4));
    finds(&root, "link.md", file(4));
    finds(&root, "blank.md", Found::File { bytes: 600, blank: true });
    finds(Path::new("/dev"), "null", Found::NotAFile("no regular file"));
    finds(&root, "absolute.md", file(4));
    finds(&root, "empty.md", Found::Empty);
    finds(&root, "gone.md", Found::Nothing);
    finds(&root, "dangling", Found::Nothing);
    finds(&root, "round", Found::Nothing);
    finds(&root, "full.md/below", Found::Nothing);
    finds(&root, &"long/".repeat(1_000), Found::Nothing);
    finds(&root, "in/side", Found::NotAFile("a folder"));
    finds(&root, ".", Found::NotAFile("a folder"));
    finds(&root, "pipe", Found::NotAFile("no regular file"));
    finds(&root, "socket", Found::NotAFile("no regular file"));
    finds(&root, "../secret.md", Found::Outside);
    finds(&root, "in/../../secret.md", Found::Outside);
    finds(&root, "gone/../../secret.md", Found::Outside);
    finds(&root, "gone/../full.md", Found::Nothing);
    finds(&root, "out.md", Found::Outside);
    finds(&root, "away/secret.md", Found::Outside);
}

#[cfg(unix)]
#[test]
fn forty_links_are_followed_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = |number: usize| format!("link-{number}");
    fs::write(folder.path().join(link(0)), "text").expect("a file");
    for number in 1..=41 {
        let place = folder.path().join(link(number));
        std::os::unix::fs::symlink(link(number - 1), place).expect("a link");
    }
    let file = Found::File { bytes: 4, blank: false };
    finds(folder.path(), &link(40), file);
    finds(folder.path(), &link(41), Found::Nothing);
}

#[cfg(unix)]
#[test]
fn a_folder_that_changes_during_a_run_neither_hides_nor_reveals_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let (root, away) = (folder.path().join("root"), folder.path().join("away"));
    let in_root = root.join("in");
    for place in [&in_root, &away] {
        fs::create_dir_all(place).expect("folders");
    }
    for name in ["seen.md", "other.md"] {
        fs::write(in_root.join(name), "text").expect("a file");
    }
    fs::write(away.join("secret.md"), "text").expect("a file");
    let remembering = Root::open(&root).expect("the root opens").remembering();
    let look = |path: &str| remembering.stat(Path::new(path), true);
    let file = Found::File { bytes: 4, blank: false };
    assert_eq!(look("in/seen.md"), file);
    assert_eq!(look("in/late.md"), Found::Nothing);
    fs::rename(&in_root, root.join("old")).expect("it moves");
    std::os::unix::fs::symlink(&away, &in_root).expect("a link");
    assert_eq!(look("in/secret.md"), Found::Outside);
    assert_eq!(look("in/other.md"), Found::Outside);
    assert_eq!(look("in/seen.md"), file, "it was there");
    fs::remove_file(&in_root).expect("it goes");
    fs::create_dir(&in_root).expect("a folder");
    fs::write(in_root.join("late.md"), "text").expect("a file");
    assert_eq!(look("in/late.md"), file);
}

#[test]
fn a_file_that_was_not_read_is_not_called_blank() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("blank.md"), "  \n").expect("a file");
    for root in roots(folder.path()) {
        for (content, blank) in [(false, false), (true, true), (false, false)] {
            let found = root.stat(Path::new("blank.md"), content);
            assert_eq!(found, Found::File { bytes: 3, blank });
        }
    }
}

#[test]
fn found_files_are_cached_and_missing_files_are_looked_up_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Root::open(folder.path()).expect("it opens").remembering();
    let path = folder.path().join("plan.md");
    let look = || root.stat(Path::new("plan.md"), false);
    assert_eq!(look(), Found::Nothing);
    fs::write(&path, "text").expect("a file");
    let found = Found::File { bytes: 4, blank: false };
    assert_eq!(look(), found);
    fs::remove_file(&path).expect("it goes");
    assert_eq!(look(), found);
}

#[test]
fn a_bounded_read_ends_one_byte_after_its_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("ten"), "0123456789").expect("a file");
    for root in roots(folder.path()) {
        let read = |most| root.read(Path::new("ten"), most);
        assert_eq!(read(3), Ok(b"0123".to_vec()));
        assert_eq!(read(10), Ok(b"0123456789".to_vec()));
        assert_eq!(root.read(Path::new("gone"), 3), Err(Found::Nothing));
    }
}

#[cfg(unix)]
#[test]
fn an_absolute_path_is_inside_the_root_by_its_text_or_its_target() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().canonicalize().expect("it is there");
    fs::create_dir_all(place.join("root/in")).expect("a folder");
    fs::create_dir(place.join("beside")).expect("a folder");
    fs::write(place.join("root/a.md"), "text").expect("a file");
    symlink("root", place.join("alias")).expect("a link");
    symlink(place.join("beside/../alias/./in/"), place.join("into")).expect("a link");
    symlink(&place, place.join("beside/whole")).expect("a link");
    symlink("round", place.join("round")).expect("a link");
    for root in roots(&place.join("root")) {
        let below = |path: &str| root.below(&place.join(path));
        let is_below =
            |path: &str, relative: &str| assert_eq!(below(path), Some(PathBuf::from(relative)));
        is_below("root", ".");
        is_below("root/gone.md", "gone.md");
        is_below("alias/a.md", "a.md");
        is_below("alias", ".");
        is_below("alias/", ".");
        is_below("alias/gone.md", "gone.md");
        is_below("into", "in");
        is_below("into/gone.md", "in/gone.md");
        is_below("beside/whole/beside/whole/alias/in/b.md", "in/b.md");
        for path in ["", "gone", "beside", "beside/whole", "beside/gone/a.md", "round", "round/a"] {
            assert_eq!(below(path), None, "{path}");
        }
        for there in ["alias", "gone"] {
            let up = format!("{there}/../alias/a.md");
            assert_eq!(below(&up), None, "{up}");
            is_below(&format!("{there}/.././root/in/../a.md"), "a.md");
        }
        assert_eq!(below("../a.md"), None);
        assert_eq!(below("root/../a.md"), None);
        is_below("root/../root/a.md", "a.md");
    }
}

#[test]
fn a_root_that_is_no_folder_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file\u{1b}");
    fs::write(&file, "").expect("a file");
    let error = Root::open(&file).expect_err("a file is no root").to_string();
    assert!(error.contains("file\\u{1b} as the root"), "{error}");
    assert!(Root::open(folder.path().join("gone")).is_err());
}

#[test]
fn a_path_leaves_the_root_if_it_goes_up_further_than_down() {
    for path in ["..", "../a", "a/../..", "./../a", "a/b/../../../a", "a/../../a"] {
        assert!(climbs_out(Path::new(path)), "{path}");
    }
    for path in ["", ".", "a", "a/..", "a/../b", "a/b/../..", "./a/../b"] {
        assert!(!climbs_out(Path::new(path)), "{path}");
    }
}

#[test]
fn a_file_is_blank_if_nothing_in_it_can_be_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let spaces = |count| vec![b' '; count];
    for (content, blank) in [
        (b" \n".to_vec(), true),
        ("\u{feff}\u{3000}\u{e0041}\u{200b}".into(), true),
        (spaces(60 * 1024), true),
        (spaces(1024 * 1024), false),
        ([spaces(100), b"x".to_vec()].concat(), false),
        ([spaces(62), "\u{3000}".into()].concat(), true),
        (b"\xff".to_vec(), false),
    ] {
        fs::write(folder.path().join("a.md"), &content).expect("a file");
        let bytes = content.len() as u64;
        for root in roots(folder.path()) {
            let found = root.stat(Path::new("a.md"), true);
            assert_eq!(found, Found::File { bytes, blank }, "{content:?}");
        }
    }
}
