//! Where the clients keep their transcripts.

use std::path::PathBuf;

use crate::clients::Client;
use crate::text::escape;

/// The clients whose transcripts can be read.
pub(super) const RECORDING: [Client; 6] = [
    Client::ClaudeCode,
    Client::Codex,
    Client::Copilot,
    Client::Gemini,
    Client::OpenCode,
    Client::Qwen,
];

/// The client with this name, if its transcripts can be read.
pub(super) fn recording(name: &str) -> Option<Client> {
    let client = name.parse().ok();
    client.filter(|client| RECORDING.contains(client))
}

/// The history of each client: the variable that moves the client's folder, this folder in the home
/// folder, and the folder of the history in it.
const HISTORIES: [(Client, &str, &str, &str); 6] = [
    (
        Client::ClaudeCode,
        "CLAUDE_CONFIG_DIR",
        ".claude",
        "projects",
    ),
    (Client::Codex, "CODEX_HOME", ".codex", "sessions"),
    (Client::Codex, "CODEX_HOME", ".codex", "archived_sessions"),
    (Client::Copilot, "COPILOT_HOME", ".copilot", "session-state"),
    (Client::Gemini, "GEMINI_CLI_HOME", ".gemini", "tmp"),
    (Client::Qwen, "QWEN_HOME", ".qwen", "projects"),
];

/// The folders of these clients that are there, and what to say if none has a transcript. Without clients,
/// those of all.
pub(super) fn found(clients: &[Client]) -> (Vec<PathBuf>, String) {
    if clients == [Client::OpenCode] {
        return (Vec::new(), "opencode keeps a database: `opencode export SESSION > FILE` writes a transcript, which you name".to_owned());
    }
    let variable = |name| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let (mut found, mut looked_at) = (Vec::new(), Vec::new());
    for (client, moved, home, below) in HISTORIES {
        if !clients.is_empty() && !clients.contains(&client) {
            continue;
        }
        let moved = variable(moved).map(|moved| match client {
            // Gemini's variable names the folder that has its folder.
            Client::Gemini => moved.join(home).join(below),
            _ => moved.join(below),
        });
        looked_at.push(match &moved {
            Some(moved) => escape::path(moved),
            None => format!("~/{home}/{below}"),
        });
        let in_home = || Some(variable("HOME")?.join(home).join(below));
        found.extend(moved.or_else(in_home).filter(|place| place.is_dir()));
    }
    let places = looked_at.join(", ");
    let missing =
        format!("there is no history of a client in {places}: name a folder with transcripts");
    (found, missing)
}
