"use strict";

// Builds the program where this package is part of the sources. npm runs it as the script `prepare` when
// the folder is installed; published packages do not have it.

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const SOURCES = path.join(__dirname, "../../..");
const FILE = process.platform === "win32" ? "retval.exe" : "retval";

/** The path of the program: what cargo builds, or without cargo what it has built before. */
function program() {
  const command = ["build", "--locked", "--release", "--bin", "retval", "--message-format", "json-render-diagnostics"];
  const cargo = spawnSync(process.env.CARGO ?? "cargo", command, { cwd: SOURCES, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (cargo.error) {
    const before = path.join(SOURCES, "target/release", FILE);
    if (fs.existsSync(before)) return before;
    throw new Error(`cargo does not run (${cargo.error.message}), and ${before} is missing: install Rust, then run \`npm install\` again`);
  }
  // A setting may have put it elsewhere than into `target`.
  const lines = cargo.stdout.split("\n").filter((line) => line.includes('"executable":"'));
  if (cargo.status !== 0 || lines.length === 0) throw new Error(`cargo ${command.slice(0, 5).join(" ")} failed in ${SOURCES}`);
  return JSON.parse(lines[0]).executable;
}

try {
  const from = program();
  const folder = path.join(__dirname, "built");
  fs.mkdirSync(folder, { recursive: true });
  // A program that runs can be removed, but not be written to.
  fs.rmSync(path.join(folder, FILE), { force: true });
  fs.copyFileSync(from, path.join(folder, FILE));
  // The same types for programs that call `require`.
  fs.copyFileSync(path.join(__dirname, "index.d.ts"), path.join(__dirname, "index.d.cts"));
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
