//! The calls of runs, and their paths.

use std::sync::Arc;

use super::{
    CALLS_AT_MOST, COMMAND_AT_MOST, NAME_AT_MOST, PATHS_OF_CALL_AT_MOST, Runs, TOOLS_AT_MOST,
};
use crate::clients::run::new_call::{CallPlace, EnteredCall, NewCall};
use crate::clients::run::{Call, Gap, Outcome};

impl Runs {
    pub(in crate::clients) fn call_place(&self, id: &str) -> Option<CallPlace> {
        self.calls.get(&self.hash(id)).copied()
    }

    pub(in crate::clients) fn call_at(&mut self, (run, at): CallPlace) -> &mut Call {
        &mut self.drafts[run].run.calls[at]
    }

    pub(in crate::clients) fn call(&mut self, run: usize, new: &NewCall) -> EnteredCall {
        let id = self.hash(new.id);
        // A call with an empty id has no id: it is always new, and no result belongs to it.
        let known = self.calls.get(&id).filter(|_| !new.id.is_empty());
        if let Some(place) = known.copied() {
            // Several records may have the same call.
            let has_own_paths = !self.reported.contains(&place);
            if !new.repeats(self.call_at(place), has_own_paths) {
                self.record_gap(Gap::SameId);
            }
            return EnteredCall {
                is_new: false,
                place: Some(place),
            };
        }
        if self.kept_calls == CALLS_AT_MOST || new.id.len() > NAME_AT_MOST {
            self.record_gap(Gap::TooMuch);
            return EnteredCall::default();
        }
        self.kept_calls += 1;
        let call = self.new_call(run, new);
        let place = (run, self.drafts[run].call(call));
        if !new.id.is_empty() {
            self.calls.insert(id, place);
        }
        EnteredCall {
            is_new: true,
            place: Some(place),
        }
    }

    fn new_call(&mut self, run: usize, new: &NewCall) -> Call {
        let short = |text: &&str| text.len() <= NAME_AT_MOST;
        let command = new.command.filter(|text| text.len() <= COMMAND_AT_MOST);
        let mut paths = Vec::with_capacity(new.paths.len().min(PATHS_OF_CALL_AT_MOST));
        for path in new.paths {
            self.add_path(&mut paths, path);
        }
        Call {
            name: self.tool(Some(new.name).filter(short).unwrap_or_default()),
            kind: new.kind,
            paths,
            command: command.and_then(|command| self.store(command)),
            background: new.background,
            agent_id: None,
            cwd: new.cwd.and_then(|cwd| self.folder(cwd)),
            shell: new.shell,
            outcome: Outcome::Unknown,
            effect: new.effect,
            exit_code: None,
            is_silent: false,
            test_summary: None,
            time: self.drafts[run].now(),
            line: new.line,
        }
    }

    pub(in crate::clients) fn add_path(&mut self, paths: &mut Vec<String>, path: &str) {
        if paths.len() == PATHS_OF_CALL_AT_MOST || path.len() > NAME_AT_MOST {
            self.record_gap(Gap::TooMuch);
        } else {
            paths.extend(self.store(path));
        }
    }

    /// Sets the paths that the client reports for a call, in the place of those in its arguments: a hook
    /// may have replaced them. False, and a gap, if the client has reported others before.
    pub(in crate::clients) fn report_paths(
        &mut self,
        place: CallPlace,
        paths: Vec<String>,
    ) -> bool {
        let is_first = self.reported.insert(place);
        let call = self.call_at(place);
        if !is_first && call.paths != paths {
            self.record_gap(Gap::SameId);
            return false;
        }
        call.paths = paths;
        true
    }

    /// Like [`Runs::report_paths`], for the result of a call that writes one file.
    pub(in crate::clients) fn report_path(&mut self, place: CallPlace, path: &str) {
        if self.call_at(place).paths == [path] {
            return;
        }
        let mut paths = Vec::new();
        self.add_path(&mut paths, path);
        self.report_paths(place, paths);
    }

    /// The name of a tool. Calls share it, because there are few tools and many calls.
    fn tool(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.tools.iter().find(|known| ***known == *name) {
            return Arc::clone(known);
        }
        let name = Arc::from(self.store(name).unwrap_or_default());
        if self.tools.len() < TOOLS_AT_MOST {
            self.tools.push(Arc::clone(&name));
        }
        name
    }

    fn folder(&mut self, cwd: &str) -> Option<Arc<str>> {
        if self.cwd.as_deref() != Some(cwd) {
            self.cwd = Some(cwd)
                .filter(|cwd| cwd.len() <= NAME_AT_MOST)
                .and_then(|cwd| self.store(cwd))
                .map(Arc::from);
        }
        self.cwd.clone()
    }
}
