//! Step 5: the summary, and the whole message, are short enough for the orchestrator's context, and readable.

use crate::check::report::StepOutcome;
use crate::check::rules::taken::TakenValues;
use crate::check::{Collector, Context, Location, Placeholder, values};
use crate::document::Form;
use crate::profile::{LengthLimit, Measured, MessageLimits, Profile, Unit};
use crate::rule::{Requirement, Rule, Step, ToAgent};
use crate::text::markup::markup;
use crate::text::sentences::sentences;
use crate::text::{count, is_blank, is_invisible};

pub(super) static LONG: Rule = Rule {
    id: "summary-long",
    applies: |it| it.soft_length.is_some(),
    message: "{what} is longer than it should be: {length}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Keep it {limit}",
    ..Rule::warning(Step::Summary)
};

pub(super) fn check(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) -> StepOutcome {
    let has_limit = whole(taken, collector);
    match summary(collector) {
        StepOutcome::Skip(_) if has_limit => StepOutcome::Pass,
        outcome => outcome,
    }
}

fn summary(collector: &mut Collector<'_, '_>) -> StepOutcome {
    let context = collector.context;
    let profile = context.profile;
    let summary = context.returned.and_then(|it| it.summary.as_deref());
    let characters = summary.map(|text| text.chars().count());
    collector.facts.summary_characters = characters;
    let limits_style = profile.sentences.is_some() || profile.limits.summary_at_least.is_some();
    let known = profile.length.or(profile.soft_length);
    if known.is_none() && !limits_style {
        return StepOutcome::Skip("the profile sets no limit".into());
    }
    let of = known.map_or(Measured::Summary, |limit| limit.of);
    let measured = match (of, summary) {
        (Measured::Return, _) => context.input.whole.trim(),
        (Measured::Summary, None) => {
            return StepOutcome::Skip("the return has no usable summary".into());
        }
        (Measured::Summary, Some(text)) if is_blank(text) => {
            return StepOutcome::Skip("the summary is empty".into());
        }
        (Measured::Summary, Some(text)) => text,
    };
    if let Some(limit) = known {
        collector.facts.measured = Some((limit, limit.measure(measured)));
    }
    let limits = [
        (profile.length, rule(context)),
        (profile.soft_length, &LONG),
    ];
    let mut limits = limits
        .into_iter()
        .filter_map(|(it, rule)| Some((it?, rule)));
    if let Some((limit, rule)) = limits.find(|(it, _)| !it.allows(it.measure(measured))) {
        too_long(collector, rule, limit, limit.measure(measured));
    }
    if let Some(text) = summary {
        style(profile, collector, text);
    }
    StepOutcome::Pass
}

pub(super) static TOO_LONG: Rule = Rule {
    id: "summary-too-long",
    applies: |it| it.length.is_some(),
    message: "{what} is too long: {length}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Keep it {limit}",
    ..Rule::error(Step::Summary)
};

pub(super) static HANDOFF_LONG: Rule = Rule {
    id: "handoff-summary-long",
    applies: Profile::is_handoff,
    message: "Summary of the handoff is long: {length}",
    help: "Fix {agent} subagent to keep it {limit}, and to write details to a file",
    advice_to_agent: "Keep it {limit}, and write details to a file",
    ..Rule::warning(Step::Summary)
};

/// The rule for a summary that is too long. In handoffs, the limit is strict for some agents only.
fn rule(context: &Context<'_, '_>) -> &'static Rule {
    let agent = context.acting_agent();
    let agent = agent.and_then(|name| context.profile.agent(name));
    let is_limited = agent.is_some_and(|agent| agent.limits_summary);
    if context.profile.is_handoff() && !is_limited {
        &HANDOFF_LONG
    } else {
        &TOO_LONG
    }
}

fn too_long(
    collector: &mut Collector<'_, '_>,
    rule: &'static Rule,
    limit: LengthLimit,
    length: usize,
) {
    let at = match limit.of {
        Measured::Return => Location::Whole,
        Measured::Summary => "summary".into(),
    };
    let values = values![
        what = Placeholder::Named(limit.of.as_str()),
        length = Placeholder::Shown(limit.exceeded(length)),
        limit = Placeholder::Shown(limit.bound()),
    ];
    collector.report(rule, at, &values);
}

pub(super) static SENTENCES: Rule = Rule {
    id: "summary-sentences",
    applies: |it| it.sentences.is_some(),
    message: "Summary has {count}, expected {least} to {most}",
    advice_to_agent: "Summarize in {least} to {most} sentences",
    ..Rule::warning(Step::Summary)
};

pub(super) static SHORT: Rule = Rule {
    id: "summary-short",
    applies: |it| it.limits.summary_at_least.is_some(),
    message: "Summary is too short: {length} (minimum {least})",
    advice_to_agent: "Say in the summary what was done",
    ..Rule::warning(Step::Summary)
};

pub(super) static EMOJI: Rule = Rule {
    id: "summary-emoji",
    applies: |it| it.requires(Requirement::NoEmoji),
    message: "Summary contains an emoji: {emoji}",
    advice_to_agent: "Write the summary as plain text",
    ..Rule::warning(Step::Summary)
};

pub(super) static MARKUP: Rule = Rule {
    id: "summary-markup",
    applies: |it| it.requires(Requirement::NoMarkup),
    message: "Summary contains {what}",
    advice_to_agent: "Write the summary as plain text",
    ..Rule::warning(Step::Summary)
};

fn style(profile: &Profile, collector: &mut Collector<'_, '_>, text: &str) {
    let mut report = |rule, values: &_| collector.report(rule, "summary", values);
    let number = sentences(text);
    if let Some((least, most)) = profile.sentences
        && !(least..=most).contains(&number)
    {
        let number = Placeholder::Shown(count(number, "sentence"));
        report(
            &SENTENCES,
            &values![count = number, least = least, most = most],
        );
    }
    let length = text.trim_matches(is_invisible).chars().count();
    if let Some(least) = profile.limits.summary_at_least
        && length < least
    {
        let length = Placeholder::Shown(count(length, "character"));
        report(&SHORT, &values![length = length, least = least]);
    }
    if profile.requires(Requirement::NoEmoji)
        && let Some(emoji) = text.matches(is_emoji).next()
    {
        report(&EMOJI, &values![emoji = emoji]);
    }
    if profile.requires(Requirement::NoMarkup)
        && let Some(name) = markup(text)
    {
        report(&MARKUP, &values![what = Placeholder::Text(name)]);
    }
}

pub(super) fn is_emoji(character: char) -> bool {
    matches!(character,
        '\u{2600}'..='\u{27bf}' // symbols and dingbats
        | '\u{231a}' | '\u{231b}' | '\u{23e9}'..='\u{23f3}' | '\u{23f8}'..='\u{23fa}'
        | '\u{2b05}'..='\u{2b07}' | '\u{2b1b}' | '\u{2b1c}' | '\u{2b50}' | '\u{2b55}'
        | '\u{1f000}'..='\u{1faff}' // pictographs
    )
}

pub(super) static RETURN_LONG: Rule = Rule {
    id: "return-too-long",
    message: "Return is too long: {length}",
    help: "Fix {agent} subagent to keep it {limit}, and to write details to a file",
    message_to_agent: ToAgent::Yours,
    advice_to_agent: "Keep it {limit}, and write details to a file",
    ..Rule::of_own_profile(Step::Summary)
};

/// Checks the limits of the whole message. Returns whether there are any.
fn whole(taken: &TakenValues<'_, '_>, collector: &mut Collector<'_, '_>) -> bool {
    let limits = taken.profile.message_limits;
    let message = collector.context.input.whole.trim();
    let mut report = |length: &str, limit: &str| {
        let values = values![length = length, limit = limit];
        collector.report(&RETURN_LONG, Location::Whole, &values);
    };
    if let Some(most) = limits.lines {
        let lines = lines(taken, message);
        if lines > most {
            let length = format!("{} (limit {most})", count(lines, "line"));
            report(&length, &format!("within {}", count(most, "line")));
        }
    }
    for (most, unit) in [
        (limits.characters, Unit::Characters),
        (limits.tokens, Unit::Tokens),
    ] {
        let Some(most) = most else { continue };
        let limit = LengthLimit::at_most(most, unit, Measured::Return);
        let length = limit.measure(message);
        if !limit.allows(length) {
            report(&limit.exceeded(length), &limit.bound());
        }
    }
    limits != MessageLimits::NONE
}

/// The lines of a message with something on them. A text has counted them.
fn lines(taken: &TakenValues<'_, '_>, message: &str) -> usize {
    let is_text = taken.profile.form == Form::Text;
    let counted = taken.document.member("lines").filter(|_| is_text);
    let counted = counted.and_then(|it| it.scalar()?.parse().ok());
    counted.unwrap_or_else(|| message.lines().filter(|line| !is_blank(line)).count())
}
