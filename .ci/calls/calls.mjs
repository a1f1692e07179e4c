// Returns a second and processor time a return, of each way to check from Node.js, beside ajv:
// calls.mjs RETURNS (one JSON string a line) ROOT. Needs retval and ajv.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { check, program } from "retval";

const [, , file, root] = process.argv;
const texts = readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));

// Linux adds a child's time when it has ended, in hundredths of a second.
function spent() {
  const [, times] = readFileSync("/proc/self/stat", "utf8").split(") ");
  return times.split(" ").slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

async function measure(name, texts, way) {
  const [began, used] = [performance.now(), spent()];
  const valid = await way(texts);
  const [took, more] = [(performance.now() - began) / 1000, spent() - used];
  const rate = Math.round(texts.length / took).toLocaleString("en");
  console.log(`| ${name} | ${texts.length} | ${rate} | ${((1000 * more) / texts.length).toFixed(4)} | ${valid} |`);
}

const many = Array.from({ length: Math.floor(200_000 / texts.length) }, () => texts).flat();
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validate = ajv.compile(JSON.parse(execFileSync(program(), ["schema"], { encoding: "utf8" })));
await measure("Node.js, `check`", texts.slice(0, 300), async (texts) => {
  let valid = 0;
  for (const text of texts) valid += (await check(text, { root })).valid;
  return valid;
});
await measure("Node.js, ajv", many, async (texts) => texts.reduce((sum, text) => sum + validate(JSON.parse(text)), 0));
