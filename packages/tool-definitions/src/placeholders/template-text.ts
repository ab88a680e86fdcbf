/** A part of a template: literal text, or a placeholder for a parameter or a secret. */
export type TemplateToken = { readonly text: string } | { readonly parameter: string } | { readonly secret: string };

const PIECE = /\$(\$\{)|\$\{([^}]*)\}?|[^$]+|\$/g;
const PARAMETER = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const SECRET = /^secrets\.([A-Z][A-Z0-9_]{0,63})$/;

/**
 * Parses a template: `${parameter}`, `${secrets.KEY}`, and `$${` for a literal `${`. All other dollar signs are literal
 * text.
 *
 * @returns the parts in order, with adjacent literal text in one part; undefined for a placeholder that is empty,
 *   unclosed, nested or not a single name.
 */
export function parseTemplateText(template: string): readonly TemplateToken[] | undefined {
  const tokens: TemplateToken[] = [];
  let text = "";
  for (const [piece, escaped, name] of template.matchAll(PIECE)) {
    if (name === undefined) {
      text += escaped ?? piece;
      continue;
    }
    const placeholder = piece.endsWith("}") ? toPlaceholder(name) : undefined;
    if (placeholder === undefined) return undefined;
    if (text !== "") tokens.push({ text });
    text = "";
    tokens.push(placeholder);
  }
  if (text !== "") tokens.push({ text });
  return tokens;
}

/** Checks whether a placeholder can contain the name. */
export function isPlaceholderName(name: string): boolean {
  return PARAMETER.test(name);
}

function toPlaceholder(name: string): TemplateToken | undefined {
  if (PARAMETER.test(name)) return { parameter: name };
  const secret = SECRET.exec(name)?.[1];
  return secret === undefined ? undefined : { secret };
}
