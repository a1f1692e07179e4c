//! Step 6: the files that a return cites, or that its verdict is about, were read by the agent.

use std::path::Path;

use crate::check::Collector;
use crate::check::returned::SeenFile;
use crate::check::rules::claimed_paths::PathTarget;
use crate::check::rules::taken::TakenValues;
use crate::check::rules::{claims, named_files, work};
use crate::evidence::Assessment;
use crate::evidence::claims::cite::NO_FILE;
use crate::root::Found;
use crate::rule::{Claimed, Level, Rule, Step};

pub(super) static UNREAD: Rule = Rule::of_own_profile(Step::Artifacts, "cite-unread")
    .at(Level::Warning)
    .claims(Claimed::Declared, "the agent read the file")
    .says("File was not read by the agent: {path} ({why})")
    .tells("You did not read {path}: {why}")
    .advises("Open the file, or leave it out");

const SEEN_AT_MOST: usize = 500;

/// The files that a return cites, or that its verdict is about, each once.
pub(super) fn seen<'v, 't>(taken: &TakenValues<'v, 't>) -> Vec<SeenFile<'v, 't>> {
    let profile = taken.profile;
    let (covered, _) = named_files::paths(&taken.covers, profile);
    let covered = covered.into_iter().map(|file| SeenFile {
        path: file.path,
        quote: None,
        at: file.at,
    });
    let cites = taken.cites.iter();
    let cites = cites.flat_map(|claim| claims::cites_of(claim, profile.form, &profile.none));
    let cited = cites.map(|(cite, [at, _])| SeenFile {
        path: cite.path,
        quote: cite.quote,
        at,
    });
    let mut seen: Vec<SeenFile<'v, 't>> = Vec::new();
    for file in covered.chain(cited) {
        if seen.len() < SEEN_AT_MOST && seen.iter().all(|it| it.path != file.path) {
            seen.push(file);
        }
    }
    seen
}

/// Whether the agent has read the files that it cites, or that its verdict is about.
pub(super) fn check(collector: &mut Collector<'_, '_>) {
    let context = collector.context;
    let (Some(returned), Some(subject)) = (context.returned, context.subject()) else {
        return;
    };
    // Without any call, that says it.
    let is_said = collector.is_enabled(&work::NONE) && subject.did_nothing().is_some();
    if is_said || !subject.has_transcript() || !collector.is_enabled(&UNREAD) {
        return;
    }
    let seen = (!returned.seen.is_empty()).then(|| subject.seen(context.root));
    for file in &returned.seen {
        let PathTarget::Below(relative) = PathTarget::of(&file.path, context.root) else {
            continue;
        };
        let found = context.root.stat(Path::new(&*relative), false);
        let is_there = matches!(found, Found::File { .. } | Found::Empty);
        let read = match &seen {
            Some(Ok(seen)) if is_there || subject.evidence.is_of_record_alone => {
                let own = subject.file(context.root, &relative);
                seen.assess(&own, file.quote.as_deref())
            }
            Some(Err(why)) => Assessment::unknown(*why),
            _ => Assessment::unknown(NO_FILE),
        };
        let about = (Some(&*file.path), "");
        collector.assess(&UNREAD, file.at.into(), about, &read);
    }
}
