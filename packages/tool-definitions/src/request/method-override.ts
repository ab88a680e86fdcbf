/**
 * Matches `X-HTTP-Method-Override` in all spellings. Many servers use the value of this header as the method of the
 * request. Servers that pass headers on as variables don't distinguish `_` and `-`.
 */
const OVERRIDES_METHOD = /^x[-_](?:http[-_])?method(?:[-_]override)?$/i;

/** Checks whether any of these headers can make servers use a method other than the request's. */
export function overridesMethod(headerNames: readonly string[]): boolean {
  return headerNames.some((name) => OVERRIDES_METHOD.test(name));
}
