//! What the client's own files tell about an agent, beyond the payload: its transcript, that of its caller,
//! and its metadata file.

use std::path::Path;
use std::rc::Rc;

use crate::clients::transcript::locate::{AgentFiles, beside, candidates, is_of_workflow, search};
use crate::clients::transcript::{Call, CallKind, Run, Transcript};
use crate::clients::{Event, Moment};

use crate::cli::session_file;

/// The agent's run, as far as it is recorded. None without records.
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

/// Whether the agent is built into the client, or a workflow of the client runs it. Built-in agents answer
/// in prose, and those of a workflow as its script asks them to, so they are not checked by default.
pub(super) fn is_built_in(event: &Event, agent: &str) -> bool {
    let facts = event.client.facts();
    let is_listed = facts.built_in_agents.contains(&agent);
    if !facts.has_sidecars {
        return is_listed;
    }
    // The names are known from the start, the files only at the end.
    let mut paths = files(event).filter_map(|files| files.sidecar);
    let sidecar = paths.find_map(|path| session_file::read_sidecar(&path));
    let sidecar = sidecar.unwrap_or_default();
    sidecar.is_in_workflow == Some(true)
        || is_by_workflow(event)
        || sidecar.is_builtin.unwrap_or(is_listed)
}

/// Whether the agent has handed its result to a workflow by a tool: a workflow runs it, and it ends without
/// a message.
pub(super) fn has_handed_over(event: &Event) -> bool {
    let is_silent = event.message.as_deref().is_none_or(is_empty);
    event.moment == Moment::Stop && is_silent && is_by_workflow(event)
}

/// Whether the agent's record has a call of a tool by which its client ends agents.
pub(super) fn has_ended_by_tool(event: &Event) -> bool {
    let is_end = |call: &Call| call.kind == CallKind::Answer;
    run_of(event).is_some_and(|run| run.calls.iter().any(is_end))
}

/// Whether the agent's transcript is among those of a workflow.
pub(super) fn is_by_workflow(event: &Event) -> bool {
    let own = event.agent_transcript.as_deref();
    own.is_some_and(is_of_workflow)
}

fn is_empty(text: &str) -> bool {
    text.trim().is_empty()
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
    session_file::read_cached(path).ok()
}

/// The event, completed with what the transcripts tell about its agent where the payload lacks something.
pub(super) fn completed(event: &Event) -> Event {
    let mut event = event.clone();
    let has_records = !matches!(
        event.moment,
        Moment::Start | Moment::Failure | Moment::Foreign
    );
    let Some(run) = has_records.then(|| run_of(&event)).flatten() else {
        return event;
    };
    // The client may rewrite a result; the transcript has what the agent wrote.
    let is_missing = event.moment != Moment::Stop || event.message.as_deref().is_none_or(is_empty);
    event.message = run.final_message.filter(|_| is_missing).or(event.message);
    event.agent = event.agent.or(run.agent_type);
    event.prompt = event.prompt.or(run.prompt);
    event
}
