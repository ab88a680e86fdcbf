const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Decodes the part of a TypeID after its prefix, as its specification says. @returns the UUID. */
export function typeIdToUuid(suffix: string): string {
  if (!/^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(suffix)) throw new Error(`expected 26 characters of base32: ${suffix}`);
  const bits = [...suffix].reduce((sum, character) => sum * 32n + BigInt(ALPHABET.indexOf(character)), 0n);
  const hex = bits.toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
