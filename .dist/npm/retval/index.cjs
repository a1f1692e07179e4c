"use strict";

const { spawn } = require("node:child_process");
const os = require("node:os");

const { program } = require("./program.cjs");

/** The arguments of every check. */
const CHECK = ["check", "--format", "jsonl"];

/** As many processes run at the same time; each has three pipes. */
const PROCESSES = 2 * os.cpus().length || 2;

/** The return could not be checked. The message is that of the program. */
class RetvalError extends Error {
  name = "RetvalError";
}

let running = 0;
const waiting = [];

/** Checks a return: see index.d.ts. */
async function check(text, { signal, ...options } = {}) {
  if (running < PROCESSES) running += 1;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    const { code, stdout, stderr } = await run([...CHECK, ...flags(options), "-"], text, signal);
    const records = stdout.split("\n").slice(0, -1);
    // 0 is a valid return and 1 an invalid one. Anything else, or a signal, is no result.
    if ((code !== 0 && code !== 1) || records.length !== 1) {
      throw new RetvalError(stderr.trim() || `retval ended with ${code}`);
    }
    return JSON.parse(records[0]);
  } finally {
    // The place goes to the one that has waited longest.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function run(words, text, signal) {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(program(), words, { signal });
    child.on("error", reject);
    // Without pipes there is nothing to wait for: the error comes next.
    if (!child.stdin) return;
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (part) => (said[name] += part));
    child.on("close", (code, signal) => resolve({ code: code ?? signal, ...said }));
    // The program may end before it has read everything, for example because of a bad option.
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
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

module.exports = { check, program, RetvalError };
