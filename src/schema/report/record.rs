//! The schema of the record of one return.

use super::{count, number, rule, string, version};
use crate::check::report::{ArtifactState, Report};
use crate::check::rules::{Level, Step};
use crate::clients::output::OutputKind;
use crate::evidence::EvidenceValue;
use crate::format::{COUNTS, Ended};
use crate::profile::Action;
use crate::schema::json_schema::{NodeMembers, Others, SchemaNode};

pub(in crate::schema) fn record() -> SchemaNode {
    let members = object! {
        "version": version();
        "source": string().described("The file's path, or - for standard input.");
        "line": count(1).or_null().described("The line of a stream of returns, from 1.");
        "id" optional: string().described("The id that a line of --lines=texts gives its text.");
        "profile": string().or_null().described("The profile that the return was checked against.");
        "valid": boolean().or_null().described("Null if it could not be read.");
        "error": string().or_null().described("Why it could not be read.");
        "status": string().or_null();
        "session_id": string().or_null();
        "agent_type": string().or_null();
        "delegation_depth": number().or_null();
        "delegation_path": SchemaNode::array(string());
        "summary": string().or_null();
        "summary_tokens": summary_tokens();
        "duration_seconds": number().or_null();
        "next": next();
        "recoverable": boolean().or_null()
            .described("Whether every error is recoverable; null without errors.");
        "next_steps": string().or_null();
        "partial_progress": partial_progress().or_null();
        "completion_data": SchemaNode::of_type("object").or_null().described("As in the return.");
        "counts": counts().or_null();
        "handoff" optional: SchemaNode::of_type("object")
            .described("The other members of a handoff file, as they are there.");
        "errors": errors();
        "steps": steps();
        "findings": findings();
        "findings_omitted" optional: count(1).described("Findings beyond those listed.");
        "accepted" optional: count(1)
            .described("Findings that the baseline accepts. They are not listed.");
        "envelope" optional: envelope();
        "artifacts": artifacts();
        "evidence" optional: evidence();
    };
    SchemaNode {
        condition: Some(Box::new(with([("valid", null())]))),
        consequence: Some(Box::new(unread())),
        alternative: Some(Box::new(read())),
        ..members
    }
}

fn boolean() -> SchemaNode {
    SchemaNode::of_type("boolean")
}

fn null() -> SchemaNode {
    SchemaNode::of_type("null")
}

/// Counts in the metadata of the return.
fn counts() -> SchemaNode {
    SchemaNode::object(COUNTS.map(|name| (name, true, number().or_null())))
}

fn envelope() -> SchemaNode {
    let members = object! {
        "kind": SchemaNode::one_of(OutputKind::all().map(|kind| kind.name));
        "pointer": string().described("The value in the output that is the return.");
        "line": count(1).or_null().described("The line of an event stream, from 1.");
    };
    members.described("The client's output that the return was taken out of.")
}

fn with<const N: usize>(members: [(&str, SchemaNode); N]) -> SchemaNode {
    SchemaNode {
        properties: NodeMembers(members.map(|(name, it)| (name.to_owned(), it)).to_vec()),
        ..SchemaNode::default()
    }
}

/// Returns the schema of the record of a source that could not be read. It has only an error.
fn unread() -> SchemaNode {
    let none = || SchemaNode {
        most: Some(0),
        ..SchemaNode::default()
    };
    with([
        ("profile", null()),
        ("error", string()),
        ("status", null()),
        ("session_id", null()),
        ("agent_type", null()),
        ("delegation_depth", null()),
        ("delegation_path", none()),
        ("summary", null()),
        ("summary_tokens", null()),
        ("duration_seconds", null()),
        ("recoverable", null()),
        ("next_steps", null()),
        ("partial_progress", null()),
        ("completion_data", null()),
        ("counts", null()),
        ("errors", none()),
        ("findings", none()),
        ("artifacts", none()),
    ])
}

fn read() -> SchemaNode {
    with([("profile", string()), ("error", null())])
}

fn summary_tokens() -> SchemaNode {
    let number = SchemaNode {
        minimum: Some(0),
        ..number()
    };
    number.or_null().described("Characters / 4, unrounded.")
}

fn next() -> SchemaNode {
    let action = SchemaNode::one_of(Action::ALL.map(Action::as_str));
    object! {
        "action": action.described("What the orchestrator should do.");
        "agent": string().or_null().described("The agent whose turn it is, if it is known.");
    }
}

fn partial_progress() -> SchemaNode {
    object! {
        "stage": string().or_null();
        "details": string().or_null();
        "phases_completed": number().or_null();
        "phases_total": number().or_null();
    }
}

fn errors() -> SchemaNode {
    SchemaNode::array(object! {
        "type": string().or_null();
        "message": string().or_null();
        "code": string().or_null();
        "recoverable": boolean().or_null();
        "recommendation": string().or_null();
    })
}

fn steps() -> SchemaNode {
    let each = Step::ALL.map(|step| {
        object! {
            "step": SchemaNode::one_of([step.as_str()]);
            "outcome": SchemaNode::one_of(Ended::ALL.map(Ended::as_str));
            "reason": string().or_null().described("Why it was skipped.");
        }
    });
    SchemaNode {
        fewest: Some(each.len()),
        first_items: each.to_vec(),
        items: Some(Others::Allowed(false)),
        ..SchemaNode::of_type("array")
    }
}

fn findings() -> SchemaNode {
    let levels = [Level::Error, Level::Warning].map(Level::as_str);
    let pointer = string().or_null();
    let finding = object! {
        "rule": rule();
        "level": SchemaNode::one_of(levels);
        "message": string();
        "help": string().described("How to fix it.");
        "pointer": pointer.described("RFC 6901; null where the text is not JSON.");
        "line": count(1).described("From 1.");
        "column": count(1).described("From 1, in Unicode scalar values.");
        "offset": count(0).described("Bytes from 0 in the file.");
        "length": count(0).described("Bytes.");
        "suggestion" optional:
            string().described("What was probably meant. It is part of `help`, too.");
    };
    SchemaNode {
        most: Some(Report::FINDINGS_KEPT),
        ..SchemaNode::array(finding)
    }
}

fn artifacts() -> SchemaNode {
    let states = ArtifactState::ALL.map(ArtifactState::as_str);
    SchemaNode::array(object! {
        "path": string().described("As in the return.");
        "type": string().or_null().described("As in the return.");
        "summary": string().or_null().described("As in the return.");
        "state": SchemaNode::one_of(states);
        "bytes": count(0).or_null().described("The size of the file, where there is one.");
    })
}

fn evidence() -> SchemaNode {
    let file = "The handoff file that has the claim, if the return has not.";
    let claim = object! {
        "rule": rule();
        "claim": string().described("What is claimed; the rule reports that it is not so.");
        "pointer": string().described("RFC 6901; empty for the whole return.");
        "file": string().or_null().described(file);
        "value": SchemaNode::one_of(EvidenceValue::ALL.map(EvidenceValue::as_str));
        "reason": string().described("Why it has that value.");
    };
    let claims = SchemaNode {
        most: Some(Report::FINDINGS_KEPT),
        ..SchemaNode::array(claim)
    };
    claims.described("What the evidence says of each claim. Only with evidence.")
}
