//! Claims with the longest and most indirect paths, and the files and links for them.
#![allow(dead_code, reason = "the benchmark and the tests use their parts")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A claim, and its expected state.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    pub(crate) path: String,
    pub(crate) state: &'static str,
}

/// A folder `project`, which is the root, with folders nested `levels` deep inside of it and next to it.
pub(crate) struct Ways {
    base: PathBuf,
    levels: usize,
}

impl Ways {
    pub(crate) fn new(base: &Path, levels: usize) -> Self {
        let ways = Self { base: base.canonicalize().expect("a folder"), levels };
        let (down, deep) = (ways.down(), ways.base.join("project/deep"));
        let lowest = ways.base.join(format!("project/deep{down}"));
        fs::create_dir_all(&lowest).expect("folders");
        fs::write(lowest.join("plan.md"), "# Plan\n").expect("a file");
        fs::create_dir_all(ways.base.join(format!("away{down}"))).expect("folders");
        ways.link("alias", &ways.base.display().to_string());
        ways.link("by-another-name", "project");
        ways.link("project/away", &ways.absolute("away", ""));
        ways.link("project/away-upwards", &format!("../away{down}"));
        ways.link("project/lowest", &format!("deep{down}"));
        ways.link("project/lowest-absolute", &format!("{}{down}", deep.display()));
        ways.link("project/here", ".");
        ways.link("project/round", "round");
        for hop in 0..40 {
            let next = match hop {
                0 => "here/lowest/plan.md".to_owned(),
                _ => format!("hop{}", hop - 1),
            };
            let there_and_back = "deep/../".repeat(levels / 4) + &next;
            ways.link(&format!("project/hop{hop}"), &there_and_back);
        }
        ways
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.base.join("project")
    }

    fn link(&self, name: &str, target: &str) {
        symlink(target, self.base.join(name)).expect("a link");
    }

    fn down(&self) -> String {
        "/x".repeat(self.levels)
    }

    /// An absolute path through the folder `name` next to the root, down all levels, to a file.
    fn absolute(&self, name: &str, file: &str) -> String {
        format!("{}/{name}{}{file}", self.base.display(), self.down())
    }

    pub(crate) fn all(&self) -> Vec<Way> {
        const OUTSIDE: &str = "outside-root";
        let down = self.down();
        let way = |name, path: &str, state| Way { name, path: path.to_owned(), state };
        // All symlinks of a path together may add at most 2,048 steps.
        let hops = if self.levels > 40 { "unreadable" } else { "ok" };
        vec![
            way("ordinary", "here.md", "not-found"),
            way("down", &format!("deep{down}/plan.md"), "ok"),
            way("down, not there", &format!("deep{down}/no.md"), "not-found"),
            way("down and up", &("deep/../".repeat(self.levels / 4) + "lowest/plan.md"), "ok"),
            way("absolute, outside", &self.absolute("away", ""), OUTSIDE),
            way("absolute, nowhere", &down, OUTSIDE),
            way("absolute, by an alias", &self.absolute("alias/away", ""), OUTSIDE),
            way("absolute, inside", &self.absolute("by-another-name/deep", "/plan.md"), "ok"),
            way(
                "absolute, inside, not there",
                &self.absolute("by-another-name/deep", "/no.md"),
                "not-found",
            ),
            way("link to outside", "away", OUTSIDE),
            way("link to outside, and on", &format!("away{down}"), OUTSIDE),
            way("link up and outside", "away-upwards", OUTSIDE),
            way("link down", "lowest/plan.md", "ok"),
            way("link down, absolute", "lowest-absolute/plan.md", "ok"),
            way("39 links to where they are", &("here/".repeat(39) + "here.md"), "not-found"),
            way("37 links in a row", "hop36", hops),
            way("40 links too many", "round", "not-found"),
        ]
    }
}

impl Drop for Ways {
    fn drop(&mut self) {
        // The standard library cannot remove folders this deep.
        let folders = ["away", "project/deep"].map(|name| self.base.join(name));
        let removed = Command::new("rm").arg("-rf").args(folders).status();
        removed.expect("rm runs");
    }
}
