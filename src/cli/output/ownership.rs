//! Who owns a file that replaces another, and who may read and write it.

use std::fs::{File, Metadata};
use std::io;

/// What to do if a new file can get neither the owner nor the group of the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owners {
    /// The new file belongs to the user of this process.
    AsFarAsPossible,
    /// The old file stays: users who share it would be locked out.
    OneAtLeast,
}

/// Gives a new file the owner, the group and the permissions of the one that it replaces, each as far
/// as the system allows it. No user gets rights that the old file did not give.
#[cfg(unix)]
pub(super) fn keep(file: &File, old: &Metadata, owners: Owners) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt, fchown};
    let new = file.metadata()?;
    // Each on its own: a user may give a file to a group, but not to another user.
    let has_group = new.gid() == old.gid() || fchown(file, None, Some(old.gid())).is_ok();
    let has_owner = new.uid() == old.uid() || fchown(file, Some(old.uid()), None).is_ok();
    if owners == Owners::OneAtLeast && !has_group && !has_owner {
        return Err(io::Error::other(
            "this user can keep neither its owner nor its group: join its group, or use a log named *.jsonl, which is not replaced",
        ));
    }
    let mode = rights(old.mode(), has_owner, has_group);
    file.set_permissions(PermissionsExt::from_mode(mode))
}

// On other systems only the read-only flag can be kept.
#[cfg(not(unix))]
pub(super) fn keep(file: &File, old: &Metadata, _: Owners) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// The permissions of the new file. If the group could not be kept, users of the old group are now among
/// the others, and users of the new group were among the others before: so both get only what the group
/// and the others both had.
#[cfg(unix)]
fn rights(old: u32, has_owner: bool, has_group: bool) -> u32 {
    let mode = if has_owner && has_group {
        old & 0o7777
    } else {
        old & 0o777
    };
    if has_group {
        return mode;
    }
    let common = (mode >> 3) & mode & 0o7;
    mode & 0o700 | common << 3 | common
}
