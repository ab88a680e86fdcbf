const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  middot: "·",
};

/** Removes the highlighting tags from a title or excerpt, and decodes entities once. */
export function plainText(text: string): string {
  const untagged = text.replace(/<\/?(?:strong|b|em|i|mark|br)\s*\/?>/gi, "");
  return untagged
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) =>
      decoded(whole, decimal, hex, name),
    )
    .replace(/\s+/g, " ")
    .trim();
}

function decoded(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : whole;
}
