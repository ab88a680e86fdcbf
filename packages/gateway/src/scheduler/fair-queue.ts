/** A queue whose groups alternate, so that no group waits for all items of a long one. First in, first out within a group. */
export class FairQueue<Item> {
  readonly #groupOf: (item: Item) => string;
  /** In the order in which they come next. */
  readonly #groups = new Map<string, Item[]>();
  #size = 0;

  constructor(groupOf: (item: Item) => string) {
    this.#groupOf = groupOf;
  }

  get size(): number {
    return this.#size;
  }

  push(item: Item): void {
    const group = this.#groupOf(item);
    const items = this.#groups.get(group);
    if (items === undefined) this.#groups.set(group, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** The items of each group, in the order in which the groups come next. */
  get groups(): ReadonlyMap<string, readonly Item[]> {
    return this.#groups;
  }

  /** Takes the first item of a group, which then comes last; undefined if the group has none. */
  shift(group: string): Item | undefined {
    const items = this.#groups.get(group);
    if (items === undefined) return undefined;
    const item = items.shift();
    this.#groups.delete(group);
    if (items.length > 0) this.#groups.set(group, items);
    this.#size -= 1;
    return item;
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const items of this.#groups.values()) yield* items;
  }
}
