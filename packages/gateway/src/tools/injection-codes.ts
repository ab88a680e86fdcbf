import { findInjections } from "../web/injection/find-injections.ts";

/** Codes of what in a text looks as if it was written to steer a model; each at most once. */
export function injectionCodes(text: string): readonly string[] {
  return findInjections(text).map(({ code }) => code);
}
