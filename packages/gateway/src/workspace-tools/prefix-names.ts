const MAX_LENGTH = 64;

/** Names with a prefix before each, cut at their ends where they get too long, and numbered where two are then the same. */
export function prefixNames(prefix: string, names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const base = cut(`${prefix}${name}`, MAX_LENGTH);
    let unique = base;
    for (let count = 2; taken.has(unique); count++) unique = `${cut(base, MAX_LENGTH - `_${count}`.length)}_${count}`;
    taken.add(unique);
    return unique;
  });
}

/** A name ends with a letter or digit of it, never with what joins two of its words. */
function cut(name: string, length: number): string {
  return name.length <= length ? name : name.slice(0, length).replace(/[_.-]+$/, "");
}
