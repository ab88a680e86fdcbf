import type { Mismatch } from "./mismatch.ts";

/** Where a value goes, as it reads in a sentence: `expression of calculator`. */
interface Place {
  readonly parameter: string;
  readonly where: string;
}

/** Says of a parameter that no call can use it as its template does, and what its author can do. */
export function neverFitsText({ parameter, where }: Place, { place, is, takes }: Mismatch): string {
  const named = `${parameter}${place}`;
  const advice =
    takes === "a string" && place === ""
      ? `declare ${parameter} as a string, or make it part of a longer text`
      : `declare ${named} as ${takes}`;
  return `expected ${takes} for ${where}; ${named} ${is}, so every call would be refused: ${advice}`;
}

/** Says of a parameter that some calls can't use it as its template does. */
export function mayNotFitText({ parameter, where }: Place, { place, is, takes }: Mismatch): string {
  const named = `${parameter}${place}`;
  return `${named} ${is}, and ${where} takes ${takes}: calls with anything else will be refused; declare ${named} as ${takes}`;
}
