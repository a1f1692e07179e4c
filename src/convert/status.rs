//! The status in the target's words, by what was done; never a guess.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::convert::changes::Changes;
use crate::convert::note::NoteKind;
use crate::convert::raw::{Leaf, made, text, texts};
use crate::convert::source::SourceReturn;
use crate::convert::{ConvertError, Supplied};
use crate::json::pointer::Pointer;
use crate::profile::{Meaning, Profile, Status};
use crate::text::escape::truncated;

/// What shows that work was of one sort: words in the names of agents and commands, and the sorts
/// of artifact that come of it (seed 004, examples). A summary comes of any.
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

/// The status for the target; the artifacts must have the source's words still.
pub(super) fn status<'t>(
    source: &mut SourceReturn<'t>,
    supplied: &Supplied<'_>,
    ledger: &mut Changes<'t>,
) -> Result<Leaf<'t>, ConvertError> {
    let (from, to) = (ledger.from, ledger.to);
    let asked = supplied.status.map(|word| asked(word, to)).transpose()?;
    let word = text(&source.status);
    let known = word.as_deref().and_then(|word| from.status(word, None));
    let (chosen, why) = match (known, asked) {
        (None, None) => return Ok(source.status.take()),
        (None, Some(asked)) => (&*asked.word, "--status".to_owned()),
        (Some(known), asked) => match (to.status(&known.word, None), asked) {
            (Some(same), Some(asked)) if same.word != asked.word => {
                return Err(contradiction(known, asked));
            }
            (Some(_), _) => return Ok(source.status.take()),
            (None, Some(asked)) if asked.meaning != known.meaning => {
                return Err(contradiction(known, asked));
            }
            (None, Some(asked)) => (
                &*asked.word,
                format!("{} is {} here (--status)", known.word, asked.word),
            ),
            (None, None) => {
                let (chosen, evidence) = by_evidence(source, known, to)?;
                (
                    chosen,
                    format!("{} is {chosen} here ({evidence})", known.word),
                )
            }
        },
    };
    let at = Pointer::root().key("status");
    ledger.uncopy(&at);
    if known.is_some() {
        ledger.mapped(&at, &at, why);
    } else {
        ledger.note(NoteKind::Supplied, (None, Some(&at)), why);
        if let Some(Cow::Borrowed(stood)) = source.status {
            ledger.keep(&at, stood, format!("it is no status of {}", from.id));
        }
    }
    Ok(made(chosen))
}

fn asked(word: &str, to: &'static Profile) -> Result<&'static Status, ConvertError> {
    to.status(word, None)
        .ok_or_else(|| ConvertError::NoSuchStatus {
            word: truncated(word).to_string(),
            target: &to.id,
            words: list(to.statuses.iter().map(|status| &*status.word)),
        })
}

fn contradiction(known: &Status, asked: &'static Status) -> ConvertError {
    ConvertError::Contradiction {
        word: known.word.to_string(),
        asked: &asked.word,
    }
}

/// The word that the agent's name, else the command's, and the artifacts agree on; and why.
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
        let signs: Vec<_> = signs.map(|sign| sign.said.as_str()).collect();
        return Ok((status, signs.join(", ")));
    }
    Err(ConvertError::StatusUnclear {
        word: known.word.to_string(),
        words: list(words.into_iter()),
    })
}

/// Something that speaks for a status.
struct Sign {
    status: &'static str,
    /// What it is; safe to print.
    said: String,
}

/// What the first name that tells anything may mean: the agent's, else the nearest to it in its
/// chain of delegations.
fn of_names(source: &SourceReturn<'_>, possible: &[&Evidence]) -> Vec<Sign> {
    let chain = texts(&source.metadata.delegation_path);
    let names = source.metadata.agent().into_iter();
    let mut signs = names.chain(chain.into_iter().rev()).map(|name| {
        let lower = name.to_lowercase();
        let words: Vec<_> = lower
            .split(|character: char| !character.is_alphanumeric())
            .collect();
        let means = |evidence: &&&Evidence| words.iter().any(|word| evidence.names.contains(word));
        let spoken_for = possible.iter().filter(means);
        let sign = |evidence: &&Evidence| Sign {
            status: evidence.status,
            said: format!("by {}", truncated(&name)),
        };
        spoken_for.map(sign).collect::<Vec<_>>()
    });
    signs.find(|signs| !signs.is_empty()).unwrap_or_default()
}

/// What the artifacts may mean, each status once.
fn of_artifacts(source: &mut SourceReturn<'_>, possible: &[&Evidence]) -> Vec<Sign> {
    let artifacts = source.artifacts.parts();
    let sorts: HashSet<_> = artifacts
        .filter_map(|(_, artifact)| text(&artifact.kind))
        .collect();
    let sign = |evidence: &&Evidence| {
        let sort = evidence
            .artifacts
            .iter()
            .find(|sort| sorts.contains(**sort))?;
        Some(Sign {
            status: evidence.status,
            said: format!("artifact {sort}"),
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
