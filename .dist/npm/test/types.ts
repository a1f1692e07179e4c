// Compiled, never run: what the types must accept and refuse.
import { check, program, RetvalError, type Finding, type Report } from "retval";

const report: Report = await check(new Uint8Array(), { session: "s", root: ".", failFast: true, rule: ["json-wrapped=off"] });
const rules: string[] = report.findings.map((finding: Finding) => finding.rule);
const valid: boolean = (await check("")).valid;
const path: string = program();
const error: Error = new RetvalError(`${path} ${rules.length} ${valid}`);
const claims: string[] | undefined = report.evidence?.map((claim) => claim.reason);
console.log(claims, report.next.action);
// @ts-expect-error: there is no such member.
console.log(report.sesion);
// @ts-expect-error: a text is needed.
await check();
// @ts-expect-error: a session is a string.
await check("", { session: 5 });
// @ts-expect-error: there is no such option.
await check("", { sesion: "s" });
throw error;
