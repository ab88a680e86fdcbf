/** A queue in which groups take turns, so that a long one makes no other wait for all of it. First come, first served within a group. */
export class FairQueue<Item> {
  readonly #groupOf: (item: Item) => string;
  /** In the order of their turns. */
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

  /** The items of each group, in the order of the groups' turns. */
  get groups(): ReadonlyMap<string, readonly Item[]> {
    return this.#groups;
  }

  /** The first of a group, which then has the last turn; undefined when the group has none. */
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
