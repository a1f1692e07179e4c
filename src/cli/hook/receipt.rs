//! The receipt of an agent that ends: what its record shows, kept until its caller can be told, and added to what
//! the caller gets. It never takes the place of an answer, and is never for the agent itself.

use std::time::SystemTime;

use crate::Root;
use crate::clients::{Answer, Ended, Moment};
use crate::config::ReceiptMode;
use crate::evidence::{Receipt, ReturnIdentity, RunEnd, Subject, WorkEvidence};

use crate::cli::hook::case::Case;
use crate::cli::hook::options::HookOptions;
use crate::cli::hook::records;

impl Case<'_> {
    /// Notes what the record shows of an agent whose return is not checked.
    pub(super) fn note_unchecked(&mut self, options: &HookOptions) -> anyhow::Result<()> {
        let evidence = records::evidence(options, &self.event, &mut self.record);
        if let Some(evidence) = evidence {
            let root = Root::open(options.folder(&self.event))?;
            self.note_receipt(self.receipt_by(&evidence, &root));
        }
        Ok(())
    }

    /// The receipt of an agent without a record, of which its message alone is known.
    pub(super) fn receipt_of_message(&self, options: &HookOptions, root: &Root) -> Option<Receipt> {
        let facts = self.event.client.facts();
        let is_last = self.event.moment == Moment::Stop || !facts.result_follows_stop;
        let folder = options.folder(&self.event);
        let evidence = || WorkEvidence::default().repository(folder, None, records::GIT_AT_MOST);
        is_last.then(|| self.receipt_by(&evidence(), root))?
    }

    /// The receipt by the evidence alone, without the report on a return.
    fn receipt_by(&self, evidence: &WorkEvidence, root: &Root) -> Option<Receipt> {
        let text = self.event.message.as_deref().unwrap_or_default();
        let (session, is_file) = (None, false);
        let identity = ReturnIdentity { text, session, is_file };
        Subject::of(evidence, &identity, None, SystemTime::now).receipt(root, text)
    }

    pub(super) fn note_receipt(&mut self, receipt: Option<Receipt>) {
        let agent = self.event.agent.as_deref().unwrap_or_default();
        let Some(receipt) = receipt else { return };
        self.trace.receipt = receipt.line(agent, true);
        let is_told = match self.receipt_mode {
            ReceiptMode::Auto => receipt.stands_out(),
            ReceiptMode::Always => true,
            ReceiptMode::Off => false,
        };
        let line = receipt.line(agent, self.receipt_mode == ReceiptMode::Always);
        self.receipt = line.filter(|_| is_told && !self.is_observed);
    }

    /// Adds the receipt to the answer, or keeps it for the event of the caller.
    pub(super) fn with_receipt(&mut self, answer: Answer) -> Answer {
        let facts = self.event.client.facts();
        let comes_later = facts.result_follows_stop || facts.calls_for_caller;
        let receipt = self.receipt.take().map(|line| format!("retval: {line}\n"));
        match (self.event.moment, &answer) {
            // The agent goes on.
            (Moment::Stop | Moment::Call, Answer::Block(_)) => answer,
            (Moment::Stop | Moment::Failure, _) if comes_later => {
                // A second stop without a new message does not take it back.
                if receipt.is_some() || self.trace.receipt.is_some() {
                    self.record.receipt = receipt.filter(|_| self.event.agent_id.is_some());
                }
                answer
            }
            (Moment::Stop, Answer::Nothing) if facts.takes_replacement => {
                let message = self.event.message.as_deref().unwrap_or_default().trim_end();
                let receipt = receipt.filter(|_| is_prose(message));
                receipt.map_or(answer, |it| Answer::Replace(format!("{message}\n\n{it}")))
            }
            (Moment::Result | Moment::Notification | Moment::Failure, _) => {
                let kept = self.record.receipt.take();
                answer.with(receipt.or(kept).or_else(|| self.late_receipt()))
            }
            _ => answer,
        }
    }

    /// The receipt of an agent whose end the client tells only its caller.
    fn late_receipt(&mut self) -> Option<String> {
        let ended = match self.event.ended {
            Ended::AtTurnLimit => RunEnd::TurnLimit,
            Ended::Failed => RunEnd::Error,
            _ => return None,
        };
        let mut receipt = Receipt::of(&records::run_of(&self.event)?);
        receipt.ended = Some(ended);
        self.note_receipt(Some(receipt));
        self.receipt.take().map(|line| format!("retval: {line}\n"))
    }
}

/// Whether a message is certainly text for a reader, and ends so: anything that a program may read is left alone.
fn is_prose(message: &str) -> bool {
    let begins = message.starts_with(|it: char| it.is_alphabetic() || "#*".contains(it));
    let ends = message.ends_with(|it: char| it.is_alphanumeric() || ".!?:)*`".contains(it));
    begins && ends && message.contains(' ') && !message.contains("```") && !message.contains("<!--")
}

impl Answer {
    /// The same for a caller, which also gets this text.
    fn with(self, more: Option<String>) -> Self {
        let Some(more) = more else { return self };
        match self {
            Self::Nothing => Self::Tell(more),
            Self::Tell(text) | Self::Note(text) => {
                Self::Tell(format!("{}\n{more}", text.trim_end()))
            }
            Self::Block(text) => Self::Block(format!("{}\n{more}", text.trim_end())),
            other => other,
        }
    }
}
