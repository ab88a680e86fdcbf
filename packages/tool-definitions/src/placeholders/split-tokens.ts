import type { TemplateToken } from "./template-text.ts";

/** Returns the tokens before and after the first `separator`; `after` is undefined if there is none. */
export function cutTokens(
  tokens: readonly TemplateToken[],
  separator: string,
): { readonly before: readonly TemplateToken[]; readonly after: readonly TemplateToken[] | undefined } {
  for (const [index, token] of tokens.entries()) {
    const at = "text" in token ? token.text.indexOf(separator) : -1;
    if (!("text" in token) || at === -1) continue;
    return {
      before: [...tokens.slice(0, index), ...textToken(token.text.slice(0, at))],
      after: [...textToken(token.text.slice(at + separator.length)), ...tokens.slice(index + 1)],
    };
  }
  return { before: tokens, after: undefined };
}

/** Returns the lists of tokens between the separators, at least one list. */
export function splitTokens(
  tokens: readonly TemplateToken[],
  separator: string,
): readonly (readonly TemplateToken[])[] {
  const parts: TemplateToken[][] = [];
  let part: TemplateToken[] = [];
  for (const token of tokens) {
    if (!("text" in token)) {
      part.push(token);
      continue;
    }
    for (const [index, text] of token.text.split(separator).entries()) {
      if (index > 0) {
        parts.push(part);
        part = [];
      }
      part.push(...textToken(text));
    }
  }
  return [...parts, part];
}

function textToken(text: string): readonly TemplateToken[] {
  return text === "" ? [] : [{ text }];
}
