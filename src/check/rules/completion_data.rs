//! Step 3, metadata files: `completion_data` fits the task.

use crate::check::{Collector, Value, values};
use crate::json::pointer::Pointer;
use crate::profile::document::{CompletionData, Return};
use crate::rule::{Companion, Example, Rule, Step, ToAgent};
use crate::text::sentences::sentences;

/// The most sentences of a completion summary.
const SENTENCES_AT_MOST: usize = 3;

/// The folder with the agents' own configuration, and the folder in it with the tasks.
const CONFIGURATION: &str = ".claude/";
const TASKS: &str = ".claude/specs/";

pub(super) fn check(
    collector: &mut Collector<'_, '_>,
    returned: &Return<'_>,
    data: &CompletionData<'_>,
) {
    summary(collector, data);
    if !collector.is_enabled(&CLAUDEMD) {
        return;
    }
    let has_changed = changes_configuration(returned);
    if !has_changed && !is_meta_agent(returned) {
        return;
    }
    let suggestions = &data.claudemd_suggestions;
    if suggestions.is_unfilled() {
        report(collector, "claudemd_suggestions is missing", None);
    } else if has_changed && suggestions.present().is_some_and(|text| is_none(text)) {
        let why = "claudemd_suggestions is none, but a file below .claude/ changed";
        report(collector, why, Some("claudemd_suggestions"));
    }
    let roadmap = data.roadmap_items.present();
    if roadmap.is_some_and(|items| !items.is_empty()) {
        report(
            collector,
            "roadmap_items are for other tasks",
            Some("roadmap_items"),
        );
    }
}

pub(super) static CLAUDEMD: Rule = Rule {
    id: "completion-data-claudemd",
    applies: |it| it.requires_companion(Companion::CompletionData),
    message: "completion_data does not fit a meta task: {why}",
    help: "Fix {agent} subagent to say in claudemd_suggestions what changed below .claude/, and to \
         leave out roadmap_items",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Say in claudemd_suggestions what changed below .claude/, and leave out roadmap_items",
    explanation: "A meta task changes the agents' own configuration. It is recognised by an \
                  agent with the word meta in its name, or by an artifact below .claude/ \
                  (without .claude/specs/). It must have claudemd_suggestions, which is none \
                  only if no such file changed. roadmap_items are for other tasks.",
    source: "Return metadata file, completion_data (required)",
    example: Example::of_members(
        "return-meta",
        r#""artifacts": [{"type": "implementation", "path": ".claude/agents/tide-agent.md", "summary": "The new agent"}], "completion_data": {"completion_summary": "Defined an agent that writes tide tables.", "claudemd_suggestions": "none"}"#,
        r#""artifacts": [{"type": "implementation", "path": ".claude/agents/tide-agent.md", "summary": "The new agent"}], "completion_data": {"completion_summary": "Defined an agent that writes tide tables.", "claudemd_suggestions": "Name tide-agent in the table of agents"}"#,
    ),
    ..Rule::warning(Step::Status)
};

fn report(collector: &mut Collector<'_, '_>, why: &'static str, member: Option<&'static str>) {
    let at = Pointer::root().key("completion_data");
    let at = match member {
        Some(member) => at.key(member),
        None => at,
    };
    collector.report(&CLAUDEMD, at, &values![why = Value::Text(why)]);
}

pub(super) static SENTENCES: Rule = Rule {
    id: "completion-summary-sentences",
    applies: |it| it.requires_companion(Companion::CompletionData),
    message: "completion_summary has {count}, expected 1 to {most}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Summarize in 1 to {most} sentences",
    explanation: "The completion summary is stored in the task's record, where a line or two \
                  are read. Details belong in an artifact.",
    source: "Return metadata file, completion_data",
    example: Example::of_members(
        "return-meta",
        r#""completion_data": {"completion_summary": "Read the stations. Summed the harmonics. Wrote the printer. Tested it."}"#,
        r#""completion_data": {"completion_summary": "High and low water are printed for all stations."}"#,
    ),
    ..Rule::warning(Step::Status)
};

fn summary(collector: &mut Collector<'_, '_>, data: &CompletionData<'_>) {
    let Some(text) = data.completion_summary.present() else {
        return;
    };
    let count = sentences(text);
    if count > SENTENCES_AT_MOST {
        let values = values![
            count = Value::Count(count, "sentence"),
            most = SENTENCES_AT_MOST,
        ];
        let at = Pointer::root()
            .key("completion_data")
            .key("completion_summary");
        collector.report(&SENTENCES, at, &values);
    }
}

fn is_meta_agent(returned: &Return<'_>) -> bool {
    let metadata = returned.metadata.present();
    let agent = metadata.and_then(|metadata| metadata.agent_type.present());
    agent.is_some_and(|agent| {
        let mut words = agent.split(|letter: char| !letter.is_alphanumeric());
        words.any(|word| word.eq_ignore_ascii_case("meta"))
    })
}

fn changes_configuration(returned: &Return<'_>) -> bool {
    let artifacts = returned.artifacts.items();
    let mut paths = artifacts
        .iter()
        .filter_map(|artifact| artifact.present()?.path.present());
    paths.any(|path| {
        let path = path.strip_prefix("./").unwrap_or(path);
        path.starts_with(CONFIGURATION) && !path.starts_with(TASKS)
    })
}

fn is_none(text: &str) -> bool {
    let text = text.trim().trim_end_matches('.');
    text.eq_ignore_ascii_case("none")
}
