/**
 * `X-HTTP-Method-Override` in all spellings: many servers use its value as the method of the request. Servers that pass
 * headers on as variables don't distinguish `_` and `-`.
 */
const OVERRIDES_METHOD = /^x[-_](?:http[-_])?method(?:[-_]override)?$/i;

/** Whether a header can make servers use another method than that of the request. */
export function overridesMethod(headerNames: readonly string[]): boolean {
  return headerNames.some((name) => OVERRIDES_METHOD.test(name));
}
