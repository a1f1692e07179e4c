//! Where the clients keep their transcripts.

use std::path::PathBuf;

use retval::internal::clients::Client;

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

/// The folder of a client's history, and the variable that moves the client's folder.
struct HistoryFolder {
    client: Client,
    variable: &'static str,
    /// The client's folder in the home folder.
    home: &'static str,
    below: &'static str,
}

const HISTORIES: [HistoryFolder; 6] = [
    HistoryFolder {
        client: Client::ClaudeCode,
        variable: "CLAUDE_CONFIG_DIR",
        home: ".claude",
        below: "projects",
    },
    HistoryFolder {
        client: Client::Codex,
        variable: "CODEX_HOME",
        home: ".codex",
        below: "sessions",
    },
    HistoryFolder {
        client: Client::Codex,
        variable: "CODEX_HOME",
        home: ".codex",
        below: "archived_sessions",
    },
    HistoryFolder {
        client: Client::Copilot,
        variable: "COPILOT_HOME",
        home: ".copilot",
        below: "session-state",
    },
    HistoryFolder {
        client: Client::Gemini,
        variable: "GEMINI_CLI_HOME",
        home: ".gemini",
        below: "tmp",
    },
    HistoryFolder {
        client: Client::Qwen,
        variable: "QWEN_HOME",
        home: ".qwen",
        below: "projects",
    },
];

/// The folders of the clients that are there. Without clients, those of all.
pub(super) fn found(clients: &[Client]) -> Vec<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = folder("HOME").map(PathBuf::from);
    let is_wanted = |it: &&HistoryFolder| clients.is_empty() || clients.contains(&it.client);
    let places = HISTORIES.iter().filter(is_wanted).filter_map(|history| {
        let moved = folder(history.variable).map(PathBuf::from);
        // Gemini's variable names the folder that has its folder.
        let moved = moved.map(|moved| match history.client {
            Client::Gemini => moved.join(history.home),
            _ => moved,
        });
        let own = home.as_ref().map(|home| home.join(history.home));
        Some(moved.or(own)?.join(history.below))
    });
    places.filter(|place| place.is_dir()).collect()
}

/// Why no history was found.
pub(super) fn missing(clients: &[Client]) -> String {
    if clients == [Client::OpenCode] {
        return "opencode keeps a database: `opencode export SESSION > FILE` writes a transcript, which you name".to_owned();
    }
    let is_wanted = |it: &&HistoryFolder| clients.is_empty() || clients.contains(&it.client);
    let places = HISTORIES.iter().filter(is_wanted);
    let places = places.map(|it| format!("~/{}/{}", it.home, it.below));
    let places = places.collect::<Vec<_>>().join(", ");
    format!("there is no history of a client in {places}: name a folder with transcripts")
}
