//! The files that a patch names, in the form of `apply_patch`.

/// How the lines of a patch begin that name a file.
const MARKS: &[&str] = &[
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

/// The paths in a patch, as they stand there.
pub(super) fn paths(patch: &str) -> Vec<&str> {
    let named = |line| {
        let mut marks = MARKS.iter();
        marks.find_map(|mark| str::strip_prefix(line, mark))
    };
    patch.lines().filter_map(named).map(str::trim).collect()
}
