//! Step 6: the files that a return cites, or that its verdict is about, were read by the agent.

use std::borrow::Cow;
use std::path::Path;

use crate::check::returned::{ReadReturn, SeenFile};
use crate::check::rules::claimed_paths::PathTarget;
use crate::check::{Collector, Context, Location};
use crate::evidence::claims::cite::NO_FILE;
use crate::evidence::{Assessment, Subject};
use crate::root::Found;
use crate::rule::{Claimed, Level, Rule, Step};

pub(super) static UNREAD: Rule = Rule::of_own_profile(Step::Artifacts, "cite-unread")
    .at(Level::Warning)
    .claims(Claimed::Work, "the agent read the file")
    .says("File was not read by the agent: {path} ({why})")
    .advises("Open the file, or leave it out");

/// Whether the agent has read the files that it cites, or that its verdict is about.
pub(super) fn check<'v>(
    collector: &mut Collector<'v, '_>,
    returned: &ReadReturn<'v, '_>,
    subject: &Subject<'_>,
) {
    let is_asked = !returned.seen.is_empty() && subject.has_transcript();
    if !is_asked || !collector.is_enabled(&UNREAD) {
        return;
    }
    let context = collector.context;
    let seen = subject.seen(context.root);
    for file in &returned.seen {
        let read = match (&seen, file_of(file, context, subject)) {
            (Err(why), _) => Assessment::unknown(*why),
            (Ok(_), None) => Assessment::unknown(NO_FILE),
            (Ok(seen), Some(relative)) => {
                let own = subject.file(context.root, &relative);
                seen.assess(&own, file.quote.as_deref())
            }
        };
        let about = (Some(&*file.path), "");
        collector.assess(&UNREAD, file.at.into(), about, &read);
    }
}

/// Where an agent without a call says that it saw a file, and what that shows: nothing if its prompt may contain one.
pub(super) fn without_a_call<'v>(
    context: &Context<'v, '_>,
    returned: &ReadReturn<'v, '_>,
    subject: &Subject<'_>,
    nothing: Assessment,
) -> Option<(Location<'v>, Assessment)> {
    let seen = subject.seen(context.root).ok()?;
    let files = returned.seen.iter();
    let files = files.filter_map(|file| Some((file, file_of(file, context, subject)?)));
    let mut files = files.peekable();
    let at = files.peek()?.0.at.into();
    let why = files.find_map(|(file, path)| {
        seen.without_a_call(context.root, Path::new(&*path), file.quote.as_deref())
    });
    Some((at, why.map_or(nothing, Assessment::unknown)))
}

/// The path below the root, if the file is there. Long after the run, any path that can be one.
fn file_of<'p>(
    file: &'p SeenFile<'_, '_>,
    context: &Context<'_, '_>,
    subject: &Subject<'_>,
) -> Option<Cow<'p, str>> {
    let PathTarget::Below(relative) = PathTarget::of(&file.path, context.root) else {
        return None;
    };
    let is_there = || {
        let found = context.root.stat(Path::new(&*relative), false);
        matches!(found, Found::File { .. } | Found::Empty)
    };
    let is_past = subject.evidence.is_of_record_alone && !relative.contains(char::is_whitespace);
    (is_past || is_there()).then_some(relative)
}
