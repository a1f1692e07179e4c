// The package, as it is installed: FIXTURES names the fixtures of the project.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import test from "node:test";

import { check, program, RetvalError } from "retval";

const root = join(process.env.FIXTURES, "project");
const read = (path) => readFileSync(join(process.env.FIXTURES, path));
const good = read("profiles/return/completed-plan.json");
const phantom = read("rules/artifact-not-found/fail/phantom.json");

const npx = (options, input) =>
  spawnSync("npx", ["--no-install", "retval", ...options], { input, encoding: "utf8" });

test("a valid and an invalid return", async () => {
  const session = "sess_1767225600_k3m9qa";
  const report = await check(good.toString(), { session, root });
  assert.equal(report.valid, true);
  assert.equal(report.session_id, session);
  const { valid, findings } = await check(phantom, { root });
  assert.equal(valid, false);
  assert.deepEqual(findings.map((it) => [it.rule, it.line]), [["artifact-not-found", 7]]);
});

test("the report is the record of the command", async () => {
  const texts = [good, phantom, "", "Done.", Buffer.from("ff007b", "hex"), "{}\r\n\r", "[".repeat(1000)];
  for (const input of texts) {
    const done = spawnSync(program(), ["check", "--root", root, "--format", "jsonl"], { input });
    assert.deepEqual(await check(input, { root }), JSON.parse(done.stdout));
  }
});

test("options", async () => {
  const fenced = "```json\n" + good + "\n```";
  assert.equal((await check(fenced, { root })).valid, false);
  const options = { root, extract: true, failFast: true, strict: false, agent: undefined };
  assert.equal((await check(fenced, { ...options, rule: ["json-wrapped=off", "field-unknown=off"] })).valid, true);
  const { findings } = await check(good, { root, session: "--help" });
  assert.equal(findings[0].rule, "session-mismatch");
});

test("what cannot be checked is an error", async () => {
  for (const options of [{ sesion: "s" }, { config: "/no/such/file.toml" }, { format: "sarif" }]) {
    await assert.rejects(check(good, { root, ...options }), (error) => {
      return error instanceof RetvalError && error.message.startsWith("error: ");
    });
  }
  // More than a pipe holds, to a program that does not read it.
  await assert.rejects(check("x".repeat(1 << 20), { sesion: "s" }), RetvalError);
  await assert.rejects(check("Done.", { signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("npx passes on input, output and exit code", () => {
  const valid = npx(["check", "-", "--root", root], good);
  assert.equal(valid.status, 0);
  assert.match(valid.stdout, /^\[PASS\] Return is valid JSON\n/);
  assert.equal(npx(["check", "-", "--root", root], phantom).status, 1);
  assert.equal(npx(["check", "--sesion", "s"], "").status, 2);
  assert.equal(npx(["demo"], "").status, 0);
});

test("the example of the README prints the findings", () => {
  const readme = readFileSync("node_modules/retval/README.md", "utf8");
  const example = readme.split("```js\n")[1].split("```")[0];
  writeFileSync("example.js", `const text = process.argv[2];\n${example}`);
  // `root` is relative in it.
  const run = (text) =>
    spawnSync(process.execPath, [resolve("example.js"), text], { cwd: process.env.FIXTURES, encoding: "utf8" });
  assert.deepEqual([run(good).stdout, run(good).stderr], ["", ""]);
  assert.match(run("Done.").stderr, /^json-syntax \S/);
});

test("the README tells where the program is", () => {
  const readme = readFileSync("node_modules/retval/README.md", "utf8");
  const [, command] = readme.match(/`(node -p [^`]+)`/);
  const done = spawnSync(command, { shell: true, encoding: "utf8" });
  assert.equal(done.stdout.trim(), program());
});

test("many checks at once, with few open files", () => {
  const script = `
    import { check } from "retval";
    const checks = Array.from({ length: 400 }, () => check("Done.").then((report) => report.valid, (error) => error.name));
    const found = {};
    for (const one of await Promise.all(checks)) found[one] = (found[one] ?? 0) + 1;
    console.log(JSON.stringify(found));`;
  const run = (files) => {
    const words = ["-c", `ulimit -n ${files}; exec "$0" --input-type=module -e "$1"`, process.execPath, script];
    return spawnSync("bash", words, { encoding: "utf8" });
  };
  assert.equal(run(256).stdout, '{"false":400}\n');
  // With too few for a single one, each call rejects, and the process goes on.
  const starved = run(24);
  assert.equal(starved.status, 0, starved.stderr);
  assert.match(starved.stdout, /^\{.*"(RetvalError|Error)":\d+/);
});

test("both kinds of modules have the same functions", async () => {
  const common = createRequire(import.meta.url)("retval");
  assert.equal(common.RetvalError, RetvalError);
  assert.equal((await common.check("Done.")).valid, false);
});
