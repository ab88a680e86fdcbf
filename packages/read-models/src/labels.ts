const CODE = /^[A-Za-z0-9_.-]{1,64}$/;

/** The label of tools that the agent does not have: models invent their names. */
export const UNKNOWN_TOOL = "(unknown)";
/** The label of codes that are not in the form of a code, and of long URLs. */
const OTHER = "(other)";
/** PostgreSQL can't index much more. A handler's URL is longer only if it contains characters that are escaped. */
const MAX_URL_CHARACTERS = 2_048;

/** Returns the label of an error code. Handlers choose codes, so a code may be any text. */
export function codeLabel(code: string): string {
  return CODE.test(code) ? code : OTHER;
}

/** Returns the label of a handler: its URL. */
export function handlerLabel(url: string): string {
  return url.length <= MAX_URL_CHARACTERS ? url : OTHER;
}
