/** Maximum length of a value. Longer values contain embedded images. */
const MAX_VALUE_CHARACTERS = 120;

/**
 * Normalises a style to `name:value;name:value`, in lower case, with escapes resolved and without comments or redundant
 * white space.
 */
export function plainStyle(style: string): string {
  if (style.trim() === "") return "";
  return withoutComments(resolved(style))
    .split(";")
    .map(plainDeclaration)
    .filter((declaration) => declaration !== "")
    .join(";");
}

function plainDeclaration(written: string): string {
  const colon = written.indexOf(":");
  if (colon === -1) return "";
  const name = written.slice(0, colon).trim().toLowerCase();
  const value = written
    .slice(colon + 1)
    .trimStart()
    .slice(0, MAX_VALUE_CHARACTERS);
  return `${name}:${value
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/ ?([,()!]) ?/g, "$1")
    .trim()}`;
}

/**
 * Resolves escapes by CSS Syntax 3, section 4.3.7: up to six hex digits and an optional space, or the character itself.
 */
function resolved(style: string): string {
  return style.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_escape, code: string | undefined, character?: string) => {
    if (code === undefined) return character ?? "";
    const point = Number.parseInt(code, 16);
    return point > 0 && point <= 0x10_ff_ff ? String.fromCodePoint(point) : "";
  });
}

function withoutComments(style: string): string {
  let plain = "";
  let from = 0;
  for (;;) {
    const start = style.indexOf("/*", from);
    if (start === -1) return plain + style.slice(from);
    plain += style.slice(from, start);
    const end = style.indexOf("*/", start + 2);
    if (end === -1) return plain;
    from = end + 2;
  }
}
