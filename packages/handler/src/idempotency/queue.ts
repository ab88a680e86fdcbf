/** How many removed positions to keep before the remaining items are moved to the front. */
const MIN_TAKEN = 1_024;

/**
 * A first-in, first-out queue. A `Map` would become slower as items are removed, because every iteration steps over the
 * deleted entries at its front.
 */
export class Queue<Item> {
  #items: Item[] = [];
  #taken = 0;

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Returns the oldest item without removing it. */
  peek(): Item | undefined {
    return this.#items[this.#taken];
  }

  /** Removes the oldest item. */
  drop(): void {
    this.#taken += 1;
    if (this.#taken < MIN_TAKEN || this.#taken * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#taken);
    this.#taken = 0;
  }
}
