// Many texts and one process, and many processes: FIXTURES names the fixtures of the project.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import test from "node:test";

import { check, checkMany, RetvalError } from "retval";

const root = join(process.env.FIXTURES, "project");
const good = readFileSync(join(process.env.FIXTURES, "profiles/return/completed-plan.json"));

async function all(texts, options) {
  const reports = [];
  for await (const report of checkMany(texts, options)) reports.push(report);
  return reports;
}

function* endless(text = good.toString()) {
  for (;;) yield text;
}

test("each text gets the report that it gets alone", async () => {
  const texts = [good, good.toString(), "", "\n", "{}\r\n{}", "Done.", "\u2028", Buffer.from("ff007b", "hex")];
  const reports = await all(texts, { root });
  assert.equal(reports.length, texts.length);
  for (const [index, text] of texts.entries()) {
    assert.deepEqual({ ...reports[index], line: null }, await check(text, { root }));
  }
  const [half] = await all(["\ud800"]);
  assert.equal(half.findings[0].rule, "json-syntax");
});

test("a text has expectations of its own", async () => {
  async function* texts() {
    yield { text: good, session: "other", id: "a" };
    yield { text: good.toString(), root, session: null };
    yield { text: good, root: "/no/such", id: "c" };
    yield { text: good };
  }
  const [wrong, right, lost] = await all(texts(), { root });
  assert.deepEqual([wrong.id, wrong.valid, wrong.findings[0].rule], ["a", false, "session-mismatch"]);
  assert.equal(right.valid, true);
  assert.deepEqual([lost.id, lost.valid], ["c", null]);
  assert.match(lost.error, /cannot use \/no\/such as the root/);
  await assert.rejects(all([5]), TypeError);
  assert.deepEqual(await all([]), []);
});

test("an endless source and a consumer that stops", async () => {
  let returned = false;
  async function* texts() {
    try {
      for (;;) yield "Done.";
    } finally {
      returned = true;
    }
  }
  let count = 0;
  for await (const report of checkMany(texts())) {
    assert.equal(report.valid, false);
    if ((count += 1) === 5_000) break;
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(returned, true);
  for await (const report of checkMany(endless(), { root })) {
    assert.equal(report.valid, true);
    break;
  }
  // A source that never answers holds nobody.
  const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
  await assert.rejects(all(never, { config: "/no/such.toml" }), RetvalError);
});

test("reports come while the source waits for them", async () => {
  let answer;
  async function* texts() {
    for (let number = 0; number < 3; number += 1) {
      const answered = new Promise((resolve) => (answer = resolve));
      yield "Done.";
      await answered;
    }
  }
  let count = 0;
  for await (const _ of checkMany(texts())) {
    count += 1;
    answer();
  }
  assert.equal(count, 3);
});

test("a slow consumer keeps memory flat", () => {
  const script = `
    import { checkMany } from "retval";
    function* texts() { for (let number = 0; number < 100000; number += 1) yield process.argv[1]; }
    let count = 0, early;
    for await (const report of checkMany(texts())) {
      count += 1;
      if (count === 100) await new Promise((resolve) => setTimeout(resolve, 500));
      if (count === 30000) { gc(); early = process.memoryUsage().rss; }
    }
    gc();
    console.log(Math.round((process.memoryUsage().rss - early) / 2 ** 20), count);`;
  const words = ["--expose-gc", "--max-old-space-size=64", "--input-type=module", "-e", script, good.toString()];
  const done = spawnSync(process.execPath, words, { encoding: "utf8" });
  const [grown, count] = done.stdout.split(" ").map(Number);
  assert.equal(count, 100_000, done.stderr);
  assert.ok(grown < 64, done.stdout);
});

test("an error of the source is the caller's", async () => {
  function* texts() {
    for (let number = 0; number < 5_000; number += 1) yield "Done.";
    throw new RangeError("mine");
  }
  await assert.rejects(all(texts()), RangeError);
});

test("a program that fails is told", async () => {
  const many = Array(50_000).fill("Done.");
  for (const options of [{ config: "/no/such/file.toml" }, { sesion: "s" }, { root: "/no/such" }]) {
    await assert.rejects(all(many, options), (error) => error instanceof RetvalError && /^error: /.test(error.message));
  }
  const signal = AbortSignal.timeout(50);
  await assert.rejects(all(endless(), { signal }), { name: "AbortError" });
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
