//! Restores values that an earlier conversion kept, when a return is converted back.

use std::collections::HashSet;

use crate::convert::changes::Changes;
use crate::convert::raw::SourceMembers;
use crate::convert::source::SourceReturn;
use crate::json::pointer::Pointer;

const OF_ARTIFACTS: [&str; 3] = ["type", "path", "summary"];
const OF_ERRORS: [&str; 5] = ["type", "message", "code", "recoverable", "recommendation"];

/// Puts back members of the root, of artifacts and of errors that no profile has. `custom` are the
/// members of the source's root that no profile has.
pub(super) fn put_back<'t>(
    source: &mut SourceReturn<'t>,
    custom: &SourceMembers<'t>,
    changes: &mut Changes<'t>,
) {
    if !changes.is_reversible {
        return;
    }
    source.rest = source.metadata.take_root(custom, changes);
    let root = custom.0.iter().chain(&source.rest.0);
    let taken: HashSet<_> = root.map(|(key, _)| key.clone()).collect();
    for pointer in changes.earlier_pointers() {
        let Some((place, name)) = place(&pointer) else {
            continue;
        };
        let (at, members) = match place {
            KeptPlace::Root => {
                let is_free = !taken.contains(name.as_str()) && !changes.target_has(&name);
                (Pointer::root(), is_free.then_some(&mut source.rest))
            }
            KeptPlace::Artifact(index) => {
                let is_custom = !OF_ARTIFACTS.contains(&name.as_str());
                let artifact = source.artifacts.part(index).filter(|_| is_custom);
                let at = Pointer::root().key("artifacts").index(index);
                (at, artifact.map(|artifact| &mut artifact.rest))
            }
            KeptPlace::Error(index) => {
                let is_custom = !OF_ERRORS.contains(&name.as_str());
                let error = source.errors.part(index).filter(|_| is_custom);
                let at = Pointer::root().key("errors").index(index);
                (at, error.map(|error| &mut error.rest))
            }
        };
        if let Some(members) = members
            && let Some(value) = changes.put_back(&at.key(name.clone()))
        {
            members.0.push((name.into(), value));
        }
    }
}

/// An object that may have members no profile has.
enum KeptPlace {
    Root,
    Artifact(usize),
    Error(usize),
}

/// The object and the member that a pointer is for.
fn place(pointer: &str) -> Option<(KeptPlace, String)> {
    let steps: Vec<_> = pointer.strip_prefix('/')?.splitn(4, '/').collect();
    let (place, name) = match steps[..] {
        [name] => (KeptPlace::Root, name),
        ["artifacts", index, name] => (KeptPlace::Artifact(index.parse().ok()?), name),
        ["errors", index, name] => (KeptPlace::Error(index.parse().ok()?), name),
        _ => return None,
    };
    Some((place, name.replace("~1", "/").replace("~0", "~")))
}
