/** The brackets around a position in an expression. */
export interface Brackets {
  /** The function whose arguments the brackets enclose, in lower case. */
  readonly name: string | undefined;
  readonly isList: boolean;
  /** Whether the brackets contain a `;`. */
  readonly hasSemicolon: boolean;
}

const NONE: Brackets = { name: undefined, isList: false, hasSemicolon: false };

/** The brackets of an expression, by position. */
export interface BracketsOf {
  /** Returns the innermost brackets around the start of a token. */
  around(index: number): Brackets;
  /** Returns whether the `;` at this position separates arguments or items. */
  isSeparator(index: number): boolean;
}

/**
 * Finds the brackets of an expression.
 *
 * @param piece - a global pattern with the groups `name` and `sign`.
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
