//! Step 2: the entry of each artifact is complete, whether or not its file exists.

use std::collections::HashSet;

use crate::check::rules::claimed_paths::comparable;
use crate::check::rules::summary::is_emoji;
use crate::check::rules::{common, worthless};
use crate::check::{Collector, Value, values};
use crate::json::field::Field;
use crate::json::pointer::Pointer;
use crate::profile::Profile;
use crate::profile::document::Return;
use crate::rule::{Example, Requirement, Rule, Step, ToAgent};
use crate::text::markup::markup;
use crate::text::sentences::sentences;

pub(super) static INCOMPLETE: Rule = Rule {
    id: "artifact-incomplete",
    applies: |it| it.recommends_below("artifacts[]."),
    message: "Artifact has no {what}: {name}",
    advice_to_agent: "Describe each artifact with type, path and summary",
    explanation: "An artifact lacks a recommended field, such as its type or summary, so that \
                  a reader must open the file to learn what it contains.",
    source: "Subagent return format, artifacts (required); Return metadata file, artifacts (required)",
    example: Example::of_members(
        "return",
        r#""artifacts": [{"path": "specs/12_tide_tables/plans/implementation-001.md"}]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
    ..Rule::warning(Step::Fields)
};

pub(crate) static TYPE: Rule = Rule {
    id: "artifact-type",
    applies: |it| !it.artifact_types.is_empty(),
    message: "Unknown artifact type: {kind}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Use one of {types}",
    explanation: "The return format does not define this artifact type. Code that groups \
                  artifacts by type does not find it.",
    source: "Subagent return format, artifacts (required); Subagent return format 1.0, artifacts, \
             fields (required); Return metadata file, artifacts (required)",
    example: Example::of_members(
        "return",
        r#""artifacts": [{"type": "plna", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
        r#""artifacts": [{"type": "plan", "path": "specs/12_tide_tables/plans/implementation-001.md", "summary": "Plan with three phases"}]"#,
    ),
    ..Rule::warning(Step::Fields)
};

pub(super) static DUPLICATE: Rule = Rule {
    id: "artifact-duplicate",
    applies: |it| it.requires(Requirement::UniqueArtifacts),
    message: "Artifact is listed twice: {path}",
    advice_to_agent: "List each artifact once",
    explanation: "The same path occurs twice in the list, which then reports more work than \
                  was done. `./` and `..` make no other path of it.",
    source: "Subagent return format 1.0, artifacts, validation rules (required)",
    example: Example::of_members(
        "return-v1",
        r#""artifacts": [{"type": "documentation", "path": "docs/tides.md"}, {"type": "documentation", "path": "./docs/tides.md"}]"#,
        r#""artifacts": [{"type": "documentation", "path": "docs/tides.md"}]"#,
    ),
    ..Rule::warning(Step::Fields)
};

pub(crate) static SUMMARY_LONG: Rule = Rule {
    id: "artifact-summary-long",
    applies: |it| it.limits.artifact_summary_at_most.is_some(),
    message: "Artifact summary is too long: {length} (limit {most})",
    advice_to_agent: "Keep artifact summaries within {most} characters",
    explanation: "An artifact summary is one sentence that says what the file contains. \
                  Details belong in the file.",
    source: "Subagent return format 1.0, artifacts, fields",
    example: Example::of_members(
        "return-v1",
        r#""artifacts": [{"type": "documentation", "path": "docs/tides.md", "summary": "How to read the tables, column by column, how to read the tables, column by column, how to read the tables, column by column, how to read the tables, column by column, how to read the tables, column by column."}]"#,
        r#""artifacts": [{"type": "documentation", "path": "docs/tides.md", "summary": "How to read the tables"}]"#,
    ),
    ..Rule::warning(Step::Fields)
};

pub(super) static SUMMARY_FORM: Rule = Rule {
    id: "artifact-summary-form",
    applies: |it| it.requires(Requirement::OneSentenceArtifacts),
    message: "Artifact summary is not one plain sentence: it has {what}",
    advice_to_agent: "Describe each artifact in one plain sentence",
    explanation: "An artifact's summary is one sentence in a list of files. Version 1.0 of the \
                  console return allows no emojis and no formatting markup in it, either.",
    source: "Subagent return format 1.0, artifacts, fields; Return metadata file, artifacts",
    example: Example::of_members(
        "return-v1",
        r#""artifacts": [{"type": "documentation", "path": "docs/tides.md", "summary": "How to read the tables. Every column is explained."}]"#,
        r#""artifacts": [{"type": "documentation", "path": "docs/tides.md", "summary": "How to read the tables"}]"#,
    ),
    ..Rule::warning(Step::Fields)
};

pub(super) fn check(collector: &mut Collector<'_, '_>, returned: &Return<'_>) {
    let context = collector.context;
    let profile = context.profile;
    let artifacts = returned.artifacts.items();
    let mut paths = HashSet::new();
    let compares = artifacts.len() > 1 && collector.is_enabled(&DUPLICATE);
    for (index, artifact) in artifacts.iter().enumerate() {
        let Some(artifact) = artifact.present() else {
            continue;
        };
        let at = || Pointer::root().key("artifacts").index(index);
        let recommended = &context.required.recommended_of_artifacts;
        common::recommended(collector, &INCOMPLETE, artifact, recommended, at);
        if let Some(text) = artifact.summary.present() {
            worthless::check_copied(collector, text, || at().key("summary"));
        }
        let types = &profile.artifact_types;
        common::one_of(collector, &TYPE, &artifact.kind, types, || at().key("type"));
        if let Field::Present(path) = &artifact.path
            && compares
            && !paths.insert(comparable(path, context.root))
        {
            collector.report(&DUPLICATE, at().key("path"), &values![path = path]);
        }
        let most = profile.limits.artifact_summary_at_most;
        common::at_most(collector, &SUMMARY_LONG, &artifact.summary, most, || {
            at().key("summary")
        });
        if let Field::Present(text) = &artifact.summary
            && let Some(what) = unplain(profile, text)
        {
            let values = values![what = what];
            collector.report(&SUMMARY_FORM, at().key("summary"), &values);
        }
    }
}

/// Why an artifact's summary is not one plain sentence. None if it is one.
fn unplain<'v>(profile: &Profile, text: &'v str) -> Option<Value<'v>> {
    if !profile.requires(Requirement::OneSentenceArtifacts) {
        return None;
    }
    let count = sentences(text);
    if count > 1 {
        return Some(Value::Count(count, "sentence"));
    }
    if profile.requires(Requirement::NoEmoji)
        && let Some(emoji) = text.matches(is_emoji).next()
    {
        return Some(Value::from(emoji));
    }
    let markup = || markup(text).map(Value::Text);
    profile.requires(Requirement::NoMarkup).then(markup)?
}
