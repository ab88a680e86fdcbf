import { MIN_NEEDLE_BYTES } from "./byte-search.ts";
import { withoutEscapes } from "./text-views.ts";

/** A secret by its name. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Shorter values turn up in texts by chance and are not looked for. In characters. */
const MIN_SECRET_CHARACTERS = 8;

const PLUS = 0x2b;
const SPACE = 0x20;

/** Of so many bytes before a secret, the first characters of base64 hold bits of those too: how many. */
const MIXED_CHARACTERS = [0, 2, 3] as const;

/**
 * What is looked for in a text as it is written, and in it without its escapes: the value, and what is left of it where it
 * seems to hold escapes itself. With spaces for pluses, as the text has to be.
 */
export function plainNeedles({ value }: NamedSecret): readonly Uint8Array[] {
  if (value.length < MIN_SECRET_CHARACTERS) return [];
  const written = Buffer.from(value, "utf8");
  const bare = withoutEscapes(written);
  return (bare.length === written.length ? [written] : [written, bare]).map(spacesForPluses);
}

/** Forms write a space as `+`: in what is compared both are the same. */
export function spacesForPluses(bytes: Uint8Array): Uint8Array {
  let at = bytes.indexOf(PLUS);
  if (at === -1) return bytes;
  const rewritten = Uint8Array.from(bytes);
  for (; at !== -1; at = rewritten.indexOf(PLUS, at + 1)) rewritten[at] = SPACE;
  return rewritten;
}

/**
 * What is looked for in a text without its white space, in which `-` stands as `+` and `_` as `/`: those characters of
 * the secret's base64 that hold nothing but the secret, at each of the three alignments.
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

/** What is looked for among the hexadecimal digits of a text, which are in lower case. */
export function hexNeedles({ value }: NamedSecret): readonly Uint8Array[] {
  return value.length < MIN_SECRET_CHARACTERS ? [] : [Buffer.from(Buffer.from(value, "utf8").toString("hex"))];
}

/** Needles of several secrets, and whose each of them is. */
export interface OwnedNeedles {
  readonly needles: readonly Uint8Array[];
  /** By position of the needle. */
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
