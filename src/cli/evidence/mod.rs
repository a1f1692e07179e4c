//! Reads the evidence of an agent's work.

mod session;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::clients::transcript::TranscriptError;
use crate::evidence::WorkEvidence;
use crate::text::escape;
use anyhow::bail;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::cli::args::heading;
use crate::cli::stderr;
use session::Session;

// A doc comment here would become part of each command's help.
#[derive(Debug, Default, Args)]
pub(crate) struct TranscriptArgs {
    /// Record of the agent's run, to look for evidence in
    ///
    /// A transcript of any client, told by its content. Of a session with several agents, the return
    /// itself or --agent-id says which one is meant. See retval help evidence.
    #[arg(long, value_name = "FILE", help_heading = heading::EVIDENCE)]
    pub(crate) transcript: Option<PathBuf>,
    /// Commit before the run: what equals it counts as unchanged
    ///
    /// The repository around --root is only read.
    #[arg(long, value_name = "REV", value_parser = NonEmptyStringValueParser::new(), help_heading = heading::EVIDENCE, hide_short_help = true)]
    pub(crate) rev: Option<String>,
    /// The client's id of the agent in the transcript
    #[arg(long, value_name = "ID", requires = "transcript", help_heading = heading::EVIDENCE, hide_short_help = true)]
    pub(crate) agent_id: Option<String>,
}

/// The evidence from the transcript that an option names. Fails if the file cannot be read, is not a
/// transcript, or lacks the agent with `agent_id`. A transcript that is empty or cut off is allowed, but
/// contradicts no claim.
pub(crate) fn of_option(path: &Path, agent_id: Option<String>) -> anyhow::Result<WorkEvidence> {
    let name = escape::path(path);
    match Session::whole(path, agent_id.as_deref()) {
        Ok(session) => {
            if let Some(id) = agent_id.as_deref().filter(|id| session.lacks(id)) {
                bail!(
                    "--agent-id {}: {name} has no such agent; {}",
                    escape::truncated(id),
                    session.agents()
                );
            }
            Ok(session.evidence(path, agent_id))
        }
        Err(TranscriptError::Read(error)) if is_missing(&error) => bail!(
            "--transcript {name}: there is no such file; name the one that the client writes its record to"
        ),
        Err(TranscriptError::Read(error)) => bail!("--transcript {name}: {error}"),
        Err(TranscriptError::Unknown) => {
            bail!("--transcript {name}: it is no transcript of a known client")
        }
        Err(error) => {
            stderr::note(&format!("{name} is no evidence: {error}"));
            Ok(WorkEvidence::new().unread())
        }
    }
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// The evidence from a transcript, and from the other transcripts of its session in the folders next to
/// it. Those that cannot be read are ignored.
pub(crate) fn of_transcript(
    path: &Path,
    agent_id: Option<String>,
) -> Result<WorkEvidence, TranscriptError> {
    Ok(Session::whole(path, agent_id.as_deref())?.evidence(path, agent_id))
}
