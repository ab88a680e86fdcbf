import { findInjections } from "@yagate/builtins/web/injection/find-injections";

/** A turn may read many results at once, and nothing else runs meanwhile. */
const MAX_CHARACTERS = 16_384;

/** Codes of what at the beginning of a text looks as if it was written to steer a model; each at most once. */
export function injectionCodes(text: string): readonly string[] {
  return findInjections(text.slice(0, MAX_CHARACTERS)).map(({ code }) => code);
}
