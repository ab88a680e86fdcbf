const CODE = /^[A-Za-z0-9_.-]{1,64}$/;

/** The label of tools that the agent does not have: models invent their names. */
export const UNKNOWN_TOOL = "(unknown)";
/** The label of codes that are not in the form of a code. */
const OTHER_CODE = "(other)";

/** Returns the label of an error code. Handlers choose codes, so a code may be any text. */
export function codeLabel(code: string): string {
  return CODE.test(code) ? code : OTHER_CODE;
}
