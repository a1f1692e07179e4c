//! The README and the manual are correct: their commands print the output shown, their tables agree with
//! the library, their scripts run, their links have targets, and `retval help` prints every page.
//!
//! `UPDATE=1 cargo test --test docs` writes outputs and tables again. Read the diff afterwards.

mod accuracy;
mod conformance;
mod examples;
mod features;
mod first_use;
mod help;
mod imports;
mod links;
mod man;
mod names;
mod orchestrator;
mod pages;
mod readme;
mod recipes;
mod session;
mod tables;
mod types;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const README: &str = "README.md";
const MANUAL: &str = "src/manual";
const CONTRIBUTING: &str = ".github/CONTRIBUTING.md";
const MEASUREMENTS: &str = "benches/README.md";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).expect("a document")
}

/// The names of the manual's pages, sorted.
fn page_names() -> Vec<String> {
    let files = fs::read_dir(root().join(MANUAL)).expect("a folder");
    let files = files.map(|file| file.expect("a file").path());
    let pages = files.filter(|path| path.extension().is_some_and(|it| it == "md"));
    let stem = |path: PathBuf| path.file_stem()?.to_str().map(str::to_owned);
    let mut names: Vec<_> = pages.filter_map(stem).collect();
    names.sort();
    names
}

fn page_path(name: &str) -> String {
    format!("{MANUAL}/{name}.md")
}

fn page(name: &str) -> String {
    read(&page_path(name))
}

/// The READMEs, the page on changing retval and the manual, by their paths below the root of the project.
fn documents() -> Vec<String> {
    let pages = page_names();
    let pages = pages.iter().map(|name| page_path(name));
    let others = [README, CONTRIBUTING, MEASUREMENTS].map(str::to_owned);
    others.into_iter().chain(pages).collect()
}

/// The code blocks of a document in a language.
fn blocks(document: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let text = read(document);
    let parts = text.split(fence.as_str()).skip(1);
    let blocks = parts.filter_map(|part| Some(part.split_once("```\n")?.0.to_owned()));
    blocks.collect()
}

/// Bash with retval on the `PATH`.
fn shell(script: &str, folder: &Path) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_retval")).parent();
    let system = std::env::var("PATH").expect("a path");
    let path = format!("{}:{system}", binary.expect("a folder").display());
    let mut bash = Command::new("bash");
    bash.args(["-c", script])
        .current_dir(folder)
        .env("PATH", path)
        .env("HOME", folder)
        .env_remove("CLICOLOR_FORCE");
    bash.output().expect("bash runs")
}

/// Runs retval at the root of the project.
fn retval(arguments: &[&str]) -> Output {
    let mut retval = Command::new(env!("CARGO_BIN_EXE_retval"));
    retval.args(arguments).current_dir(root());
    retval.output().expect("it runs")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}
