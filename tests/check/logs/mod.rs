//! The error log: its size, and what a killed process leaves behind.
#![cfg(target_os = "linux")]

mod size;
mod temporary;

use std::fs;

use crate::common::World;
use serde_json::Value;

const PHANTOM: &str = "rules/artifact-not-found/fail/phantom.json --root project";

/// The records of a log, each of them whole.
fn records(world: &World, log: &str) -> Vec<Value> {
    let text = fs::read_to_string(world.path(log)).expect("a log");
    let log: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    log["errors"].as_array().expect("an array").clone()
}

/// The names in a folder, sorted.
fn names(world: &World, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(world.path(folder)).expect("a folder");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .map(|name| name.into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}
