//! The README is true: its commands print what it shows, its tables are the library's.
//!
//! `UPDATE=1 cargo test` writes outputs and tables anew: read the difference.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use retval::config::SETTINGS;
use retval::format::Format;
use retval::profile::{HANDOFF, Meaning, PROFILES};
use retval::rules::RULES;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("a README")
}

/// Holds the README to `expected`, or makes it so.
fn hold(expected: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::write(root().join("README.md"), expected).expect("a README");
    }
    let (found, expected): (Vec<_>, Vec<_>) = (
        readme().lines().map(str::to_owned).collect(),
        expected.lines().collect(),
    );
    for (number, (found, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(found, expected, "README.md:{}", number + 1);
    }
    assert_eq!(found.len(), expected.len());
}

/// Runs a command with retval on the `PATH`.
fn shell(command: &str, folder: &Path) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_retval"))
        .parent()
        .expect("a folder");
    let path = format!(
        "{}:{}",
        binary.display(),
        std::env::var("PATH").expect("a path")
    );
    let mut bash = Command::new("bash");
    bash.args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .env_remove("CLICOLOR_FORCE");
    bash.output().expect("bash runs")
}

/// What a reader sees who runs a command at the root of the project.
fn run(command: &str) -> String {
    let output = shell(&format!("{command} 2>&1"), root());
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn console_sessions_show_what_is_printed() {
    let readme = readme();
    let mut text = String::new();
    let mut in_session = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            in_session = line == "```console";
        }
        match line.strip_prefix("$ ") {
            Some(command) if in_session => {
                let _ = write!(text, "{line}\n{}", run(command));
            }
            _ if in_session && line != "```console" => {}
            _ => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    hold(&text);
}

/// The README with what stands between two marks replaced.
fn with(name: &str, table: &str) -> String {
    let readme = readme();
    let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = readme.split_once(&open).expect("a mark");
    let (_, after) = rest.split_once(&close).expect("a mark");
    format!("{before}{open}\n{table}\n{close}{after}")
}

#[test]
fn tables_are_the_librarys() {
    hold(&with("rules", &rules()));
    hold(&with("profiles", &profiles()));
    hold(&with("agents", &agents()));
    hold(&with("settings", &settings()));
}

fn rules() -> String {
    let mut table = "| step | rule | level | source | means |\n|---|---|---|---|---|\n".to_owned();
    for rule in RULES {
        let level = rule.level.name();
        let step = serde_json::to_value(rule.step).expect("a name");
        let step = step.as_str().expect("a name").to_owned();
        let _ = writeln!(
            table,
            "| {step} | `{}` | {level} | {} | {} |",
            rule.id, rule.source, rule.explanation
        );
    }
    table
}

fn profiles() -> String {
    let columns = "profile | document | seeds | success: artifacts must exist | other statuses";
    let mut table = format!("| {columns} |\n|---|---|---|---|---|\n");
    for profile in PROFILES {
        let words = |success: bool| {
            let chosen = profile
                .statuses
                .iter()
                .filter(|status| (status.meaning == Meaning::Success) == success);
            let words: Vec<_> = chosen.map(|status| format!("`{}`", status.word)).collect();
            if words.is_empty() {
                "the agent's".to_owned()
            } else {
                words.join(" ")
            }
        };
        let (id, document, seeds) = (&profile.id, &profile.document, &profile.seeds);
        let _ = writeln!(
            table,
            "| `{id}` | {document} | {seeds} | {} | {} |",
            words(true),
            words(false)
        );
    }
    table
}

fn settings() -> String {
    let mut table = "| setting | environment | default | means |\n|---|---|---|---|\n".to_owned();
    for setting in &SETTINGS {
        let variable = setting.variable.map(|name| format!("`{name}`"));
        let default = match setting.default {
            "" => String::new(),
            default => format!("`{default}`"),
        };
        let (name, about) = (setting.name, setting.about);
        let variable = variable.unwrap_or_default();
        let _ = writeln!(table, "| `{name}` | {variable} | {default} | {about} |");
    }
    table
}

fn agents() -> String {
    let mut table = "| agent | status words |\n|---|---|\n".to_owned();
    for agent in HANDOFF.agents.iter() {
        let words = agent.statuses.iter().map(|status| match status.meaning {
            Meaning::Success => format!("**`{}`**", status.word),
            _ => format!("`{}`", status.word),
        });
        let _ = writeln!(
            table,
            "| {} | {} |",
            agent.name,
            words.collect::<Vec<_>>().join(" ")
        );
    }
    table
}

#[test]
fn every_format_is_described() {
    let readme = readme();
    let table = readme.split_once("| `--format` |").expect("a table").1;
    let rows = table
        .lines()
        .skip(2)
        .map_while(|line| line.strip_prefix("| `"));
    let described: Vec<_> = rows
        .filter_map(|row| Some(row.split_once('`')?.0))
        .collect();
    assert_eq!(described, Format::NAMES.map(|(name, _)| name));
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let mut in_dependencies = false;
    let readme = readme();
    let section = readme.split_once("## Dependencies").expect("a section").1;
    for line in manifest.lines() {
        if line.starts_with('[') {
            in_dependencies = line.contains("dependencies]");
        } else if let (true, Some((name, _))) = (in_dependencies, line.split_once(" = ")) {
            assert!(section.contains(name), "{name} has no reason in the README");
        }
    }
}

/// The orchestrator of the README with a subagent that answers as told, one answer a call.
fn delegate(folder: &Path, answers: &[&str]) -> String {
    let readme = readme();
    let script = readme
        .split_once("```bash\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .expect("a script")
        .0;
    for (number, answer) in answers.iter().enumerate() {
        fs::write(folder.join(format!("answer-{number}")), answer).expect("a file");
    }
    let subagent = r#"
run_subagent() {
  local count=$(cat calls 2>/dev/null || echo 0)
  printf '%s' "$2" > "prompt-$count"
  echo $((count + 1)) > calls
  session=$(grep -o 'sess_[0-9_]*' prompt-0 | head -n 1)
  sed "s/SESSION/$session/" "answer-$count"
}
"#;
    let script = format!("{subagent}\n{script}\ndelegate planner 'Plan it.'");
    String::from_utf8(shell(&script, folder).stdout).expect("UTF-8")
}

#[test]
fn the_orchestrator_passes_on_one_valid_return_whatever_comes_back() {
    let good = r#"{"status":"completed","summary":"The plan is made. It is short.","artifacts":[{"type":"plan","path":"plan.md","summary":"x"}],"metadata":{"session_id":"SESSION","agent_type":"planner","delegation_depth":1,"delegation_path":["orchestrator","planner"]}}"#;
    let fenced = format!("Here it is:\n```json\n{good}\n```\n");
    for (answers, calls, status, recorded) in [
        ([good, ""], "1\n", "completed", false),
        ([&fenced, good], "2\n", "completed", false),
        ([&fenced, &fenced], "2\n", "failed", true),
        (["I have made the plan.", good], "2\n", "completed", false),
        (["I have made the plan.", "Really."], "2\n", "failed", true),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("plan.md"), "1. Do it.\n").expect("a file");
        let returned: serde_json::Value =
            serde_json::from_str(&delegate(folder.path(), &answers)).expect("a return");
        assert_eq!(returned["status"], status);
        assert_eq!(
            fs::read_to_string(folder.path().join("calls")).expect("calls"),
            calls
        );
        assert_eq!(folder.path().join("errors.json").exists(), recorded);
        let prompt = fs::read_to_string(folder.path().join("prompt-0")).expect("a prompt");
        assert!(
            prompt.starts_with("Plan it.\n\nRETURN FORMAT\n"),
            "{prompt}"
        );
    }
}

/// The lines of the recipes for CI that run retval, as a shell gets them.
fn recipes() -> Vec<String> {
    let readme = readme();
    let section = readme.split_once("## In CI\n").expect("a section").1;
    let section = section.split_once("\n## ").expect("another").0;
    let lines = section.lines().filter(|line| line.contains("retval check"));
    lines
        .map(|line| {
            let line = line.trim().trim_start_matches("- ");
            let line = line.trim_start_matches("run: ");
            line.replace(
                "entry: retval check",
                "retval check specs/.return-meta.json specs/old.json",
            )
        })
        .collect()
}

#[test]
fn recipes_for_ci_run_as_they_stand() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |below: &str| folder.path().join(below);
    fs::create_dir(path("specs")).expect("a folder");
    fs::write(path("specs/old.json"), "Done!").expect("a file");
    fs::write(path("specs/.return-meta.json"), "{}").expect("a file");
    let recipes = recipes();
    assert_eq!(recipes.len(), 4, "{recipes:?}");
    for recipe in recipes {
        let output = shell(&recipe, folder.path());
        assert_eq!(output.status.code(), Some(1), "{recipe}");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(
            text.contains("Invalid JSON return from subagent"),
            "{recipe}: {text}"
        );
        assert!(output.stderr.is_empty(), "{recipe}");
    }
    let sarif = fs::read_to_string(path("retval.sarif")).expect("a report");
    assert!(sarif.contains("json-syntax"));
    let junit = fs::read_to_string(path("retval.xml")).expect("a report");
    assert!(junit.contains("<failure"));
}
