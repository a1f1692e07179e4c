use std::fs::File;
use std::io::{self, Read};

use crate::root::blank::{Sparse, is_blank};

/// A file without holes. Its first reads fail with these errors, the others return these parts.
struct Parts(Vec<io::ErrorKind>, Vec<&'static [u8]>);

impl Read for Parts {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        if let Some(kind) = self.0.pop() {
            return Err(kind.into());
        }
        if self.1.is_empty() {
            return Ok(0);
        }
        self.1.remove(0).read(part)
    }
}

impl Sparse for Parts {
    fn next_data(&mut self, at: u64) -> Option<u64> {
        Some(at)
    }
}

#[test]
fn a_read_that_is_interrupted_goes_on_and_one_that_fails_shows_nothing_blank() {
    let after = |kind| is_blank(Parts(vec![kind], vec![b" \n"]));
    assert!(after(io::ErrorKind::Interrupted));
    assert!(!after(io::ErrorKind::PermissionDenied));
    assert!(!is_blank(Parts(vec![], vec![b" \n text"])));
}

#[test]
fn characters_may_be_split_between_reads() {
    let bytes = "\u{3000}\u{e0041}\u{200b}".as_bytes();
    for at in 0..=bytes.len() {
        let parts = || vec![&bytes[..at], &bytes[at..]];
        let parts = || parts().into_iter().filter(|part| !part.is_empty());
        assert!(is_blank(Parts(vec![], parts().collect())), "{at}");
        let visible = parts().chain([&b"x"[..]]).collect();
        assert!(!is_blank(Parts(vec![], visible)), "{at}");
    }
    assert!(!is_blank(Parts(vec![], vec![&bytes[..2]])), "cut off");
    assert!(!is_blank(Parts(vec![], vec![b"\xff"])), "not UTF-8");
}

#[test]
fn only_the_first_part_of_a_file_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    for (length, blank) in [(60 * 1024, true), (1024 * 1024, false)] {
        let path = folder.path().join("blank.md");
        std::fs::write(&path, vec![b' '; length]).expect("a file");
        assert_eq!(is_blank(File::open(&path).expect("it opens")), blank);
    }
}

// Other systems read holes, which takes long if they are large.
#[cfg(target_os = "linux")]
mod holes {
    use std::path::Path;

    use super::*;
    use crate::root::Found;
    use crate::root::tests::roots;

    /// A sparse file with data at the given places.
    fn sparse(path: &Path, length: u64, data: &[(u64, &[u8])]) {
        use std::io::{Seek as _, SeekFrom, Write as _};
        let mut file = File::create(path).expect("a file");
        file.set_len(length).expect("room");
        for (at, bytes) in data {
            file.seek(SeekFrom::Start(*at)).expect("a place");
            file.write_all(bytes).expect("room");
        }
    }

    #[test]
    fn holes_are_passed_over_whatever_their_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let most = 1 << 36;
        for (name, data, blank) in [
            ("hole.md", &[][..], true),
            ("end.md", &[(most - 1, &b"\n"[..])][..], true),
            ("text.md", &[(most / 2, &b"text"[..])][..], false),
            ("cut.md", &[(4094, &b"\xe3\x80"[..])][..], false),
        ] {
            sparse(&folder.path().join(name), most, data);
            for root in roots(folder.path()) {
                let found = root.stat(Path::new(name), true);
                assert_eq!(found, Found::File { bytes: most, blank }, "{name}");
            }
        }
    }
}
