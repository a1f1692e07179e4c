//! Restores values that an earlier conversion kept, when a return is converted back.

use std::collections::HashSet;

use crate::convert::changes::Changes;
use crate::convert::metadata::take_root;
use crate::convert::raw::{Members, Part};
use crate::convert::source::{LISTS, SourceReturn};
use crate::json::pointer::Pointer;

/// Puts back members of the root, of artifacts and of errors that no profile has. `custom` are the
/// members of the source's root that no profile has.
pub(super) fn put_back<'t>(
    source: &mut SourceReturn<'t>,
    custom: &Members<'t>,
    changes: &mut Changes<'t>,
) {
    if !changes.is_reversible {
        return;
    }
    let SourceReturn { members, metadata } = source;
    members.0.extend(take_root(metadata, custom, changes).0);
    let root = custom.0.iter().chain(&members.0);
    let taken: HashSet<_> = root.map(|(key, _)| key.clone()).collect();
    for pointer in changes.earlier_pointers() {
        let Some(steps) = pointer.strip_prefix('/') else {
            continue;
        };
        let steps: Vec<_> = steps.splitn(4, '/').collect();
        let name = |step: &str| step.replace("~1", "/").replace("~0", "~");
        let (at, name, object) = match steps[..] {
            [step] => {
                let name = name(step);
                let is_free = !taken.contains(name.as_str()) && !changes.target_has(&name);
                (Pointer::root(), name, is_free.then_some(&mut *members))
            }
            [list, index, step] => {
                let known = LISTS.iter().find(|(key, _)| *key == list);
                let (Some((key, names)), Ok(index)) = (known, index.parse()) else {
                    continue;
                };
                let name = name(step);
                let object = match members.list(key).get_mut(index) {
                    Some(Part::Object(object)) => Some(object),
                    _ => None,
                };
                let object = object.filter(|_| !names.contains(&&*name));
                (Pointer::root().key(*key).index(index), name, object)
            }
            _ => continue,
        };
        if let Some(object) = object
            && let Some(value) = changes.put_back(&at.key(name.clone()))
        {
            object.0.push((name.into(), value));
        }
    }
}
