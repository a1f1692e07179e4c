//! The check of a message that need have no form.

use crate::check::checker::report::report;
use crate::check::report::{Report, StepReport};
use crate::check::rules::answered;
use crate::check::{Checker, Collector, Input, Ran};
use crate::rule::Step;

impl<'t> Checker<'t> {
    pub(super) fn check_message(&self, input: &Input<'t>) -> Report<'t> {
        let context = self.context(input);
        let mut collector = Collector::new(&context, &self.levels);
        let is_missing = answered::check_presence(&mut collector);
        if !is_missing {
            answered::check(&mut collector);
        }
        let steps = StepReport::of_all(|step| {
            let why = match step {
                Step::Json => "the profile any asks for no JSON",
                Step::Fields => "the profile any has no fields",
                Step::Status => "the profile any has no status",
                Step::Session => "the profile any has no session ID",
                Step::Summary => "the profile any has no summary",
                Step::Artifacts => "the profile any has no artifacts",
            };
            if step == Step::Fields && !is_missing {
                answered::check_text(&mut collector);
            }
            collector.close_step(Ran::Skipped(why.into()))
        });
        report(collector, steps)
    }
}
