// Compiled, never run: what the types must accept and refuse.
import { check, checkMany, program, RetvalError, type Finding, type Report } from "retval";

const report: Report = await check(new Uint8Array(), { session: "s", root: ".", failFast: true, off: ["json-wrapped"] });
const rules: string[] = report.findings.map((finding: Finding) => finding.rule);
const valid: boolean = (await check("")).valid;
const path: string = program();
const error: Error = new RetvalError(`${path} ${rules.length} ${valid}`);
for await (const one of checkMany(["a", new Uint8Array(), { text: "a", id: "1", session: null }], { jobs: 2 })) {
  const checked: boolean | null = one.valid;
  const claims: string[] | undefined = one.evidence?.map((claim) => claim.reason);
  const stage: string | null | undefined = one.partial_progress?.stage;
  console.log(checked, claims, stage, one.errors[0]?.recoverable);
  // @ts-expect-error: there is no such member.
  console.log(one.sesion);
}
// @ts-expect-error: a text is needed.
await check();
// @ts-expect-error: a session is a string.
await check("", { session: 5 });
// @ts-expect-error: there is no such option.
await check("", { sesion: "s" });
// @ts-expect-error: a text is no number.
checkMany([5]);
// @ts-expect-error: there is no such expectation.
checkMany([{ text: "a", sesion: "s" }]);
throw error;
