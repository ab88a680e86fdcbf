/**
 * A queue whose groups take turns, so that no group waits for all items of a long one. Within a group, items leave in
 * the order in which they arrived.
 */
export class FairQueue<Item> {
  readonly #groupOf: (item: Item) => string;
  /** The groups, in the order in which their turns come. */
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

  /** The items of each group. The groups are in the order in which their turns come. */
  get groups(): ReadonlyMap<string, readonly Item[]> {
    return this.#groups;
  }

  /**
   * Removes and returns the first item of a group, and moves the group to the end of the order. Returns undefined if
   * the group has no items.
   */
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
