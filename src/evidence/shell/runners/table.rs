//! The test runners that are known, with the options that leave their tests running.

use super::options::Options;

/// Test runners that take the same options.
pub(super) struct RunnerFamily {
    /// The first words of their commands, with `, ` between commands. All words of a command are the name of
    /// the runner. `*` stands for any word or beginning of a word.
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

const MAKE: &str = "-j -l -C: -f: -s -k -B -w --no-print-directory --silent --jobs --directory: \
    --file: --keep-going --always-make -O --output-sync";
const JAVASCRIPT: &str = "-C: -w: -F:? --filter:? --prefix: --dir: --cwd: --workspace: --workspaces \
    -ws --workspace-root --include-workspace-root -r --recursive -s --silent --stream --parallel \
    --loglevel: --ci -i --runInBand --run --coverage --bail -b --fail-fast --watch=false \
    --watchAll=false --no-watch --no-coverage --reporter: --reporters: -R: --maxWorkers: --workers: \
    -j: --forceExit --exit --detectOpenHandles --no-cache -u --updateSnapshot --config: -c: \
    --configuration: --project: --browser: --browsers: --headed --headless --require: --timeout: \
    --testTimeout: --serial --concurrency: --tap --no-file-parallelism --pool: --retries: \
    --skip-nx-cache --skipNxCache --force --progress=false --no-progress --code-coverage";
const GRADLE: &str = "-q -i -s -w -p: --info --stacktrace --full-stacktrace --no-daemon --daemon \
    --console: --parallel --no-parallel --rerun-tasks --rerun --continue --offline --build-cache \
    --no-build-cache --warning-mode: --project-dir: --tests: --max-workers: --configuration-cache \
    --no-configuration-cache";

pub(super) const FAMILIES: &[RunnerFamily] = &[
    // Rust, C, C++, Zig, Go, Swift
    family(
        "cargo test, cargo t, cargo nextest run",
        "-q -v -p: -F: -j: -r --package: --workspace --all --exclude: --lib --bins --bin: --tests \
         --test: --examples --example: --all-targets --doc --features: --all-features \
         --no-default-features --release --profile: --locked --offline --frozen --target: \
         --target-dir: --manifest-path: --no-fail-fast --jobs: --nocapture --no-capture \
         --show-output --test-threads: --exact --skip: --include-ignored --retries:",
    ),
    family(
        "ctest",
        "-V -j: --parallel: --output-on-failure --test-dir: -C: --build-config: --timeout: \
         --progress --no-tests=error --schedule-random --stop-on-failure",
    ),
    family("make test, make check", MAKE),
    family("ninja test", "-C: -j: -k: -v"),
    family(
        "meson test",
        "-C: -v -q --print-errorlogs --no-rebuild -t: --timeout-multiplier: --num-processes:",
    ),
    family(
        "bazel test",
        "-k --keep_going --jobs: --test_output: --cache_test_results: --nocache_test_results \
         --test_timeout:",
    ),
    family("zig build test, zig test", "--summary: -j: -O:"),
    family(
        "go test, gotestsum",
        "-v -a -x -p: -C: -race -count=1 -short -timeout: -cover -coverprofile: -covermode: \
         -coverpkg: -failfast -parallel: -cpu: -json -mod: -tags: -trimpath -shuffle: -vet: \
         -buildvcs: --format: -f: --junitfile:",
    ),
    family(
        "swift test",
        "-q -v -c: --configuration: --parallel --num-workers: --enable-code-coverage \
         --package-path: --build-path: --scratch-path: --disable-sandbox",
    ),
    family(
        "xcodebuild test, xcodebuild clean test, xcodebuild build test, xcodebuild \
         test-without-building",
        "-quiet -scheme: -project: -workspace: -destination: -configuration: -sdk: \
         -derivedDataPath: -testPlan: -resultBundlePath: -enableCodeCoverage: \
         -parallel-testing-enabled:",
    ),
    // Python
    family(
        "pytest, py.test, python -m pytest",
        "-v -q -s -x -l -k: -m: -n: -W: -ra -rA -rs -rf -rx -rP -rN -rfE --tb: --maxfail: \
         --durations: --cov: --cov-report: --cov-config: --cov-branch --cov-append \
         --cov-fail-under: --no-cov --no-header --no-summary --strict-markers --strict-config --lf \
         --ff --nf --sw --last-failed --failed-first --stepwise --timeout: --dist: --numprocesses: \
         --junitxml: --junit-xml: --basetemp: --rootdir: --capture: --showlocals \
         --disable-warnings --exitfirst --ignore: --ignore-glob: --deselect: --import-mode:",
    ),
    family(
        "python -m unittest",
        "-v -b -f -q -c -s: -p: -t: --buffer --failfast",
    ),
    family(
        "python manage.py test",
        "-v: -b --parallel --keepdb --failfast --noinput --no-input --settings: --shuffle --buffer \
         --timing --debug-mode",
    ),
    family(
        "tox, nox",
        "-q -r --recreate -p: --reuse-existing-virtualenvs",
    ),
    family(
        "hatch test",
        "-a --all -c --cover -p --parallel -r --randomize -py: --python: -x -k: -q",
    ),
    // JavaScript
    family(
        "npm test, npm t, npm run test, pnpm test, pnpm t, pnpm run test, yarn test, yarn run test, \
         yarn workspace * test, yarn workspace * run test, bun test, bun run test, jest, mocha, \
         playwright test, cypress run, ng test, nx test, nx run *:test, turbo test, turbo run test, vitest, \
         ava",
        JAVASCRIPT,
    ),
    family(
        "deno test, deno task test",
        "-A -q -P --allow-all --allow-read --allow-write --allow-net --allow-env --allow-run \
         --allow-ffi --allow-sys --parallel --no-check --coverage: --fail-fast --trace-leaks \
         --reporter: --doc --shuffle -c: --config: --cwd:",
    ),
    family(
        "node --test",
        "--test-reporter: --test-concurrency: --test-timeout: --test-force-exit --import: \
         --require: -r: --loader: --experimental-test-coverage --experimental-strip-types \
         --no-warnings --enable-source-maps",
    ),
    // JVM, .NET
    family(
        "mvn test, mvn verify, mvn clean test, mvn clean verify, mvnw test, mvnw verify, mvnw clean \
         test, mvnw clean verify",
        "-q -B -e -U -o -X -T: -pl: -am -f: -ntp -fae --batch-mode --no-transfer-progress \
         --offline --errors --fail-at-end --threads: --projects: --also-make --file: -Dtest \
         -Dit.test -Dstyle.color",
    ),
    family(
        "gradle test, gradle check, gradle clean test, gradle *:test, gradlew test, gradlew check, \
         gradlew clean test, gradlew *:test",
        GRADLE,
    ),
    family("sbt test", "-batch --batch -no-colors"),
    family("lein test", ""),
    family(
        "dotnet test",
        "-c: -v: -l: -f: -s: --configuration: --no-build --no-restore --verbosity: --nologo \
         --logger: --framework: --collect: --results-directory: --blame --settings:",
    ),
    // Ruby, PHP, Perl, Elixir, Dart, Haskell
    family(
        "rspec",
        "-f: -fd -fp -c -b --format: --backtrace --fail-fast --order: --profile --require: -r: -I: \
         --seed: --force-color --tty",
    ),
    family("rake test, rake spec", "-q -s -v -t --silent --trace"),
    family("rails test", "-v -b -f -d -s: --fail-fast --seed:"),
    family(
        "phpunit, pest, php artisan test, composer test",
        "-q -c: --testdox --stop-on-failure --stop-on-error --no-coverage --coverage \
         --coverage-text --coverage-clover: --coverage-html: --configuration: --bootstrap: \
         --no-progress --parallel --ci --compact --bail --profile",
    ),
    family(
        "prove",
        "-l -b -r -v -q -Q -s -j: -I: -Ilib --lib --blib --recurse --timer --shuffle",
    ),
    family(
        "mix test",
        "--trace --cover --max-failures: --seed: --warnings-as-errors --slowest: --exclude:",
    ),
    family(
        "dart test, flutter test",
        "-r: -j: -p: --reporter: --concurrency: --coverage: --no-pub --machine \
         --chain-stack-traces --platform: --timeout:",
    ),
    family(
        "stack test, cabal test",
        "-v -j: --fast --pedantic --no-terminal --coverage --enable-coverage --test-show-details: \
         --jobs:",
    ),
    // Shell, task runners
    family(
        "bats",
        "-r -t -p -j: -x -T --recursive --tap --pretty --jobs: --timing --formatter: \
         --print-output-on-failure --verbose-run",
    ),
    family(
        "shellspec",
        "-f: -j: -s: -x --format: --jobs: --fail-fast --xtrace --shell:",
    ),
    family(
        "just test",
        "-q -v -f: -d: --justfile: --working-directory:",
    ),
    family(
        "task test, mise run test, mise r test, hatch run test, hatch run *:test, pixi run test, pdm \
         run test",
        "-q -s -v -y -d: -C: -j: -e: --silent --dir: --taskfile: --yes --force --cd: --jobs: --raw \
         --environment: --manifest-path: --frozen --locked",
    ),
];

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
