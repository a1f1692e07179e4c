// Compiled, never run: the same types for `require`.
import retval = require("retval");

const report: Promise<retval.Report> = retval.check("");
console.log(report, new retval.RetvalError(""));
// @ts-expect-error: there is no such option.
retval.check("", { sesion: "s" });
