//! Determines the status of the target by evidence of the kind of work. It never guesses.

use std::collections::HashSet;

use crate::convert::changes::Changes;
use crate::convert::metadata::agent;
use crate::convert::note::NoteKind;
use crate::convert::raw::{Part, made};
use crate::convert::source::SourceReturn;
use crate::convert::{ConvertError, Supplied};
use crate::json::pointer::Pointer;
use crate::profile::{Meaning, Profile, Status};
use crate::text::escape::truncated;
use crate::text::suggest::eq_ignoring_case_and_separators;

/// What shows the kind of work: words in the names of agents and commands, and types of artifacts
/// (Return metadata file, examples). The artifact type `summary` shows nothing, because it occurs with
/// all kinds.
struct Evidence {
    status: &'static str,
    names: &'static [&'static str],
    artifacts: &'static [&'static str],
}

const EVIDENCE: &[Evidence] = &[
    Evidence {
        status: "researched",
        names: &["research", "researcher", "researching"],
        artifacts: &["report"],
    },
    Evidence {
        status: "planned",
        names: &["plan", "planner", "planning"],
        artifacts: &["plan"],
    },
    Evidence {
        status: "implemented",
        names: &["implement", "implementer", "implementation", "implementing"],
        artifacts: &["implementation"],
    },
];

/// Sets the status of the target. The artifacts must still have the types of the source.
pub(super) fn status<'t>(
    source: &mut SourceReturn<'t>,
    supplied: &Supplied<'_>,
    changes: &mut Changes<'t>,
) -> Result<(), ConvertError> {
    let (from, to) = (changes.from, changes.to);
    let requested = supplied
        .status
        .map(|word| requested(word, to))
        .transpose()?;
    let word = source.members.text("status");
    let exact = word.as_deref().and_then(|word| from.status(word, None));
    let known = exact.or_else(|| outcome(word.as_deref()?, from));
    let shown = truncated(word.as_deref().unwrap_or_default());
    let (chosen, why) = match (known, requested) {
        (None, None) => return Ok(()),
        (None, Some(requested)) => (&*requested.word, "--status".to_owned()),
        (Some(known), requested) => match (to.status(&known.word, None), requested) {
            (Some(same), Some(requested)) if same.word != requested.word => {
                return Err(contradiction(known, requested));
            }
            (Some(_), _) if exact.is_some() => return Ok(()),
            (Some(same), _) => (
                &*same.word,
                format!("{shown} to {} (a known outcome)", same.word),
            ),
            (None, Some(requested)) if requested.meaning != known.meaning => {
                return Err(contradiction(known, requested));
            }
            (None, Some(requested)) => (
                &*requested.word,
                format!("{shown} to {} (--status)", requested.word),
            ),
            (None, None) => {
                let (chosen, evidence) = by_evidence(source, known, to)?;
                (chosen, format!("{shown} to {chosen} ({evidence})"))
            }
        },
    };
    let at = Pointer::root().key("status");
    changes.uncopy(&at);
    let original = source.members.take("status");
    let kept = if known.is_some() {
        changes.mapped(&at, &at, why);
        exact.is_none().then(|| "the original word".to_owned())
    } else {
        changes.note(NoteKind::Supplied, None, Some(&at), why);
        Some(format!("not a status of {}", from.id))
    };
    if let (Some(why), Some(original)) = (kept, original) {
        changes.keep(&at, original, why);
    }
    source.members.set("status", made(chosen));
    Ok(())
}

/// The status of the source that a word stands for: a status in another spelling, or an alias of one,
/// such as `success`, `done` or `error`.
fn outcome(word: &str, from: &'static Profile) -> Option<&'static Status> {
    let same = |status: &&Status| eq_ignoring_case_and_separators(&status.word, word);
    let by_spelling = from.statuses.iter().find(same);
    by_spelling.or_else(|| from.status_by_alias(word, None))
}

fn requested(word: &str, to: &'static Profile) -> Result<&'static Status, ConvertError> {
    to.status(word, None)
        .ok_or_else(|| ConvertError::NoSuchStatus {
            word: truncated(word).to_string(),
            target: &to.id,
            words: list(to.statuses.iter().map(|status| &*status.word)),
        })
}

fn contradiction(known: &Status, requested: &'static Status) -> ConvertError {
    ConvertError::Contradiction {
        word: known.word.to_string(),
        requested: &requested.word,
    }
}

/// The status that the names and the artifacts agree on, and a description of the evidence.
fn by_evidence(
    source: &mut SourceReturn<'_>,
    known: &Status,
    to: &'static Profile,
) -> Result<(&'static str, String), ConvertError> {
    let successes = (to.statuses.iter()).filter(|status| status.meaning == Meaning::Success);
    let words: Vec<_> = successes.map(|status| &*status.word).collect();
    let possible: Vec<_> = (EVIDENCE.iter())
        .filter(|evidence| words.contains(&evidence.status))
        .collect();
    let by_name = of_names(source, &possible);
    let by_artifact = of_artifacts(source, &possible);
    let statuses = |signs: &[Sign]| signs.iter().map(|sign| sign.status).collect::<Vec<_>>();
    let (named, made) = (statuses(&by_name), statuses(&by_artifact));
    let agreed: Vec<_> = match (&named[..], &made[..]) {
        ([], statuses) | (statuses, []) => statuses.to_vec(),
        (named, made) => (named.iter().copied())
            .filter(|status| made.contains(status))
            .collect(),
    };
    if let [status] = agreed[..] {
        let signs = by_name.iter().chain(&by_artifact);
        let signs = signs.filter(|sign| sign.status == status);
        let signs: Vec<_> = signs.map(|sign| sign.description.as_str()).collect();
        return Ok((status, signs.join(", ")));
    }
    Err(ConvertError::StatusUnclear {
        word: known.word.to_string(),
        words: list(words.into_iter()),
    })
}

/// Evidence for a status.
struct Sign {
    status: &'static str,
    /// A description, safe to print.
    description: String,
}

/// The evidence of names. Only the first name with evidence counts, from the agent up its delegation
/// path.
fn of_names(source: &SourceReturn<'_>, possible: &[&Evidence]) -> Vec<Sign> {
    let chain = source.metadata.get("delegation_path").map(Part::texts);
    let chain = chain.unwrap_or_default();
    let names = agent(&source.metadata).into_iter();
    let mut signs = names.chain(chain.into_iter().rev()).map(|name| {
        let lower = name.to_lowercase();
        let words: Vec<_> = lower
            .split(|character: char| !character.is_alphanumeric())
            .collect();
        let means = |evidence: &&&Evidence| words.iter().any(|word| evidence.names.contains(word));
        let statuses = possible.iter().filter(means);
        let sign = |evidence: &&Evidence| Sign {
            status: evidence.status,
            description: format!("agent {}", truncated(&name)),
        };
        statuses.map(sign).collect::<Vec<_>>()
    });
    signs.find(|signs| !signs.is_empty()).unwrap_or_default()
}

/// The evidence of artifacts, each status once.
fn of_artifacts(source: &mut SourceReturn<'_>, possible: &[&Evidence]) -> Vec<Sign> {
    let artifacts = source.members.objects("artifacts");
    let kinds: HashSet<_> = artifacts
        .filter_map(|(_, artifact)| artifact.text("type"))
        .collect();
    let sign = |evidence: &&Evidence| {
        let kind = evidence
            .artifacts
            .iter()
            .find(|kind| kinds.contains(**kind))?;
        Some(Sign {
            status: evidence.status,
            description: format!("artifact {kind}"),
        })
    };
    possible.iter().filter_map(sign).collect()
}

fn list<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<_> = words.collect();
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => words.concat(),
    }
}
