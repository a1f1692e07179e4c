// Compiled, never run: the same types for `require`.
import retval = require("retval");

const reports: AsyncGenerator<retval.Report> = retval.checkMany(["a"]);
console.log(reports, retval.check(""), new retval.RetvalError(""));
// @ts-expect-error: there is no such option.
retval.check("", { sesion: "s" });
