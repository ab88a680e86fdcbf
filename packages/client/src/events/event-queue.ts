interface Waiter<Item> {
  resolve(result: IteratorResult<Item, undefined>): void;
  reject(reason: unknown): void;
}

/** Passes items from a producer to a consumer, in order and each exactly once. */
export class EventQueue<Item extends object> {
  readonly #items: Item[] = [];
  readonly #waiters: Waiter<Item>[] = [];
  #end: { readonly error?: unknown; readonly hasFailed: boolean } | undefined;

  /** Whether a consumer is waiting for the next item. */
  get isAwaited(): boolean {
    return this.#waiters.length > 0;
  }

  push(item: Item): void {
    const waiter = this.#waiters.shift();
    if (waiter === undefined) this.#items.push(item);
    else waiter.resolve({ done: false, value: item });
  }

  /** Ends the queue. Items that are still in it are delivered first. */
  end(): void {
    this.#end = { hasFailed: false };
    for (const waiter of this.#waiters.splice(0)) waiter.resolve({ done: true, value: undefined });
  }

  /** Ends the queue with an error. Items that are still in it are delivered first. */
  fail(error: unknown): void {
    this.#end = { error, hasFailed: true };
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }

  /**
   * Takes the next item, like the `next` method of an iterator. Rejects with the error from `fail` once all items have
   * been taken.
   */
  next(): Promise<IteratorResult<Item, undefined>> {
    if (this.#items.length > 0) {
      const [value] = this.#items.splice(0, 1);
      if (value !== undefined) return Promise.resolve({ done: false, value });
    }
    if (this.#end?.hasFailed) return Promise.reject(this.#end.error);
    if (this.#end !== undefined) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }
}
