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

impl HistoryFolder {
    /// The folder, if the variable moves it.
    fn moved(&self) -> Option<PathBuf> {
        let moved = folder(self.variable)?;
        // Gemini's variable names the folder that has its folder.
        Some(match self.client {
            Client::Gemini => moved.join(self.home).join(self.below),
            _ => moved.join(self.below),
        })
    }

    fn in_home(&self) -> Option<PathBuf> {
        Some(folder("HOME")?.join(self.home).join(self.below))
    }
}

fn folder(variable: &str) -> Option<PathBuf> {
    let value = std::env::var_os(variable);
    value.filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// The folders of these clients. Without clients, those of all.
fn of(clients: &[Client]) -> impl Iterator<Item = &'static HistoryFolder> {
    let is_wanted = |it: &&HistoryFolder| clients.is_empty() || clients.contains(&it.client);
    HISTORIES.iter().filter(is_wanted)
}

/// The folders of these clients that are there.
pub(super) fn found(clients: &[Client]) -> Vec<PathBuf> {
    let places = of(clients).filter_map(|it| it.moved().or_else(|| it.in_home()));
    places.filter(|place| place.is_dir()).collect()
}

/// Why no history was found.
pub(super) fn missing(clients: &[Client]) -> String {
    if clients == [Client::OpenCode] {
        return "opencode keeps a database: `opencode export SESSION > FILE` writes a transcript, which you name".to_owned();
    }
    let places = of(clients).map(|it| match it.moved() {
        Some(moved) => escape::path(&moved),
        None => format!("~/{}/{}", it.home, it.below),
    });
    let places = places.collect::<Vec<_>>().join(", ");
    format!("there is no history of a client in {places}: name a folder with transcripts")
}
