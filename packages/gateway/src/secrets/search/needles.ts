import { MIN_NEEDLE_BYTES, type Needle } from "./byte-search.ts";

/** A secret by its name. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Shorter values turn up in texts by chance and are not looked for. In characters. */
const MIN_SECRET_CHARACTERS = 8;

/** Of so many bytes before a secret, the first characters of base64 hold bits of those too: how many. */
const MIXED_CHARACTERS = [0, 2, 3] as const;

/** What is looked for in a text as it is written. */
export function plainNeedles({ value }: NamedSecret): readonly Needle[] {
  if (value.length < MIN_SECRET_CHARACTERS) return [];
  // Forms write a space as `+`.
  const forms = value.includes(" ") ? [value, value.replaceAll(" ", "+")] : [value];
  return forms.map((form) => ({ bytes: Buffer.from(form, "utf8"), isCaseSensitive: true }));
}

/**
 * What is looked for in a text without its white space, in which `-` stands as `+` and `_` as `/`: hex of the secret,
 * and those characters of its base64 that hold nothing but the secret, at each of the three alignments.
 */
export function encodedNeedles({ value }: NamedSecret): readonly Needle[] {
  if (value.length < MIN_SECRET_CHARACTERS) return [];
  const bytes = Buffer.from(value, "utf8");
  const hex: Needle = { bytes: Buffer.from(bytes.toString("hex")), isCaseSensitive: false };
  const base64 = MIXED_CHARACTERS.map((mixed, before): Needle => {
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return { bytes: Buffer.from(text.slice(mixed, whole)), isCaseSensitive: true };
  });
  return [hex, ...base64];
}

/** The same needles, of which neither tells cases apart. */
export function ignoringCase(needles: readonly Needle[]): readonly Needle[] {
  return needles.map(({ bytes }) => ({ bytes, isCaseSensitive: false }));
}

/** Needles of several secrets, and whose each of them is. */
export interface OwnedNeedles {
  readonly needles: readonly Needle[];
  /** By position of the needle. */
  readonly names: readonly string[];
}

export function ownedNeedles(
  secrets: readonly NamedSecret[],
  needlesOf: (secret: NamedSecret) => readonly Needle[],
): OwnedNeedles {
  const owned = secrets.flatMap((secret) => needlesOf(secret).map((needle) => ({ needle, name: secret.name })));
  const usable = owned.filter(({ needle }) => needle.bytes.length >= MIN_NEEDLE_BYTES);
  return { needles: usable.map(({ needle }) => needle), names: usable.map(({ name }) => name) };
}
