//! Step 1: the agent ended with an answer of its own, not with an error of its client. A message that need
//! have no form is one if it is there, is not copied from an instruction and says something.

use crate::check::rules::worthless::{ECHO, FILLER, is_placeholder};
use crate::check::{Collector, Diagnostic, Location, Placeholder, Suggestion, values};
use crate::clients::failure::ClientFailure;
use crate::document::is_hollow;
use crate::document::json::read;
use crate::evidence::Subject;
use crate::profile::sample::{is_beginning, is_sample};
use crate::rule::{Claimed, Rule, Step};
use crate::text::{Span, is_blank};

pub(crate) static MISSING: Rule = Rule::error(Step::Json, "return-missing")
    .claims(Claimed::Work, "the agent ended with a return")
    .says("Agent ended without a return ({why})")
    .helps("Call {agent} again when the cause is gone, nothing in its answer can be corrected")
    .advises("Return your result");

pub(crate) static CUT: Rule = Rule::error(Step::Json, "return-cut")
    .claims(Claimed::Work, "the last message of the agent is whole")
    .says("Return was cut off ({why})")
    .helps("Raise the limit of output, or have {agent} return less")
    .advises("Return the whole result again, in fewer words");

/// Where the whole return is claimed. A text that is not JSON has no values to point at.
const WHOLE: Location<'_> = Location::Bytes(Span { start: 0, end: 0 });

/// Reports a client that failed, in place of a return.
pub(crate) fn missing(collector: &mut Collector<'_, '_>, failure: &ClientFailure) {
    collector.facts.failure = Some(failure.kind);
    let subject = collector.context.subject();
    if let Some(ended) = subject.and_then(|subject| subject.answered(false)) {
        collector.claim(&MISSING, WHOLE, &ended);
    }
    let values = values![why = &failure.words];
    let diagnostic = Diagnostic::new(&MISSING, WHOLE, &values);
    collector.add(diagnostic.suggestion(Suggestion::Fix(failure.kind.remedy().into())));
}

pub(crate) fn check(collector: &mut Collector<'_, '_>) {
    if collector.facts.failure.is_some() {
        return;
    }
    let context = collector.context;
    if let Some(subject) = context.subject().filter(|_| collector.is_enabled(&MISSING))
        && let Some(answered) = subject.answered(context.returned.is_some())
    {
        collector.assess(&MISSING, WHOLE, (None, ""), &answered);
    }
    // A file was written by a call, and is as long as the agent made it.
    let is_message = !context.is_file() && !is_blank(context.input.whole);
    let cut = context.subject().filter(|_| is_message);
    if let Some(cut) = cut.and_then(Subject::was_cut)
        && collector.is_enabled(&CUT)
    {
        collector.assess(&CUT, WHOLE, (None, ""), &cut);
    }
}

/// The longest message that may be a copied example, in bytes.
const LONGEST_COPY: usize = 4096;

/// Reports a message that is not there, or is the client's and not the agent's. Returns whether it did.
pub(crate) fn check_presence(collector: &mut Collector<'_, '_>) -> bool {
    if let Some(failure) = collector.context.failure_in_place() {
        missing(collector, &failure);
    } else if is_blank(collector.context.input.whole) {
        let values = values![why = Placeholder::Text("the message is empty")];
        collector.report(&MISSING, Location::Whole, &values);
    } else {
        return false;
    }
    true
}

/// Reports a message that is copied from an instruction or says nothing.
pub(crate) fn check_text(collector: &mut Collector<'_, '_>) {
    let text = collector.context.input.whole.trim();
    if let Some(rule) = broken_by(text) {
        let values = values![name = Placeholder::Text("message"), found = text];
        collector.report(rule, Location::Whole, &values);
    }
}

/// Whether a message is copied from an instruction or says nothing.
pub(crate) fn is_worthless_message(text: &str) -> bool {
    broken_by(text.trim()).is_some()
}

fn broken_by(text: &str) -> Option<&'static Rule> {
    if text.len() > LONGEST_COPY && !is_beginning(text) {
        return None;
    }
    let is_mark = |byte: u8| byte.is_ascii_punctuation();
    if is_copied(text) {
        return Some(&ECHO);
    }
    let is_hollow = is_hollow(text) || text.bytes().all(is_mark);
    (is_hollow || is_placeholder("message", text)).then_some(&FILLER)
}

/// Whether a message is an instruction, or the example of one. The example may be in a fence.
fn is_copied(text: &str) -> bool {
    if is_sample(text) || is_beginning(text) {
        return true;
    }
    let fenced = text.strip_prefix("```");
    let fenced = fenced.and_then(|text| text.strip_suffix("```"));
    let text = fenced.map_or(text, |text| text.trim_start_matches("json").trim());
    text.starts_with('{')
        && read(text).is_ok_and(|tree| {
            let artifacts = tree.root().list_of("artifacts").into_iter().flatten();
            let mut paths = artifacts.filter_map(|it| it.text_of("path"));
            tree.root().text_of("summary").is_some_and(is_sample) || paths.any(is_sample)
        })
}
