/** An enclosing pair of brackets or parentheses. */
export interface Brackets {
  /** The function whose arguments are inside, in lower case; undefined if there is none. */
  readonly name: string | undefined;
  readonly isList: boolean;
  /** Whether a `;` is directly inside. */
  readonly hasSemicolon: boolean;
}

const NONE: Brackets = { name: undefined, isList: false, hasSemicolon: false };

/** Looks up enclosing brackets by position in the expression. */
export interface BracketsOf {
  /** Returns the innermost brackets around the token that starts at this position. */
  around(index: number): Brackets;
  /** Returns whether the `;` at this position separates arguments or items. */
  isSeparator(index: number): boolean;
}

/**
 * Finds the brackets and parentheses of an expression.
 *
 * @param piece - a global pattern for tokens, with the groups `name` and `sign`.
 */
export function findBrackets(expression: string, piece: RegExp): BracketsOf {
  const places = new Map<number, { -readonly [Key in keyof Brackets]: Brackets[Key] }>();
  const open: { -readonly [Key in keyof Brackets]: Brackets[Key] }[] = [];
  let name: { readonly text: string; readonly end: number } | undefined;
  for (const { 0: text, index, groups } of expression.matchAll(piece)) {
    const sign = groups?.["sign"];
    const inner = open.at(-1);
    if (sign === "(" || sign === "[") {
      const isCall = sign === "(" && name !== undefined && expression.slice(name.end, index).trim() === "";
      open.push({ name: isCall ? name?.text : undefined, isList: sign === "[", hasSemicolon: false });
    } else if (sign === ")" || sign === "]") {
      open.pop();
    } else if (inner !== undefined) {
      if (sign === ";") inner.hasSemicolon = true;
      places.set(index, inner);
    }
    name = groups?.["name"] === undefined ? undefined : { text: text.toLowerCase(), end: index + text.length };
  }
  return {
    around: (index) => places.get(index) ?? NONE,
    isSeparator: (index) => {
      const around = places.get(index);
      return around !== undefined && (around.isList || around.name !== undefined);
    },
  };
}
