/** A digest that was found in a header, in any form, even one that a verifier must reject. */
export interface FoundDigest {
  /** 64 lower-case hex digits. */
  readonly hex: string;
  /** Why verifiers do not read this digest; absent if they do. */
  readonly fault?: string;
}

const PROPER = /^sha256=[0-9a-f]{64}$/;
const MAX_DIGESTS = 20;

/** Finds every SHA-256 digest in a header, whatever surrounds it. */
export function digestsIn(header: string): readonly FoundDigest[] {
  const hex = [...header.matchAll(/(?<![0-9a-fA-F])[0-9a-fA-F]{64}(?![0-9a-fA-F])/g)].map(([digits]) => digits);
  const base64 = [...header.matchAll(/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=/g)].map(([text]) => text);
  const entries = header.split(",").map((entry) => entry.trim());
  return [
    ...hex.map((digits) => withFault({ hex: digits.toLowerCase() }, hexFault(digits, entries))),
    ...base64.map((text) => ({ hex: Buffer.from(text, "base64").toString("hex"), fault: "it is written in base64" })),
  ].slice(0, MAX_DIGESTS);
}

function withFault(digest: FoundDigest, fault: string | undefined): FoundDigest {
  return fault === undefined ? digest : { ...digest, fault };
}

function hexFault(digits: string, entries: readonly string[]): string | undefined {
  if (digits !== digits.toLowerCase()) return "its hex digits are in upper case";
  const entry = entries.find((candidate) => candidate.includes(digits)) ?? "";
  if (PROPER.test(entry)) return undefined;
  if (entry === digits) return "sha256= is missing before it";
  if (/[;\s]/.test(entry)) return "entries are not separated by commas";
  if (/^["']/.test(entry)) return "it is in quotes";
  return "it is surrounded by other text";
}
