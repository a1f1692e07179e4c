//! Joins what a transcript has of one agent in several places. An agent that is resumed by a call has a run
//! for each call, and a notification may name an agent before the result of its call does.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{Completeness, End, Gap, Run, Tokens, fill};

/// Joins the runs of each agent into the first of them.
pub(in crate::clients) fn joined(runs: Vec<Run>) -> Vec<Run> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut joined: Vec<Run> = Vec::with_capacity(runs.len());
    for run in runs {
        let id = run.agent_id.clone();
        match id.map(|id| places.entry(id)) {
            Some(Entry::Occupied(place)) => joined[*place.get()].join(run),
            Some(Entry::Vacant(place)) => {
                place.insert(joined.len());
                joined.push(run);
            }
            None => joined.push(run),
        }
    }
    for run in &mut joined {
        run.calls.sort_by_key(|call| call.line);
        run.compare_counts();
    }
    joined
}

impl Run {
    /// Adds another run of the same agent, which begins later.
    fn join(&mut self, later: Self) {
        let is_task = self.tool_call_id.is_some() && later.tool_call_id.is_some();
        if is_task && later.end == End::NotStarted {
            return;
        }
        self.completeness = self.completeness_with(&later, is_task);
        self.fill_start(&later);
        fill!(self, later: started);
        self.ended = self.ended.max(later.ended);
        self.asked = self.asked.max(later.asked);
        self.calls.extend(later.calls);
        self.is_recorded |= later.is_recorded;
        self.ends_in_text = later.ends_in_text;
        if is_task {
            let (own, later_details) = (&mut self.details, later.details);
            own.duration = own
                .duration
                .zip(later_details.duration)
                .map(|(own, later)| own + later);
            own.context_tokens = later_details.context_tokens;
            own.status = later_details.status;
            let counts = self.reported_calls.zip(later.reported_calls);
            self.reported_calls = counts.map(|(own, later)| own.saturating_add(later));
            self.final_message = later.final_message;
            self.end = later.end;
            self.resumed = true;
            self.times_asked_again = later.times_asked_again;
            self.tokens.add(later.tokens);
        } else {
            fill!(self, later: reported_calls, final_message);
            if self.end == End::Unknown {
                self.end = later.end;
            }
            self.resumed |= later.resumed;
            self.times_asked_again = self.times_asked_again.max(later.times_asked_again);
            if self.tokens == Tokens::default() {
                self.tokens = later.tokens;
            }
        }
    }

    /// Whether both runs together have every call. `is_task`: each has a task of its own. Otherwise one
    /// may have only what the caller's records say.
    fn completeness_with(&self, later: &Self, is_task: bool) -> Completeness {
        const ELSEWHERE: Completeness = Completeness::Partial(Gap::Elsewhere);
        match (self.completeness, later.completeness) {
            (ELSEWHERE, of_later) if !is_task => of_later,
            (own, ELSEWHERE) if !is_task => own,
            (ELSEWHERE, _) | (_, ELSEWHERE) => ELSEWHERE,
            (Completeness::Complete, of_later) => of_later,
            (own, _) => own,
        }
    }

    /// Compares the number of all calls with the count of the client.
    fn compare_counts(&mut self) {
        let found = self.calls.len() as u64;
        let Some(reported) = self.reported_calls else {
            return;
        };
        self.completeness = match self.completeness {
            other @ Completeness::Partial(Gap::OtherClient { .. }) => other,
            _ if reported == found => Completeness::Complete,
            Completeness::Partial(Gap::Count { .. }) => {
                Completeness::Partial(Gap::Count { found, reported })
            }
            Completeness::Complete if reported > found => {
                Completeness::Partial(Gap::Count { found, reported })
            }
            other => other,
        };
    }
}
