//! `retval schema`: options to a schema, losses on standard error.

use std::io::Write as _;

use anyhow::bail;
use retval::Profile;
use retval::profile::RETURN;
use retval::schema::{Request, Target};

use crate::Exit;
use crate::cli::Schema;
use crate::output::{Sink, Targets};
use crate::settings::Settings;

pub(crate) fn run(mut options: Schema) -> anyhow::Result<Exit> {
    let settings = Settings::load(&options.configured)?;
    let is_report = options.target == Some(Target::Report);
    if !is_report {
        settings.fill_schema(&mut options)?;
    }
    let profile = settings.profile(options.profile.as_deref())?;
    let profile = profile.unwrap_or(&RETURN);
    let levels = settings.all_levels(profile);
    let profile = Profile {
        levels: &levels,
        ..*profile
    };
    print(&options, &profile)
}

fn print(options: &Schema, profile: &Profile<'_>) -> anyhow::Result<Exit> {
    let request = Request {
        profile,
        target: options.target.unwrap_or(Target::Full),
        session: options.session.as_deref(),
        agent: options.agent.as_deref(),
    };
    refuse_idle(options, &request)?;
    let made = request.make()?;
    let mut sink = match options.output.as_deref() {
        Some(file) if file.as_os_str() != "-" => Sink::to_file(file)?,
        _ => Sink::Stdout,
    };
    sink.write(format!("{}\n", made.schema).as_bytes())?;
    sink.finish(&Targets::default())?;
    for loss in &made.losses {
        let _ = writeln!(std::io::stderr().lock(), "note: {loss}");
    }
    Ok(Exit::Valid)
}

/// An option that would change nothing was meant to.
fn refuse_idle(options: &Schema, request: &Request<'_>) -> anyhow::Result<()> {
    let (session, agent) = (options.session.is_some(), options.agent.is_some());
    if request.target == Target::Report {
        for (option, is_given) in [
            ("--profile", options.profile.is_some()),
            ("--session", session),
            ("--agent", agent),
        ] {
            if is_given {
                bail!("{option} is of no use with --target report, which describes no profile");
            }
        }
    }
    if session && request.profile.session.is_none() {
        bail!(
            "--session is of no use here: documents of the profile {} bear no session id",
            request.profile.id
        );
    }
    Ok(())
}
