import { MIN_NEEDLE_BYTES } from "./byte-search.ts";
import { withoutEscapes } from "./text-views.ts";

/** A secret with its name. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Minimum length of a secret in characters. Shorter values could appear by coincidence, and are ignored. */
const MIN_SECRET_CHARACTERS = 8;

const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * How many of a secret's first base64 characters also depend on the bytes before the secret, by the number of those
 * bytes modulo 3.
 */
const MIXED_CHARACTERS = [0, 2, 3] as const;

/**
 * Returns the needles for verbatim and decoded text: the value and, if it seems to contain escapes itself, its decoded
 * form. Pluses become spaces, as they do in the searched text.
 */
export function plainNeedles({ value }: NamedSecret): readonly Uint8Array[] {
  if (value.length < MIN_SECRET_CHARACTERS) return [];
  const written = Buffer.from(value, "utf8");
  const bare = withoutEscapes(written);
  return (bare.length === written.length ? [written] : [written, bare]).map(spacesForPluses);
}

/** Replaces pluses with spaces, because forms encode a space as `+`. */
export function spacesForPluses(bytes: Uint8Array): Uint8Array {
  let at = bytes.indexOf(PLUS);
  if (at === -1) return bytes;
  const rewritten = Uint8Array.from(bytes);
  for (; at !== -1; at = rewritten.indexOf(PLUS, at + 1)) rewritten[at] = SPACE;
  return rewritten;
}

/**
 * Returns the needles for base64 text without white space, with `-` replaced by `+` and `_` by `/`: at each of the
 * three alignments, the characters that depend only on the secret.
 */
export function base64Needles({ value }: NamedSecret): readonly Uint8Array[] {
  if (value.length < MIN_SECRET_CHARACTERS) return [];
  const bytes = Buffer.from(value, "utf8");
  return MIXED_CHARACTERS.map((mixed, before) => {
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return Buffer.from(text.slice(mixed, whole));
  });
}

/** Returns the needles for text that was reduced to lower-case hexadecimal digits. */
export function hexNeedles({ value }: NamedSecret): readonly Uint8Array[] {
  return value.length < MIN_SECRET_CHARACTERS ? [] : [Buffer.from(Buffer.from(value, "utf8").toString("hex"))];
}

/** The needles of several secrets, and the secret to which each one belongs. */
export interface OwnedNeedles {
  readonly needles: readonly Uint8Array[];
  /** The names of secrets, by the index of the needle. */
  readonly names: readonly string[];
}

export function ownedNeedles(
  secrets: readonly NamedSecret[],
  needlesOf: (secret: NamedSecret) => readonly Uint8Array[],
): OwnedNeedles {
  const owned = secrets.flatMap((secret) => needlesOf(secret).map((needle) => ({ needle, name: secret.name })));
  const usable = owned.filter(({ needle }) => needle.length >= MIN_NEEDLE_BYTES);
  return { needles: usable.map(({ needle }) => needle), names: usable.map(({ name }) => name) };
}
