"use strict";

/** The path of the program: that of the package for this system. */
exports.program = function program() {
  const name = `retval-${process.platform}-${process.arch}`;
  const file = process.platform === "win32" ? "retval.exe" : "retval";
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch (cause) {
    throw new Error(
      `the package ${name} is missing: it is an optional dependency, or there is none for this system`,
      { cause },
    );
  }
};
