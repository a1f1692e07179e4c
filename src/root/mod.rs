//! The folder that artifacts must lie in, and the only place where the library touches the disk.
//!
//! On Linux the kernel itself resolves every path beneath the folder (`openat2`), so that neither
//! `..` nor a symbolic link nor a swap while looking leads outside. Elsewhere, and where the kernel
//! lacks the call, paths are resolved first and compared with the folder's own resolved path.

#[cfg(all(test, target_os = "linux"))]
mod agreement;
#[cfg(target_os = "linux")]
mod beneath;
mod files;
#[cfg(target_os = "linux")]
mod folders;
#[cfg(target_os = "linux")]
mod memory;
mod resolved;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use files::Files;

/// A folder that could not be made the root.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {} as the root", crate::escape::path(path))]
pub struct RootError {
    path: PathBuf,
    source: io::Error,
}

/// The folder that artifact paths are relative to and must not leave.
#[derive(Debug)]
pub struct Root {
    /// As given, made absolute without following links, and with every link followed.
    places: [PathBuf; 2],
    #[cfg(target_os = "linux")]
    beneath: Option<beneath::Beneath>,
    resolved: resolved::Resolved,
    /// Files that were found, and those that were looked into and are not blank.
    known: Option<[Files; 2]>,
}

/// What stands at a path below the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A file with content that can be read.
    File {
        /// Its size in bytes, more than 0.
        bytes: u64,
        /// Whether it was looked into and holds only white space.
        blank: bool,
    },
    /// A file of 0 bytes.
    Empty,
    /// Nothing.
    Nothing,
    /// Something that is no regular file; its name for a message.
    NotAFile(&'static str),
    /// The path leads out of the root.
    Outside,
    /// Something that may not be read.
    Unreadable,
}

/// A regular file, before its content is looked at.
struct Entry {
    bytes: u64,
    /// The path without links by which it was found, where it was not the one asked for.
    resolved: Option<PathBuf>,
}

/// How a file is opened to be read. It was a regular one a moment ago; should it be something else
/// by now, opening does not wait for a writer.
#[cfg(unix)]
const TO_READ: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY
    .union(rustix::fs::OFlags::NONBLOCK)
    .union(rustix::fs::OFlags::NOCTTY);

/// Bytes of a file that are looked at for something else than white space.
const BLANK_AT_MOST: u64 = 64 * 1024;

impl Root {
    /// Opens a folder as the root.
    ///
    /// # Errors
    ///
    /// If there is no such folder or it may not be entered.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RootError> {
        let path = path.as_ref();
        Self::try_open(path).map_err(|source| RootError {
            path: path.to_owned(),
            source,
        })
    }

    fn try_open(path: &Path) -> io::Result<Self> {
        let resolved = path.canonicalize()?;
        if !resolved.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self {
            places: [std::path::absolute(path)?, resolved.clone()],
            #[cfg(target_os = "linux")]
            beneath: beneath::Beneath::open(&resolved)?,
            resolved: resolved::Resolved::new(resolved),
            known: None,
        })
    }

    /// Remembers the files that were found and the folders they are in, for as long as the root
    /// lives: a file that many returns claim is looked at once, and found where its folder was when
    /// it was first entered. What was not there is looked for each time.
    #[must_use]
    pub fn remembering(mut self) -> Self {
        self.known = Some([Files::new(), Files::new()]);
        #[cfg(target_os = "linux")]
        if let Some(beneath) = &mut self.beneath {
            beneath.remember_folders();
        }
        self
    }

    /// The part of an absolute path that is below the root: by its text, else by where its links
    /// lead.
    #[must_use]
    pub fn below(&self, absolute: &Path) -> Option<PathBuf> {
        let by_text = self
            .places
            .iter()
            .find_map(|root| absolute.strip_prefix(root).ok());
        let relative = by_text
            .map(Path::to_owned)
            .or_else(|| self.resolved.below(absolute))?;
        Some(if relative.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            relative
        })
    }

    /// Looks at a path relative to the root. With `content`, a file's first bytes are read to
    /// tell a blank one.
    #[must_use]
    pub fn look(&self, relative: &Path, content: bool) -> Found {
        let Some(known) = &self.known else {
            return self.look_anew(relative, content);
        };
        let files = &known[usize::from(content)];
        let key = files.key(relative.as_os_str().as_encoded_bytes());
        if let Some(bytes) = files.recall(key) {
            return Found::File {
                bytes,
                blank: false,
            };
        }
        let found = self.look_anew(relative, content);
        // What is missing may be written yet, by an agent that was told so.
        if let Found::File {
            bytes,
            blank: false,
        } = found
        {
            files.note(key, bytes);
        }
        found
    }

    fn look_anew(&self, relative: &Path, content: bool) -> Found {
        #[cfg(target_os = "linux")]
        if let Some(beneath) = &self.beneath
            && let Some(found) = beneath.file_in_folder(relative, content)
        {
            return found;
        }
        let entry = match self.entry(relative) {
            Ok(Entry { bytes: 0, .. }) => return Found::Empty,
            Ok(entry) => entry,
            Err(found) => return found,
        };
        match self.open_file(relative, &entry) {
            Ok(file) => Found::File {
                bytes: entry.bytes,
                blank: content && is_blank(file),
            },
            Err(_) => Found::Unreadable,
        }
    }

    /// Reads a whole file below the root, or its first `most` bytes and one more.
    ///
    /// # Errors
    ///
    /// What stands there instead of a regular file that can be read.
    pub fn read(&self, relative: &Path, most: u64) -> Result<Vec<u8>, Found> {
        let entry = self.entry(relative)?;
        let mut bytes = Vec::new();
        let file = self
            .open_file(relative, &entry)
            .map_err(|_| Found::Unreadable)?;
        file.take(most.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|_| Found::Unreadable)?;
        Ok(bytes)
    }

    fn entry(&self, relative: &Path) -> Result<Entry, Found> {
        match self.entry_there(relative) {
            // Where nothing is, the text alone tells where it would lead.
            Err(Found::Nothing) if resolved::climbs_out(relative) => Err(Found::Outside),
            entry => entry,
        }
    }

    fn entry_there(&self, relative: &Path) -> Result<Entry, Found> {
        #[cfg(target_os = "linux")]
        if let Some(beneath) = &self.beneath {
            let found = beneath.entry(relative);
            if !matches!(found, Err(Found::Outside)) {
                return found;
            }
            // The kernel refuses every absolute link. One that leads back inside is no escape: the
            // way that it leads is asked for instead, beneath the root again.
            let mut way = self.resolved.way(relative)?;
            if way.as_os_str().is_empty() {
                way.push(".");
            }
            let entry = beneath.entry(&way)?;
            return Ok(Entry {
                resolved: Some(way),
                ..entry
            });
        }
        self.resolved.entry(relative)
    }

    /// Opens a file to read that was a regular one a moment ago.
    fn open_file(&self, relative: &Path, entry: &Entry) -> io::Result<File> {
        #[cfg(target_os = "linux")]
        if let Some(beneath) = &self.beneath {
            return beneath.open_file(entry.resolved.as_deref().unwrap_or(relative));
        }
        resolved::open_file(entry.resolved.as_deref().unwrap_or(relative))
    }
}

/// Whether a file holds only white space; a longer stretch of it than anyone writes by accident,
/// or one that cannot be read through, does not count.
fn is_blank(file: impl Read) -> bool {
    let mut file = file.take(BLANK_AT_MOST);
    let mut part = [0; 64];
    loop {
        match file.read(&mut part) {
            Ok(0) => return file.limit() > 0,
            Ok(read) if part[..read].iter().all(u8::is_ascii_whitespace) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Every way to look, each of which must give the same verdict.
    pub(super) fn roots(path: &Path) -> Vec<Root> {
        let by_the_kernel = Root::open(path).expect("the root opens");
        #[cfg(target_os = "linux")]
        {
            assert!(by_the_kernel.beneath.is_some(), "this kernel lacks openat2");
            let by_resolving = Root {
                beneath: None,
                ..Root::open(path).expect("the root opens")
            };
            let by_folder = Root::open(path).expect("the root opens").remembering();
            vec![by_the_kernel, by_resolving, by_folder]
        }
        #[cfg(not(target_os = "linux"))]
        vec![by_the_kernel]
    }

    #[track_caller]
    pub(super) fn finds(root: &Path, path: &str, expected: Found) {
        for (way, root) in roots(root).iter().enumerate() {
            assert_eq!(
                root.look(Path::new(path), true),
                expected,
                "{path}, way {way}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn each_sort_of_entry_has_its_verdict() {
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
        let fifo = std::process::Command::new("mkfifo")
            .arg(root.join("pipe"))
            .status();
        assert!(fifo.expect("mkfifo runs").success());
        let _socket = UnixListener::bind(root.join("socket")).expect("a socket");

        let file = |bytes| Found::File {
            bytes,
            blank: false,
        };
        finds(&root, "full.md", file(4));
        finds(&root, "./full.md", file(4));
        finds(&root, "in/../full.md", file(4));
        finds(&root, "link.md", file(4));
        finds(
            &root,
            "blank.md",
            Found::File {
                bytes: 600,
                blank: true,
            },
        );
        let (most, more) = (file(BLANK_AT_MOST), BLANK_AT_MOST - 1);
        make("spaces.md", &" ".repeat(64 * 1024));
        make("fewer.md", &" ".repeat(64 * 1024 - 1));
        finds(&root, "spaces.md", most);
        finds(
            &root,
            "fewer.md",
            Found::File {
                bytes: more,
                blank: true,
            },
        );
        finds(Path::new("/dev"), "null", Found::NotAFile("a device"));
        finds(&root, "absolute.md", file(4));
        finds(&root, "empty.md", Found::Empty);
        finds(&root, "gone.md", Found::Nothing);
        finds(&root, "dangling", Found::Nothing);
        finds(&root, "round", Found::Nothing);
        finds(&root, "full.md/below", Found::Nothing);
        finds(&root, &"long/".repeat(1_000), Found::Nothing);
        finds(&root, "in/side", Found::NotAFile("a folder"));
        finds(&root, ".", Found::NotAFile("a folder"));
        finds(&root, "pipe", Found::NotAFile("a FIFO"));
        finds(&root, "socket", Found::NotAFile("a socket"));
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
        let file = Found::File {
            bytes: 4,
            blank: false,
        };
        finds(folder.path(), &link(40), file);
        finds(folder.path(), &link(41), Found::Nothing);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_changes_while_a_run_goes_on_hides_nothing_and_reveals_nothing() {
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
        let look = |path: &str| remembering.look(Path::new(path), true);
        let file = Found::File {
            bytes: 4,
            blank: false,
        };
        assert_eq!(look("in/seen.md"), file);
        assert_eq!(look("in/late.md"), Found::Nothing);
        fs::rename(&in_root, root.join("old")).expect("it moves");
        std::os::unix::fs::symlink(&away, &in_root).expect("a link");
        assert_eq!(look("in/secret.md"), Found::Outside);
        #[cfg(target_os = "linux")]
        assert_eq!(look("in/other.md"), file, "where it was first entered");
        fs::remove_file(&in_root).expect("it goes");
        fs::create_dir(&in_root).expect("a folder");
        fs::write(in_root.join("late.md"), "text").expect("a file");
        assert_eq!(look("in/late.md"), file);
    }

    #[test]
    fn a_read_that_is_interrupted_goes_on_and_one_that_fails_shows_nothing_blank() {
        /// White space, once the errors are over.
        struct Failing(Vec<io::ErrorKind>, &'static [u8]);
        impl Read for Failing {
            fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
                match self.0.pop() {
                    Some(kind) => Err(kind.into()),
                    None => self.1.read(part),
                }
            }
        }
        let after = |kind| is_blank(Failing(vec![kind], b" \n"));
        assert!(after(io::ErrorKind::Interrupted));
        assert!(!after(io::ErrorKind::PermissionDenied));
        assert!(!is_blank(Failing(vec![], b" \n text")));
    }

    #[test]
    fn what_nobody_asked_to_look_into_is_not_called_blank() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("blank.md"), "  \n").expect("a file");
        for root in roots(folder.path()) {
            for (content, blank) in [(false, false), (true, true), (false, false)] {
                let found = root.look(Path::new("blank.md"), content);
                assert_eq!(found, Found::File { bytes: 3, blank });
            }
        }
    }

    #[test]
    fn a_file_that_was_found_is_not_looked_at_again_and_a_missing_one_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = Root::open(folder.path()).expect("it opens").remembering();
        let path = folder.path().join("plan.md");
        let look = || root.look(Path::new("plan.md"), false);
        assert_eq!(look(), Found::Nothing);
        fs::write(&path, "text").expect("a file");
        let found = Found::File {
            bytes: 4,
            blank: false,
        };
        assert_eq!(look(), found);
        fs::remove_file(&path).expect("it goes");
        assert_eq!(look(), found);
    }

    #[test]
    fn a_read_ends_one_byte_after_the_most() {
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
    fn an_absolute_path_is_below_by_its_text_or_by_where_it_leads() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().canonicalize().expect("it is there");
        fs::create_dir(place.join("root")).expect("a folder");
        fs::write(place.join("root/a.md"), "text").expect("a file");
        std::os::unix::fs::symlink("root", place.join("alias")).expect("a link");
        let root = Root::open(place.join("root")).expect("it opens");
        let below = |path: &str| root.below(&place.join(path));
        assert_eq!(below("root"), Some(PathBuf::from(".")));
        assert_eq!(below("root/gone.md"), Some(PathBuf::from("gone.md")));
        assert_eq!(below("alias/a.md"), Some(PathBuf::from("a.md")));
        assert_eq!(below("alias"), Some(PathBuf::from(".")));
        assert_eq!(below("alias/gone.md"), Some(PathBuf::from("gone.md")));
        assert_eq!(below(""), None);
    }

    #[test]
    fn a_root_that_is_no_folder_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("file\u{1b}");
        fs::write(&file, "").expect("a file");
        let error = Root::open(&file)
            .expect_err("a file is no root")
            .to_string();
        assert!(error.contains("file\\u{1b} as the root"), "{error}");
        assert!(Root::open(folder.path().join("gone")).is_err());
    }
}
