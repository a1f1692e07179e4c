//! The test runners that are known, with the options that leave their tests running.

use std::sync::LazyLock;

use super::options::Options;

/// Test runners that take the same options.
pub(super) struct RunnerFamily {
    /// The first words of their commands, with a comma or a line break between commands. All words of a
    /// command are the name of the runner. `*` stands for any word or beginning of a word.
    pub(super) commands: &'static str,
    pub(super) options: Options,
}

const fn family(commands: &'static str, options: &'static str) -> RunnerFamily {
    let options = Options(options);
    RunnerFamily { commands, options }
}

/// Runners whose first operand must look like a path or be `run`, because other words are tasks that may
/// run no tests.
pub(super) const WITH_TASKS: [&str; 5] = ["swift test", "tox", "nox", "vitest", "ava"];

/// The known test runners: a paragraph for each family, with its commands and, indented, its options.
pub(super) static FAMILIES: LazyLock<Vec<RunnerFamily>> = LazyLock::new(|| {
    let families = include_str!("table.txt").trim_end().split("\n\n");
    let families = families.map(|it| it.split_once("\n ").unwrap_or((it, "")));
    let families = families.map(|(commands, options)| family(commands, options));
    families.collect()
});

/// Programs that run the command after them.
pub(super) const LAUNCHERS: RunnerFamily = family(
    "npx, pnpx, bunx, npm exec, pnpm exec, pnpm dlx, yarn exec, yarn dlx, uv run, poetry run, \
     pipenv run, pdm run, rye run, hatch run, pixi run, bundle exec, mise exec, mise x, \
     coverage run -m, php, yarn, pnpm",
    "-y -q -p: -e: -d: -C: -F:? -w -r --yes --no-install --filter:? --prefix: --dir: --cwd: \
     --workspace-root --recursive --with: --python: --package: --project: --directory: --group: \
     --extra: --all-extras --all-groups --dev --frozen --locked --no-sync --offline --isolated \
     --environment: --cd: --manifest-path:",
);

/// Arguments with which no test runs, even if the output has a summary.
pub(super) const NO_RUN: &str = "--no-run --help -h --version --list -list --list-tests --listTests \
    --collect-only --co --dry-run -n -N";
