//! Step 5: the summary, and the whole message, are short enough for the orchestrator's context, and readable.

use crate::check::report::StepOutcome;
use crate::check::rules::taken::TakenValues;
use crate::check::{Collector, Context, Location, Placeholder, values};
use crate::document::Form;
use crate::profile::{LengthLimit, Measured, MessageLimits, Profile, Unit};
use crate::rule::{Requirement, Rule, Step};
use crate::text::markup::markup;
use crate::text::sentences::sentences;
use crate::text::{count, is_blank, is_invisible};

pub(super) static LONG: Rule = Rule::warning(Step::Summary, "summary-long")
    .applies_to(|it| it.soft_length.is_some())
    .says("{what} is longer than it should be: {length}")
    .advises("Keep it {limit}");

pub(super) static TOO_LONG: Rule = Rule::error(Step::Summary, "summary-too-long")
    .applies_to(|it| it.length.is_some())
    .says("{what} is too long: {length}")
    .advises("Keep it {limit}");

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
    let length = profile.length.filter(|_| is_limited(context));
    let known = length.or(profile.soft_length);
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
    let limits = [(length, &TOO_LONG), (profile.soft_length, &LONG)].into_iter();
    let mut limits = limits.filter_map(|(it, rule)| Some((it?, rule)));
    if let Some((limit, rule)) = limits.find(|(it, _)| !it.allows(it.measure(measured))) {
        let at = match limit.of {
            Measured::Return => Location::Whole,
            Measured::Summary => "summary".into(),
        };
        let values = values![
            what = Placeholder::Text(limit.of.as_str()),
            length = Placeholder::Shown(limit.exceeded(limit.measure(measured))),
            limit = Placeholder::Shown(limit.bound()),
        ];
        collector.report(rule, at, &values);
    }
    if let Some(text) = summary {
        style(profile, collector, text);
    }
    StepOutcome::Pass
}

/// Whether the agent must keep the length. In handoffs, only some have to.
fn is_limited(context: &Context<'_, '_>) -> bool {
    let agent = context.acting_agent().and_then(|name| context.profile.agent(name));
    !context.profile.is_handoff() || agent.is_some_and(|agent| agent.limits_summary)
}

pub(super) static SENTENCES: Rule = Rule::warning(Step::Summary, "summary-sentences")
    .applies_to(|it| it.sentences.is_some())
    .says("Summary has {count}, expected {least} to {most}")
    .advises("Summarize in {least} to {most} sentences");

pub(super) static SHORT: Rule = Rule::warning(Step::Summary, "summary-short")
    .applies_to(|it| it.limits.summary_at_least.is_some())
    .says("Summary is too short: {length} (minimum {least})")
    .advises("Say in the summary what was done");

pub(super) static EMOJI: Rule = Rule::warning(Step::Summary, "summary-emoji")
    .applies_to(|it| it.requires(Requirement::NoEmoji))
    .says("Summary contains an emoji: {emoji}")
    .advises("Write the summary as plain text");

pub(super) static MARKUP: Rule = Rule::warning(Step::Summary, "summary-markup")
    .applies_to(|it| it.requires(Requirement::NoMarkup))
    .says("Summary contains {what}")
    .advises("Write the summary as plain text");

fn style(profile: &Profile, collector: &mut Collector<'_, '_>, text: &str) {
    let mut report = |rule, values: &_| collector.report(rule, "summary", values);
    let number = sentences(text);
    if let Some((least, most)) = profile.sentences
        && !(least..=most).contains(&number)
    {
        let number = Placeholder::Shown(count(number, "sentence"));
        let values = values![count = number, least = least, most = most];
        report(&SENTENCES, &values);
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

pub(super) static RETURN_LONG: Rule = Rule::of_own_profile(Step::Summary, "return-too-long")
    .says("Return is too long: {length}")
    .advises("Keep it {limit}, and write details to a file");

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
    let lengths = [(limits.characters, Unit::Characters), (limits.tokens, Unit::Tokens)];
    for (most, unit) in lengths.into_iter().filter_map(|(most, unit)| Some((most?, unit))) {
        let limit = LengthLimit::at_most(most, unit, Measured::Return);
        let length = limit.measure(message);
        if !limit.allows(length) {
            report(&limit.exceeded(length), &limit.bound());
        }
    }
    limits != MessageLimits::BASE
}

/// The lines of a message with something on them. A text has counted them.
fn lines(taken: &TakenValues<'_, '_>, message: &str) -> usize {
    let is_text = taken.profile.form == Form::Text;
    let counted = taken.document.member("lines").filter(|_| is_text);
    let counted = counted.and_then(|it| it.scalar()?.parse().ok());
    counted.unwrap_or_else(|| message.lines().filter(|line| !is_blank(line)).count())
}
