//! Options of `retval convert`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use retval::Profile;

use super::Configured;
use super::names::{OneOf, built_in_names};

pub(super) const EXAMPLES: &str = "\
Conversions: return-v1 to return, return to return-v1, return to return-meta, return-v1 to
return-meta. Standard error says what was copied, mapped, supplied, defaulted and kept.

Exit codes:
  0  the output passes `retval check` for its profile
  1  it was written and does not pass; standard error says why
  2  nothing could be converted

Examples:
  retval convert --from return-v1 --to return old.json --output new.json
  retval convert --from return --to return-meta --status implemented < return.json
  retval convert --from return-v1 --to return old.json | retval check";

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// The return to convert; - or nothing is standard input
    pub(crate) file: Option<PathBuf>,
    /// Standard of the return
    #[arg(long, value_name = "PROFILE", value_parser = OneOf::new(built_in_names, Profile::named))]
    pub(crate) from: &'static Profile<'static>,
    /// Standard to convert it to
    #[arg(long, value_name = "PROFILE", value_parser = OneOf::new(built_in_names, Profile::named))]
    pub(crate) to: &'static Profile<'static>,

    /// Status in the target's words, where the return's could mean several
    #[arg(long, value_name = "WORD")]
    pub(crate) status: Option<String>,
    /// Session id, where the return has none; the output must bear it
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) session: Option<String>,
    /// Agent, where the return names none
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) agent: Option<String>,
    /// Seconds that the agent took, where the return does not say
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) duration_seconds: Option<serde_json::Number>,
    /// Depth in the chain of delegations, where the return does not say
    #[arg(long, value_name = "N")]
    pub(crate) delegation_depth: Option<u32>,
    /// Agents from the orchestrator to this one, where the return does not say
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    pub(crate) delegation_path: Vec<String>,

    /// Folder that artifacts are relative to [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Refuse a return of more bytes than this [default: 16777216, 16 MiB]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_bytes: Option<u64>,
    /// File for the output, replaced as a whole [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) configured: Configured,
}

/// A number that is not negative, kept as it is written.
fn seconds(text: &str) -> Result<serde_json::Number, String> {
    let number = text.parse::<serde_json::Number>().ok();
    number
        .filter(|number| number.as_f64().is_some_and(|seconds| seconds >= 0.0))
        .ok_or_else(|| "it is no number of seconds".to_owned())
}
