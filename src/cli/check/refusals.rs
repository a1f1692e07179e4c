//! Options that contradict each other, or have no effect on the inputs.

use crate::Profile;
use crate::format::Format;
use crate::profile::Shape;
use crate::text::escape;
use anyhow::bail;

use crate::cli::check::options::CheckOptions;
use crate::cli::check::outputs::{self, FileUse, NamedFile, OutputSpec};
use crate::cli::input::{Feed, LineContent};

/// Refuses options that have no effect on these inputs.
pub(super) fn unused(options: &CheckOptions, feed: &Feed<'_>) -> anyhow::Result<()> {
    if options.filter.is_some() && !feed.is_lines_only() {
        bail!(
            "--filter needs one return per line: use --ndjson for standard input, or files named *.ndjson or *.jsonl"
        );
    }
    let holds_texts = options.lines == LineContent::Text;
    if holds_texts && feed.has_no_lines() {
        bail!(
            "--ndjson-texts applies to standard input and to files named *.ndjson or *.jsonl: none is read here"
        );
    }
    if options.ndjson && !holds_texts && !feed.reads_stdin() {
        bail!(
            "--ndjson applies to standard input, which is not read here: name files *.ndjson or *.jsonl instead"
        );
    }
    if options.stdin_filename.is_some() && !feed.reads_stdin() {
        bail!(
            "--stdin-filename applies to standard input, which is not read here: a file has its own name"
        );
    }
    Ok(())
}

/// Refuses options that name the same file or exclude each other.
pub(super) fn contradictions(options: &CheckOptions) -> anyhow::Result<()> {
    outputs::refuse_shared(&options.outputs)?;
    let files = named_files(options);
    outputs::refuse_same(&files)?;
    let inputs = options.paths.iter().chain(&options.files_from);
    let inputs: Vec<_> = inputs.chain(&options.transcript).collect();
    outputs::refuse_inputs(&files, &inputs)?;
    if let Some(folder) = &options.save_invalid {
        outputs::refuse_saved(folder, &options.paths)?;
    }
    if options.baseline.is_some() && options.checker.fail_fast {
        bail!("--fail-fast hides findings that --baseline should accept: use only one of them");
    }
    if options.baseline.is_some() && options.filter.is_some() {
        bail!(
            "--filter selects by validity, and --baseline changes what is valid: use only one of them"
        );
    }
    Ok(())
}

/// Refuses a format that cannot express the returns of the profile.
pub(super) fn formats(options: &CheckOptions, profile: Option<&Profile>) -> anyhow::Result<()> {
    let is_return = |output: &OutputSpec| output.format == Format::Return;
    if let Some(profile) = profile.filter(|profile| profile.is_own_standard())
        && options.outputs.iter().any(is_return)
    {
        bail!(
            "--format return cannot write a failed return of the profile {}: it extends no built-in profile",
            escape::full(&profile.id)
        );
    }
    if options.at.is_some()
        && let Some(profile) = profile.filter(|profile| profile.shape == Shape::Message)
    {
        bail!(
            "--at finds nothing in a return of the profile {}: it is a message without members",
            profile.id
        );
    }
    Ok(())
}

/// The files that options name, except the inputs.
fn named_files(options: &CheckOptions) -> Vec<NamedFile<'_>> {
    let named = |option, usage| {
        move |file| NamedFile {
            option,
            format: None,
            file,
            usage,
        }
    };
    let outputs = options.outputs.iter().filter_map(NamedFile::of_output);
    let log = options.errors_json.as_deref();
    let log = log.map(named("--errors-json", FileUse::Append));
    let baseline = options.baseline.as_ref().map(|baseline| {
        let usage = if baseline.is_updated {
            FileUse::Replace
        } else {
            FileUse::Read
        };
        named("--baseline", usage)(&baseline.path)
    });
    outputs.chain(log).chain(baseline).collect()
}
