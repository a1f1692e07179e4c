//! The facts agree with another JSON parser.

use crate::check::report::StepOutcome;
use crate::check::rules::Step;
use crate::profile::{COMPACT, Place, Shape};
use crate::{Checker, Report};
use serde_json::Value;

use super::demands::Demands;
use super::{places, root};

/// Compares a report with the values that `serde_json` reads from the text of the return, which
/// starts at `start`. Skips texts that `serde_json` rejects or that have duplicate keys.
pub(crate) fn hold(text: &str, start: usize, demands: Demands, report: &Report) {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let plain = Checker::new(demands.profile, root());
    if plain.check(text).found("json-duplicate-key") > 0 {
        return;
    }
    let roles = &demands.profile.roles;
    let read = |role: &Option<Place>| value.pointer(role.as_ref()?.as_str())?.as_str();
    assert_eq!(report.returned.status.as_deref(), read(&roles.status));
    assert_eq!(report.returned.session_id.as_deref(), read(&roles.session));
    assert_eq!(report.returned.agent_type.as_deref(), read(&roles.agent));
    // A compact return claims no files; the handoff file of its agent is looked up instead. What is claimed by a
    // value of another type is not defined.
    let has_types = plain.check(text).found("field-type") == 0;
    let claims = demands.profile.id != COMPACT.id && has_types;
    if claims && !matches!(report.outcome(Step::Artifacts), StepOutcome::Skip(_)) {
        let found = report.artifacts.iter().map(|artifact| artifact.path.as_ref());
        let (mut found, mut expected) = (found.collect::<Vec<&str>>(), paths(&value, demands));
        if demands.profile.shape == Shape::Handoff {
            // Some artifacts are members of an object, whose order differs between parsers.
            found.sort_unstable();
            expected.sort_unstable();
        }
        assert_eq!(found, expected);
    }
    places::point(text, start, &value, report);
}

fn paths(value: &Value, demands: Demands) -> Vec<&str> {
    let list = |name: &str| value[name].as_array().map_or(&[][..], Vec::as_slice);
    match demands.profile.shape {
        Shape::Return | Shape::Message | Shape::Own => {
            let paths = list("artifacts").iter().map(|artifact| artifact["path"].as_str());
            paths.flatten().collect()
        }
        Shape::Handoff => {
            let named = value["artifacts"].as_object().into_iter().flatten();
            let listed = list("files_created").iter().chain(list("files_modified"));
            let all = listed.chain(named.map(|(_, path)| path));
            all.filter_map(Value::as_str).collect()
        }
    }
}
