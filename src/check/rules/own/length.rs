//! Step 5: the summary and the whole message are short.

use crate::check::rules::own::OwnDocument;
use crate::check::rules::summary;
use crate::check::{Collector, Ran, values};
use crate::document::Form;
use crate::document::pointer::Pointer;
use crate::profile::{LengthLimit, Measured, Unit};
use crate::rule::{Rule, Step, ToAgent};
use crate::text::{count, is_blank};

pub(crate) static TOO_LONG: Rule = Rule {
    id: "return-too-long",
    message: "Return is too long: {length}",
    help: "Fix {agent} subagent to keep it {limit}, and to write details to a file",
    message_to_agent: ToAgent::Yours,
    advice_to_agent: "Keep it {limit}, and write details to a file",
    ..Rule::of_standard(Step::Summary)
};

pub(super) fn check(own: &OwnDocument<'_, '_>, collector: &mut Collector<'_, '_>) -> Ran {
    let context = collector.context;
    let limits = own.standard.limits;
    let message = context.input.whole.trim();
    if let Some(most) = limits.lines {
        let lines = lines(own, message);
        if lines > most {
            let length = format!("{} (limit {most})", count(lines, "line"));
            too_long(
                collector,
                &length,
                &format!("within {}", count(most, "line")),
            );
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
            too_long(collector, &limit.exceeded(length), &limit.bound());
        }
    }
    let has_limit = [limits.lines, limits.characters, limits.tokens];
    match summary::check(collector) {
        Ran::Skipped(_) if has_limit.iter().any(Option::is_some) => Ran::Checked,
        ran => ran,
    }
}

fn too_long(collector: &mut Collector<'_, '_>, length: &str, limit: &str) {
    let values = values![length = length, limit = limit];
    collector.report(&TOO_LONG, Pointer::root(), &values);
}

/// The lines of a message with something on them. A text has counted them.
fn lines(own: &OwnDocument<'_, '_>, message: &str) -> usize {
    let is_text = own.standard.form == Form::Text;
    let counted = own.document.member("lines").filter(|_| is_text);
    let counted = counted.and_then(|it| it.scalar()?.parse().ok());
    counted.unwrap_or_else(|| message.lines().filter(|line| !is_blank(line)).count())
}
