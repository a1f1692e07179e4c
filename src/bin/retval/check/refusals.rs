//! Mistakes that depend on several options, and those that are reported together with other mistakes.

use anyhow::{anyhow, bail};
use retval::Root;
use retval::config::SettingValues;

use crate::check::args::CheckArgs;
use crate::check::baseline::RunBaseline;
use crate::check::options::CheckOptions;
use crate::check::outputs::{self, FileUse, NamedFile};
use crate::check::task::Task;
use crate::evidence;
use crate::input::Feed;
use crate::mistakes::Mistakes;
use crate::regular_file;
use crate::settings::{Settings, is_on};

/// Combines an error of the settings with the mistakes of single options. Mistakes that depend on
/// settings or on several options cannot be found without the settings.
pub(super) fn beside(settings: anyhow::Error, args: &CheckArgs) -> anyhow::Error {
    let mut mistakes = Mistakes::default();
    mistakes.keep::<()>(Err(settings));
    of_single_options(args, &SettingValues::default(), &mut mistakes);
    mistakes.into_error()
}

/// The mistakes in the settings and in single options, other than wrong values, which clap has reported
/// already.
pub(crate) fn beside_wrong_values(args: &CheckArgs) -> Mistakes {
    let mut mistakes = Mistakes::default();
    let settings = mistakes
        .keep(Settings::load_at_once(&args.config))
        .flatten();
    let values = settings.as_ref().map(|settings| settings.values.clone());
    let values = values.unwrap_or_default();
    if let Some(settings) = settings {
        let profile = args.profile.as_ref().or(values.profile.as_ref());
        mistakes.keep(settings.profile_or_auto(profile.map(String::as_str)));
    }
    of_single_options(args, &values, &mut mistakes);
    mistakes
}

/// Adds the mistakes of single options. Files whose read may block are not read, so that mistakes are
/// reported immediately.
fn of_single_options(args: &CheckArgs, values: &SettingValues, mistakes: &mut Mistakes) {
    mistakes.keep(args.refuse_null());
    mistakes.keep(args.checker.refuse_levels());
    if let Some(path) = &args.task {
        mistakes.keep(Task::open(path));
    }
    let baseline = args.baseline.as_ref().or(values.baseline.as_ref());
    if let Some(path) = baseline.filter(|path| !regular_file::may_wait(path)) {
        let is_updated = is_on(args.update_baseline, None);
        mistakes.keep(RunBaseline::open(path, is_updated, Vec::new()));
    }
    if let Some(path) = args.root.as_ref().or(values.root.as_ref()) {
        mistakes.keep(Root::open(path).map_err(anyhow::Error::from));
    }
    if let Some(path) = &args.transcript.transcript {
        mistakes.keep(evidence::of_option(path, args.transcript.agent_id.clone()));
    }
}

/// Adds the options that have no effect on these inputs.
pub(super) fn unused(options: &CheckOptions, feed: &Feed<'_>, mistakes: &mut Mistakes) {
    let mut refuse = |why: &'static str| mistakes.keep::<()>(Err(anyhow!(why)));
    if options.filter.is_some() && !feed.is_lines_only() {
        refuse(
            "--filter needs one return per line: use --ndjson for standard input, or files named *.ndjson or *.jsonl",
        );
    }
    if options.ndjson && !feed.reads_stdin() {
        refuse(
            "--ndjson applies to standard input, which is not read here: name files *.ndjson or *.jsonl instead",
        );
    }
    if options.stdin_filename.is_some() && !feed.reads_stdin() {
        refuse(
            "--stdin-filename applies to standard input, which is not read here: a file has its own name",
        );
    }
}

/// Adds the options that name the same file or exclude each other.
pub(super) fn contradictions(options: &CheckOptions, mistakes: &mut Mistakes) {
    mistakes.keep(outputs::refuse_shared(&options.outputs));
    let files = named_files(options);
    mistakes.keep(outputs::refuse_same(&files));
    let inputs = options.paths.iter().chain(&options.files_from);
    let inputs: Vec<_> = inputs.chain(&options.transcript).collect();
    mistakes.keep(outputs::refuse_inputs(&files, &inputs));
    if let Some(folder) = &options.save_invalid {
        mistakes.keep(outputs::refuse_saved(folder, &options.paths));
    }
    if options.baseline.is_some() {
        mistakes.keep(refuse_fail_fast(options));
        mistakes.keep(refuse_filter(options));
    }
}

fn refuse_fail_fast(options: &CheckOptions) -> anyhow::Result<()> {
    if options.checker.fail_fast {
        bail!("--fail-fast hides findings that --baseline should accept: use only one of them");
    }
    Ok(())
}

fn refuse_filter(options: &CheckOptions) -> anyhow::Result<()> {
    if options.filter.is_some() {
        bail!(
            "--filter selects by validity, and --baseline changes what is valid: use only one of them"
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
