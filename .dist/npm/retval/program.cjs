"use strict";

const fs = require("node:fs");
const path = require("node:path");

/** The path of the program: in a clone of the sources the one that `build.cjs` has built, else that of the package for this system. */
exports.program = function program() {
  const name = `retval-${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "retval.exe" : "retval";
  const built = path.join(__dirname, "built", file);
  if (fs.existsSync(built)) return built;
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch (cause) {
    const build = path.join(__dirname, "build.cjs");
    const why = fs.existsSync(build)
      ? `the program is not built: run \`node "${build}"\``
      : `the package ${name} is missing: it is an optional dependency, or there is none for this system`;
    throw new Error(why, { cause });
  }
};
