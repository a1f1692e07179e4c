// The same functions and classes for both kinds of modules.
import retval from "./index.cjs";

export const { check, program, RetvalError } = retval;
