/** At least so many taken places are kept before the rest is moved to the front. */
const MIN_TAKEN = 1_024;

/**
 * First in, first out. A `Map` used as a queue gets slower the fuller it is: what was deleted at its front is stepped
 * over again by every iteration.
 */
export class Queue<Item> {
  #items: Item[] = [];
  #taken = 0;

  push(item: Item): void {
    this.#items.push(item);
  }

  /** The item that has been here longest. */
  peek(): Item | undefined {
    return this.#items[this.#taken];
  }

  /** Drops the item that has been here longest. */
  drop(): void {
    this.#taken += 1;
    if (this.#taken < MIN_TAKEN || this.#taken * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#taken);
    this.#taken = 0;
  }
}
