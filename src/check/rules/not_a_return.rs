//! Step 2: the object is a return, and not some other document.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::check::{Collector, Context, Diagnostic, Value, values};
use crate::json::field::{Node, State};
use crate::json::pointer::{Pointer, Segment};
use crate::rule::{Example, Rule, Step, ToAgent};
use crate::text::suggest::nearest;

pub(crate) static NOT_A_RETURN: Rule = Rule {
    id: "not-a-return",
    message: "This is not a return: it has none of the fields {name}",
    message_to_agent: ToAgent::Same,
    advice_to_agent: "Return an object with these fields",
    explanation: "The object has members, but none that the return format defines: it is some \
                  other document. One finding says so, in \
                  place of one for each field that is missing. If the file is none that a \
                  subagent wrote, leave it out with --exclude.",
    source: "Subagent return validation, step 2; Subagent return format, field specifications",
    example: Example::of_returns(
        "return",
        r#"{"name": "tide-tables", "version": "1.4.0"}"#,
        r#"{"status": "blocked", "summary": "The tide data is behind a login. A person has to ask for it.", "artifacts": [], "metadata": {"session_id": "sess_1767225600_k3m9qa", "agent_type": "planner", "delegation_depth": 1, "delegation_path": ["orchestrator", "planner"]}, "errors": [{"type": "permission_denied", "message": "No login", "recoverable": false, "recommendation": "Ask the harbour office"}]}"#,
    ),
    ..Rule::error(Step::Fields)
};

/// Reports an object that is not a return. Returns false if its fields should not be checked any
/// further.
pub(super) fn may_be_return(collector: &mut Collector<'_, '_>, node: &dyn Node) -> bool {
    let context = collector.context;
    let required = || context.required.required.iter();
    let is_there = |name: &str| {
        node.member(name)
            .is_some_and(|it| it.state() != State::Missing)
    };
    if required().any(|field| is_there(field.name)) {
        return true;
    }
    let names: Vec<Cow<'_, str>> = required().map(|it| Cow::Borrowed(it.name)).collect();
    if has_known_member(context, node, &names) || resembles(context.input.text, &names) {
        return true;
    }
    let values = values![name = Value::List(&names)];
    let diagnostic = Diagnostic::new(&NOT_A_RETURN, Pointer::root(), &values);
    collector.add(diagnostic);
    !collector.fails(&NOT_A_RETURN)
}

fn has_known_member(context: &Context<'_, '_>, node: &dyn Node, names: &[Cow<'_, str>]) -> bool {
    let agent = context.acting_agent();
    let is_known =
        |key: &Cow<'_, str>| names.contains(key) || context.profile.has_field_of(key, agent);
    let mut is_found = false;
    node.each(&mut |to, member| {
        is_found |=
            member.state() != State::Missing && matches!(&to, Segment::Key(key) if is_known(key));
    });
    is_found || node.unknown().iter().any(|it| is_known(&it.key))
}

/// Whether an object without known fields may still be a return: an empty object looks like a return
/// that lacks every field, and the names of fields may be misspelled.
fn resembles(text: &str, names: &[Cow<'_, str>]) -> bool {
    let Ok(members) = serde_json::from_str::<HashMap<String, &RawValue>>(text) else {
        return true;
    };
    let is_misspelt = |key: &String| nearest(key, names.iter().map(AsRef::as_ref)).is_some();
    members.is_empty() || members.keys().any(is_misspelt)
}
