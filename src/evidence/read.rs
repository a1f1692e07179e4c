//! Whether the agent has read a file that its return is about.

use crate::clients::run::{Completeness, Outcome};
use crate::evidence::assessment::{Assessment, CallLabel, EvidenceReason, lack, used};
use crate::evidence::place::ClaimedFile;
use crate::evidence::reads::{GivenText, NO_PROMPT, SeenInCall, may_be};
use crate::evidence::subject::Subject;

impl Subject<'_> {
    /// Whether the agent read the file, searched a folder around it, or wrote it.
    pub(crate) fn read(
        &self,
        file: &ClaimedFile<'_>,
        given: Option<&GivenText<'_>>,
        quote: Option<&str>,
    ) -> Assessment {
        let run = match self.run() {
            Ok(run) => run,
            Err(why) => return Assessment::unknown(why),
        };
        let mut maybe = None;
        for (at, shown) in self.reads(file) {
            let is_certain = match shown {
                SeenInCall::Below(place, is_certain) if file.place.starts_with(place) => {
                    *is_certain
                }
                SeenInCall::File(Some(place), _, outcome) if *place == file.place => {
                    match outcome {
                        Outcome::Failed | Outcome::Rejected => continue,
                        outcome => *outcome == Outcome::Succeeded,
                    }
                }
                SeenInCall::File(place, name, _)
                    if may_be(file, place.as_deref(), name.as_deref()) =>
                {
                    false
                }
                SeenInCall::Any => false,
                SeenInCall::Below(..) | SeenInCall::File(..) => continue,
            };
            if is_certain {
                let call = CallLabel::new(run, *at);
                let text = format!("{call} read it, or searched where it is");
                return Assessment::shown(EvidenceReason::of(text, call));
            }
            maybe = maybe.or(Some(*at));
        }
        if let Completeness::Partial(gap) = run.completeness {
            return Assessment::unknown(lack(gap));
        }
        if let Some(at) = maybe {
            let call = CallLabel::new(run, at);
            let text = format!("{call} may have shown it");
            return Assessment::unknown(EvidenceReason::of(text, call));
        }
        let given = given.map_or(Some(NO_PROMPT), |given| {
            given.may_have(file.places.root, &file.place, quote)
        });
        if let Some(why) = given {
            return Assessment::unknown(why);
        }
        let used = used(run);
        let reason = EvidenceReason::from(format!("no call read it; the agent {used}"));
        let to_agent = format!("no call of yours read it; you {used}");
        Assessment::contradicted(reason.or_to_agent(to_agent))
    }

    /// What the agent was given to read. None if its prompt is not recorded.
    pub(crate) fn given(&self) -> Option<GivenText<'_>> {
        let run = self.run().ok()?;
        run.prompt
            .as_ref()
            .map(|prompt| GivenText::new(prompt, run))
    }
}
