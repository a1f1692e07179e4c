//! Converts a return from one standard to another.

use crate::Checker;
use crate::check::report::StepOutcome;
use crate::check::rules::Step;
use crate::convert::{Conversion, ConvertError, Converted, Supplied, text};
use crate::profile::PROFILES;

use super::{clean, root};

/// One byte selects the conversion, and one what the caller supplies; the rest is the source.
pub(crate) fn hold(bytes: &[u8]) {
    let [pair, known, source @ ..] = bytes else {
        return;
    };
    let (from, to) = (usize::from(pair / 16), usize::from(pair % 16));
    let [from, to] = [from, to].map(|index| PROFILES[index % PROFILES.len()]);
    let path = ["orchestrator".to_owned(), "planner".to_owned()];
    let statuses = ["implemented", "researched", "completed", "x\u{202e}"];
    let given = |bit: u8| known & bit != 0;
    let supplied = Supplied {
        session: given(1).then_some("sess_1"),
        agent: given(2).then_some("planner"),
        status: given(4).then_some(statuses[usize::from(known >> 6)]),
        duration_seconds: given(8).then(|| 3.into()),
        delegation_depth: given(16).then_some(1),
        delegation_path: if given(32) { &path } else { &[] },
    };
    let conversion = match Conversion::between(from, to) {
        Ok(conversion) => conversion,
        Err(error) => return clean::line(&error.to_string()),
    };
    let convert = || conversion.convert(source, &supplied, root());
    match (convert(), convert()) {
        (Ok(converted), Ok(again)) => {
            assert_eq!(
                (&converted.json, &converted.notes),
                (&again.json, &again.notes)
            );
            let report = Checker::new(to, root()).check(&converted.json);
            is_good(&converted);
            // Members that are kept are nested one level deeper. The command reports this if the
            // nesting is then too deep.
            let is_read = *report.outcome(Step::Json) == StepOutcome::Pass;
            assert!(is_read || report.found("json-limit") > 0, "{converted:?}");
        }
        (Err(error), Err(again)) => {
            assert_eq!(error.to_string(), again.to_string());
            clean::line(&error.to_string());
            let is_source = matches!(error, ConvertError::Source(_));
            let report = Checker::new(from, root()).check(source);
            assert_eq!(
                is_source,
                *report.outcome(Step::Json) != StepOutcome::Pass,
                "{error}"
            );
        }
        _ => panic!("two outcomes of one conversion"),
    }
}

fn is_good(converted: &Converted) {
    clean::text(&converted.json);
    clean::silent(&text(&converted.notes));
    converted
        .notes
        .iter()
        .for_each(|note| clean::line(&note.why));
}
