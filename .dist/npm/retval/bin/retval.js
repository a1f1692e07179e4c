#!/usr/bin/env node
import { spawn } from "node:child_process";

import { program } from "../index.js";

/** Runs the program in place of this process, as far as Node.js allows it. */
function run() {
  const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const pass = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  child.on("error", fail);
  child.on("close", (code, signal) => {
    for (const signal of signals) process.off(signal, pass);
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

function fail(error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 2;
}

try {
  run();
} catch (error) {
  fail(error);
}
