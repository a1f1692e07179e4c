//! The console return and the metadata file, which have the same structure, and the `{"status": …}`
//! of the compact protocol, which is its smallest form.

use std::borrow::Cow;

use crate::json::decode::record::record;
use crate::json::field::{Anything, FieldList, Integer, Number};

record! {
    /// The return of a subagent.
    pub(crate) struct Return<'t> {
        /// How the work ended.
        "status" => pub status: Cow<'t, str>,
        /// What was done, in a few sentences.
        "summary" => pub summary: Cow<'t, str>,
        /// The files that the agent says it wrote.
        "artifacts" => pub artifacts: FieldList<Artifact<'t>>,
        /// The delegation, and the agent that answers it.
        "metadata" => pub metadata: Metadata<'t>,
        /// The errors that occurred.
        "errors" => pub errors: FieldList<ReportedError<'t>>,
        /// What the caller should do next.
        "next_steps" => pub next_steps: Cow<'t, str>,
        /// The start of the agent, in ISO 8601 (return-meta).
        "started_at" => pub started_at: Cow<'t, str>,
        /// How far interrupted work got (return-meta).
        "partial_progress" => pub partial_progress: PartialProgress<'t>,
        /// The data to close the task (return-meta).
        "completion_data" => pub completion_data: CompletionData<'t>,
    }
}

record! {
    /// One file that the agent says it wrote.
    pub(crate) struct Artifact<'t> {
        /// The type of the file.
        "type" => pub kind: Cow<'t, str>,
        /// The path, relative to the project's root.
        "path" => pub path: Cow<'t, str>,
        /// The content, in one sentence.
        "summary" => pub summary: Cow<'t, str>,
    }
}

record! {
    /// The delegation, the agent that answers it, and the duration.
    pub(crate) struct Metadata<'t> {
        /// The delegation that this return answers.
        "session_id" => pub session_id: Cow<'t, str>,
        /// The agent's name.
        "agent_type" => pub agent_type: Cow<'t, str>,
        /// The depth in the chain of delegations.
        "delegation_depth" => pub delegation_depth: Integer,
        /// The agents from the orchestrator down to this one.
        "delegation_path" => pub delegation_path: FieldList<Cow<'t, str>>,
        /// Seconds from invocation to return.
        "duration_seconds" => pub duration_seconds: Number,
        /// The number of phases of a plan.
        "phase_count" => pub phase_count: Number,
        /// The estimated hours for a plan.
        "estimated_hours" => pub estimated_hours: Number,
        /// The number of findings of a research task.
        "findings_count" => pub findings_count: Number,
        /// The number of completed phases (return-meta).
        "phases_completed" => pub phases_completed: Number,
        /// The total number of phases (return-meta).
        "phases_total" => pub phases_total: Number,
        /// The number of retries (return-v1).
        "retries" => pub retries: Number,
        /// Problems that did not affect the result (return-v1).
        "warnings" => pub warnings: FieldList<Anything>,
    }
}

record! {
    /// One error.
    pub(crate) struct ReportedError<'t> {
        /// The type of the error.
        "type" => pub kind: Cow<'t, str>,
        /// What happened.
        "message" => pub message: Cow<'t, str>,
        /// An `UPPERCASE_SNAKE_CASE` code (return-v1).
        "code" => pub code: Cow<'t, str>,
        /// Whether a retry may help.
        "recoverable" => pub recoverable: bool,
        /// What to do about it.
        "recommendation" => pub recommendation: Cow<'t, str>,
    }
}

record! {
    /// How far interrupted work got.
    pub(crate) struct PartialProgress<'t> {
        /// The stage reached.
        "stage" => pub stage: Cow<'t, str>,
        /// A description of the progress.
        "details" => pub details: Cow<'t, str>,
        /// The number of completed phases.
        "phases_completed" => pub phases_completed: Number,
        /// The total number of phases.
        "phases_total" => pub phases_total: Number,
    }
}

record! {
    /// The data to close a finished task.
    pub(crate) struct CompletionData<'t> {
        /// What was accomplished, in one to three sentences.
        "completion_summary" => pub completion_summary: Cow<'t, str>,
        /// The roadmap's items that this task addresses.
        "roadmap_items" => pub roadmap_items: FieldList<Cow<'t, str>>,
        /// What changed in the agents' own configuration.
        "claudemd_suggestions" => pub claudemd_suggestions: Cow<'t, str>,
    }
}
