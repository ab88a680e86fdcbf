/**
 * Orders names by their similarity to a text, the most similar one first. The similarity is the share of neighbouring
 * pairs of characters that both have, without regard to case.
 *
 * @param most - maximum number of names to return.
 */
export function nearestNames(text: string, names: readonly string[], most = 5): readonly string[] {
  const wanted = pairsOf(text);
  return names
    .map((name) => ({ name, similarity: similarity(wanted, pairsOf(name)) }))
    .toSorted((left, right) => right.similarity - left.similarity || (left.name < right.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

/** Returns the Dice coefficient of two sets: 0 if they share nothing, 1 if they are equal. */
function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  return (2 * [...left].filter((pair) => right.has(pair)).length) / (left.size + right.size);
}

/** Returns the pairs of neighbouring characters; the edges count as characters, so the set is never empty. */
function pairsOf(text: string): ReadonlySet<string> {
  const characters = ["^", ...text.toLowerCase(), "$"];
  return new Set(characters.slice(1).map((character, index) => `${characters[index]}${character}`));
}
