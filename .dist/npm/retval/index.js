import { spawn } from "node:child_process";

import { program } from "./program.js";

export { program };

/** The return could not be checked. The message is that of the program. */
export class RetvalError extends Error {
  name = "RetvalError";
}

/** Checks a return: see index.d.ts. */
export async function check(text, options = {}) {
  const child = spawn(program(), ["check", "--format", "jsonl", ...flags(options), "-"]);
  const output = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? signal));
  });
  // The program may end before it has read everything, for example because of a bad option.
  child.stdin.on("error", () => {});
  child.stdin.end(text);
  const [code, [stdout, stderr]] = await Promise.all([ended, output]);
  // 0 is a valid return and 1 an invalid one. Anything else, or a signal, is no result.
  if (code !== 0 && code !== 1) {
    throw new RetvalError(stderr.trim() || `retval ended with ${code}`);
  }
  const records = stdout.split("\n").slice(0, -1);
  if (records.length !== 1) {
    throw new RetvalError(`${records.length} records for one return: ${stderr.trim()}`);
  }
  return JSON.parse(records[0]);
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
