const SEPARATORS = /[\s"'`“”‘’,;()[\]{}<>|]+/u;
const TRAILING = /^[.:!?]+|[.:!?]+$/gu;
const PUNCTUATION = /[^\p{L}\p{N}]+/gu;

/** Finds the names that a query spells out. */
export interface ExactNames {
  /**
   * Returns the tools that the query names, in the order in which it names them. A word is compared as it is and, if no
   * tool has that name, without punctuation and case, as providers and people write names: `orders_get-by-id` is
   * `orders.get_by_id`. If several names are equal then, all of them are returned.
   */
  find(query: string): readonly string[];
}

/** Prepares the names of a tool set for comparison. */
export function createExactNames(names: readonly string[]): ExactNames {
  const known = new Set(names);
  const plain = new Map<string, string[]>();
  for (const name of names) {
    const key = plainName(name);
    plain.set(key, [...(plain.get(key) ?? []), name]);
  }
  const named = (word: string): readonly string[] => (known.has(word) ? [word] : (plain.get(plainName(word)) ?? []));
  return {
    find(query) {
      const words = query.split(SEPARATORS).flatMap((word) => [word, word.replace(TRAILING, "")]);
      // A query that is nothing but a name may have spaces in it.
      return [...new Set([...named(query.trim()), ...words.flatMap(named)])];
    },
  };
}

function plainName(name: string): string {
  return name.replace(PUNCTUATION, "").toLowerCase();
}
