//! Finds the file that was probably meant, if a claimed one does not exist: one of the same name, apart
//! from case, in the same folder or in the one above it.

use std::path::Path;

use crate::root::{Found, Root};

/// The most entries of a folder that are read.
const ENTRIES: usize = 1_000;

impl Root {
    /// The path of the file that was probably meant by that of a missing one. None if there is none, or
    /// if there are several in a folder.
    pub(crate) fn near(&self, missing: &str) -> Option<String> {
        let (folder, name) = split(missing);
        let above = folder.strip_suffix('/').map(|folder| split(folder).0);
        let mut folders = [Some(folder), above].into_iter().flatten();
        folders.find_map(|folder| self.named_like(folder, name))
    }

    /// The only file in a folder whose name is this one, apart from case. It is looked up like any other,
    /// so it is below the root.
    fn named_like(&self, folder: &str, name: &str) -> Option<String> {
        let [root, place] = ["", folder].map(|it| self.place.join(it).canonicalize().ok());
        let place = place.filter(|place| root.is_some_and(|root| place.starts_with(root)))?;
        let entries = place.read_dir().ok()?.take(ENTRIES).flatten();
        // The type is that of the entry itself: a link is not suggested.
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|it| it.is_file()));
        let names = files.filter_map(|entry| entry.file_name().into_string().ok());
        let mut found = names.filter(|other| other.to_lowercase() == name.to_lowercase());
        let near = found.next().filter(|_| found.next().is_none())?;
        let path = format!("{folder}{near}");
        let there = self.stat(Path::new(&path), false);
        matches!(there, Found::File { .. } | Found::Empty).then_some(path)
    }
}

/// The folder with its slash, and the name.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |slash| slash + 1))
}
