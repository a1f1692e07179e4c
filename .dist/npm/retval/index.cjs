"use strict";

const { spawn } = require("node:child_process");
const os = require("node:os");

const { program } = require("./program.cjs");

/** The return could not be checked. The message is that of the program. */
class RetvalError extends Error {
  name = "RetvalError";
}

/** As many processes of `check` run at the same time; each has three pipes. */
const PROCESSES = 2 * os.cpus().length || 2;

/** About as many characters are written at once. */
const CHUNK = 64 * 1024;

let running = 0;
const waiting = [];

/** Checks a return: see index.d.ts. */
async function check(text, options = {}) {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  if (running < PROCESSES) running += 1;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    const { signal, ...others } = options;
    const child = start(["check", "--format", "jsonl", ...flags(others), "-"], signal);
    child.stdin.end(bytes);
    const [stdout, { code, stderr }] = await Promise.all([collect(child.stdout), child.ended]);
    // 0 is a valid return and 1 an invalid one. Anything else, or a signal, is no result.
    if (code !== 0 && code !== 1) throw failure(code, stderr);
    const records = stdout.split("\n").slice(0, -1);
    if (records.length !== 1) throw new RetvalError(`${records.length} records for one return: ${stderr.trim()}`);
    return JSON.parse(records[0]);
  } finally {
    // The place goes to the one that has waited longest.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Checks any number of texts with one process: see index.d.ts. */
async function* checkMany(texts, options = {}) {
  const { signal, ...others } = options;
  const words = ["check", "--lines=texts", "--format", "jsonl", "--exit-zero"];
  const child = start([...words, ...flags(others)], signal);
  const stop = new AbortController();
  // An error of the source ends the program, so that the records end, too.
  const fed = feed(texts, child.stdin, stop.signal).catch((error) => {
    child.kill();
    return { error };
  });
  let count = 0;
  let unchecked = false;
  try {
    for await (const line of lines(child.stdout)) {
      const record = JSON.parse(line);
      count += 1;
      if (record.line !== count) throw new RetvalError(`the record of text ${count} is another one: ${line.slice(0, 200)}`);
      unchecked ||= record.valid === null;
      yield record;
    }
    const { code, stderr } = await child.ended;
    stop.abort();
    const given = await fed;
    if (given.error) throw given.error;
    // 2 is also the code where a text could not be checked, which its record says.
    if (code !== 0 && !(code === 2 && unchecked && count === given.count)) throw failure(code, stderr);
    if (count !== given.count) throw new RetvalError(`the program ended after ${count} records, and there are more texts`);
  } finally {
    // Whoever takes no more reports needs no program. The source is told, and not waited for.
    stop.abort();
    child.kill();
  }
}

/** Starts the program. `ended` has its code and what it has said, or the reason why it did not start. */
function start(words, signal) {
  signal?.throwIfAborted();
  const child = spawn(program(), words, { signal });
  child.ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    // Without pipes there is nothing to wait for: the error comes next.
    if (!child.stderr) return;
    const said = collect(child.stderr);
    child.on("close", (code, signal) => said.then((stderr) => resolve({ code: code ?? signal, stderr }), reject));
  });
  // It is awaited later, or never: the error is then that of whoever awaits it.
  child.ended.catch(() => {});
  if (!child.stdin) throw new RetvalError("the program cannot be started: there are too many open files");
  // The program may end before it has read everything, for example because of a bad option.
  child.stdin.on("error", () => {});
  return child;
}

function failure(code, stderr) {
  return new RetvalError(stderr.trim() || `retval ended with ${code}`);
}

/** Writes the texts as lines, and waits while the program has enough of them. */
async function feed(texts, stdin, signal) {
  const closed = new Promise((resolve) => {
    stdin.on("close", resolve);
    signal.addEventListener("abort", resolve);
  });
  let count = 0;
  let parts = [];
  let size = 0;
  let flushing = null;
  const flush = () => {
    clearImmediate(flushing);
    flushing = null;
    const goesOn = stdin.destroyed || stdin.write(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    parts = [];
    size = 0;
    return goesOn;
  };
  const iterator = texts[Symbol.asyncIterator]?.() ?? texts[Symbol.iterator]();
  const over = closed.then(() => ({ done: true }));
  try {
    while (!signal.aborted && !stdin.destroyed) {
      let next = iterator.next();
      if (typeof next?.then === "function") next = await Promise.race([next, over]);
      if (next.done) break;
      const line = lineOf(next.value);
      parts.push(line);
      size += line.length;
      count += 1;
      // Texts that come together are written together, and none waits for the next one.
      if (size < CHUNK) flushing ??= setImmediate(flush);
      else if (!flush()) await Promise.race([new Promise((resolve) => stdin.once("drain", resolve)), closed]);
      else await new Promise(setImmediate);
    }
    if (size > 0) flush();
  } finally {
    clearImmediate(flushing);
    stdin.end();
    // As a loop that ends early does. It may never answer, so nobody waits.
    Promise.resolve(iterator.return?.()).catch(() => {});
  }
  return { count };
}

/** A text as a line for `--lines=texts`. */
function lineOf(text) {
  if (typeof text === "string") return Buffer.from(JSON.stringify(text) + "\n");
  if (text instanceof Uint8Array) return Buffer.concat([quoted(text), Buffer.from("\n")]);
  if (typeof text !== "object" || text === null || Array.isArray(text)) {
    throw new TypeError(`a text is a string, bytes or an object, not ${text === null ? "null" : typeof text}`);
  }
  if (!(text.text instanceof Uint8Array)) return Buffer.from(JSON.stringify(text) + "\n");
  const { text: bytes, ...others } = text;
  const rest = JSON.stringify(others).slice(1);
  return Buffer.concat([Buffer.from('{"text":'), quoted(bytes), Buffer.from((rest === "}" ? "" : ",") + rest + "\n")]);
}

/** Bytes as a string of JSON. Each is a character, so those that are not UTF-8 stay as they are. */
function quoted(bytes) {
  return Buffer.from(JSON.stringify(Buffer.from(bytes).toString("latin1")), "latin1");
}

/** The arguments for options, each in one word, so that a value may begin with `-`. */
function flags(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = "--" + name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    if (value === undefined || value === null || value === false) return [];
    if (value === true) return [flag];
    return [value].flat().map((one) => `${flag}=${one}`);
  });
}

async function collect(stream) {
  stream.setEncoding("utf8");
  let text = "";
  for await (const part of stream) text += part;
  return text;
}

/** The complete lines of a stream. */
async function* lines(stream) {
  stream.setEncoding("utf8");
  let rest = [];
  for await (const part of stream) {
    const found = part.split("\n");
    rest.push(found[0]);
    if (found.length === 1) continue;
    found[0] = rest.join("");
    rest = [found.pop()];
    yield* found;
  }
}

module.exports = { check, checkMany, program, RetvalError };
