/**
 * `X-HTTP-Method-Override` and its other spellings: many servers take its value for the method of the request. To those
 * that hand headers on as variables, `_` and `-` are the same.
 */
const OVERRIDES_METHOD = /^x[-_](?:http[-_])?method(?:[-_]override)?$/i;

/** Whether servers may take another method than the one that a request has for its own. */
export function overridesMethod(headerNames: readonly string[]): boolean {
  return headerNames.some((name) => OVERRIDES_METHOD.test(name));
}
