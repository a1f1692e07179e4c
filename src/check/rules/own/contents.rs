//! Step 6: artifacts contain what the standard says.

use crate::check::rules::artifact_lookup::ArtifactRoots;
use crate::check::rules::claimed_paths::{self, ClaimedPath};
use crate::check::rules::own::OwnDocument;
use crate::check::{Collector, values};
use crate::form::document::PlacedValue;
use crate::form::lookup::{FoundValue, PointerStep, find_below};
use crate::form::name::is_alike;
use crate::form::{self, ReadOptions};
use crate::json::BYTES_AT_MOST;
use crate::json::pointer::Segment;
use crate::profile::document::Returned;
use crate::profile::standard::claims::ContentRule;
use crate::profile::standard::find::is_nothing;
use crate::rule::{Example, Rule, Step, ToAgent};

pub(crate) static CONTENT: Rule = Rule {
    id: "artifact-content",
    message: "Artifact {path} {why}",
    message_to_agent: ToAgent::Yours,
    advice_to_agent: "Write the file in full",
    explanation: "An artifact lacks a heading, a value or a text that the standard asks of such \
                  files, or is not in their form. Files above 16 MiB are not read.",
    example: Example::of_standard(
        super::REPORT,
        "Status: DONE\nFiles: specs/12_tide_tables/plans/implementation-001.md",
        "Status: DONE\nFiles: docs/tides.md",
    ),
    ..Rule::of_standard(Step::Artifacts)
};

pub(super) fn check(
    own: &OwnDocument<'_, '_>,
    collector: &mut Collector<'_, '_>,
    returned: Returned<'_, '_>,
) {
    let contents = &own.standard.claims.contents;
    if contents.is_empty() || !collector.is_enabled(&CONTENT) {
        return;
    }
    claimed_paths::each(returned, &mut |claim| {
        let wanted = contents.iter().filter(|it| it.glob.is_match(claim.path));
        let wanted: Vec<_> = wanted.collect();
        if !wanted.is_empty() {
            file(collector, &claim, &wanted);
        }
    });
}

fn file(collector: &mut Collector<'_, '_>, claim: &ClaimedPath<'_, '_>, wanted: &[&ContentRule]) {
    let context = collector.context;
    let Some(bytes) = ArtifactRoots::of(context).read(claim.path, BYTES_AT_MOST) else {
        // What is there instead of a file is reported by other rules.
        return;
    };
    let is_whole = u64::try_from(bytes.len()).is_ok_and(|it| it <= BYTES_AT_MOST);
    if bytes.is_empty() || !is_whole {
        return;
    }
    let mut report = |why: &str| {
        let values = values![path = claim.path, why = why];
        collector.add(claim.diagnostic(&CONTENT, &values));
    };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return report("is not UTF-8");
    };
    for content in wanted {
        for wanted in content.contains.iter().filter(|it| !text.contains(&***it)) {
            report(&format!("does not contain {wanted}"));
        }
        if content.headings.is_empty() && content.required.is_empty() && content.schema.is_none() {
            continue;
        }
        match form::read(content.form, text, &ReadOptions::default()) {
            Ok(document) => document_of(content, &document, &mut report),
            Err(error) => report(&error.what),
        }
    }
}

fn document_of(content: &ContentRule, document: &PlacedValue<'_>, report: &mut impl FnMut(&str)) {
    for place in &content.required {
        let found = place.find(document).unwrap_or_default();
        if found.iter().all(|it| is_nothing(it.value, &[])) {
            report(&format!("has no {place}"));
        }
    }
    if let Some(schema) = &content.schema {
        schema.check(document, |it| {
            let (at, why) = (it.pointer, (it.why)());
            report(&format!("does not fit its schema: {at} {why}"));
        });
    }
    let all = headings(document);
    let mut last = 0;
    for wanted in &content.headings {
        let at = all.iter().filter(|(_, name)| is_alike(name, wanted));
        let mut at = at.map(|(at, _)| *at);
        match (at.clone().next(), at.find(|at| *at >= last)) {
            (None, _) => report(&format!("has no heading {wanted}")),
            (Some(_), None) if content.is_ordered => {
                report(&format!("has the heading {wanted} too early"));
            }
            (_, later) => last = later.unwrap_or(last),
        }
    }
}

/// The headings of a text, in their order, each with its offset.
fn headings(document: &PlacedValue<'_>) -> Vec<(usize, String)> {
    let steps = [PointerStep::Name("sections".to_owned()), PointerStep::Every];
    let mut level: Vec<FoundValue<'_, '_>> = vec![FoundValue::whole(document)];
    let mut all = Vec::new();
    while !level.is_empty() {
        level = level
            .into_iter()
            .flat_map(|it| find_below(it, &steps))
            .collect();
        all.extend(
            level
                .iter()
                .filter_map(|it| match it.pointer.steps().last() {
                    Some(Segment::Key(name)) => {
                        let at = it.value.place.map_or(0, |place| place.start);
                        Some((at, name.clone().into_owned()))
                    }
                    _ => None,
                }),
        );
    }
    all.sort();
    all
}
