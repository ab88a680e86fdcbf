import type { TemplateToken } from "../template-text.ts";

/** The tokens before and after the first `separator` of the texts; `after` is undefined when there is none. */
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

/** The tokens between the separators of the texts; always one list at least. */
export function splitTokens(
  tokens: readonly TemplateToken[],
  separator: string,
): readonly (readonly TemplateToken[])[] {
  const parts: (readonly TemplateToken[])[] = [];
  for (let rest: readonly TemplateToken[] | undefined = tokens; rest !== undefined; ) {
    const { before, after } = cutTokens(rest, separator);
    parts.push(before);
    rest = after;
  }
  return parts;
}

function textToken(text: string): readonly TemplateToken[] {
  return text === "" ? [] : [{ text }];
}
