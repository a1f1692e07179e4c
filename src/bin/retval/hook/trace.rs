//! What the client's transcripts tell about an agent, beyond the payload.

use std::path::Path;
use std::rc::Rc;

use retval::internal::clients::transcript::locate::{AgentFiles, beside, candidates, search};
use retval::internal::clients::transcript::{Run, Sidecar, Transcript};
use retval::internal::clients::{Event, Moment};

use crate::session_file;

pub(super) fn run_of(event: &Event) -> Option<Run> {
    let id = event.agent_id.as_deref();
    let found = files(event).find_map(|files| read_own(&files, id));
    let is_known = |run: &Run| run.prompt.is_some() && run.agent_type.is_some();
    if found.as_ref().is_some_and(is_known) {
        return found;
    }
    // The caller's transcript has the rest, and in some clients everything.
    let caller = read(event.transcript.as_deref()?);
    let Some(mut run) = found else {
        return caller?.agent(id?).cloned();
    };
    if let Some(reported) = caller
        .as_ref()
        .and_then(|caller| reported(caller, &run, id))
    {
        run.add_reported(reported);
    }
    Some(run)
}

pub(super) fn sidecar_of(event: &Event) -> Option<Sidecar> {
    let mut paths = files(event).filter_map(|files| files.sidecar);
    paths.find_map(|path| session_file::read_sidecar(&path))
}

/// The files that the agent may have, the most likely first. Folders are listed only for the last ones.
fn files(event: &Event) -> impl Iterator<Item = AgentFiles> {
    let own = event.agent_transcript.as_deref().map(beside);
    let named = event.transcript.as_deref().zip(event.agent_id.as_deref());
    let session = event.session.as_deref();
    let near = named.map(|(parent, id)| candidates(parent, session, id));
    let far = named
        .into_iter()
        .flat_map(|(parent, id)| search(parent, id));
    own.into_iter().chain(near.into_iter().flatten()).chain(far)
}

fn read_own(files: &AgentFiles, id: Option<&str>) -> Option<Run> {
    let transcript = read(&files.transcript)?;
    let by_id = id.and_then(|id| transcript.agent(id));
    let mut run = by_id.or(transcript.runs.first())?.clone();
    let sidecar = files.sidecar.as_deref();
    if let Some(sidecar) = sidecar.and_then(session_file::read_sidecar) {
        run.add_sidecar(&sidecar);
    }
    Some(run)
}

/// What the caller's transcript tells about a run. While the agent runs, its call may have no id yet.
/// Then it is found by its prompt, if all calls with that prompt are for the same type of agent.
fn reported<'t>(caller: &'t Transcript, run: &Run, id: Option<&str>) -> Option<&'t Run> {
    let by_id = id.and_then(|id| caller.agent(id));
    let by_call = || caller.started_by(run.tool_call_id.as_deref()?);
    let by_prompt = || {
        let prompt = run.prompt.as_deref()?;
        let mut same = caller.runs.iter();
        let first = same.find(|other| is_call_with(other, prompt))?;
        same.filter(|other| is_call_with(other, prompt))
            .all(|other| other.agent_type == first.agent_type)
            .then_some(first)
    };
    by_id
        .filter(|run| run.agent_type.is_some())
        .or_else(by_call)
        .or_else(by_prompt)
}

fn is_call_with(run: &Run, prompt: &str) -> bool {
    run.agent_type.is_some() && run.prompt.as_deref() == Some(prompt)
}

pub(super) fn read(path: &Path) -> Option<Rc<Transcript>> {
    session_file::look(path).ok()
}

/// Completes an event from the run, where the payload lacks something.
pub(super) fn complete(event: &mut Event, run: &Run) {
    if event.agent.is_none() {
        event.agent.clone_from(&run.agent_type);
    }
    if event.prompt.is_none() {
        event.prompt.clone_from(&run.prompt);
    }
    let is_blank = |text: &String| text.trim().is_empty();
    // The client may rewrite a result; the transcript has what the agent wrote.
    let is_missing = event.message.as_ref().is_none_or(is_blank) || event.moment != Moment::Stop;
    if is_missing && run.final_message.is_some() {
        event.message.clone_from(&run.final_message);
    }
}
