/**
 * Keeps the prepared keys of the most recently used secrets, so that each secret is checked and prepared only once.
 *
 * Secrets for which `createKey` throws are not kept.
 */
export class KeyCache<Key> {
  readonly #capacity: number;
  readonly #createKey: (secret: string) => Key;
  /** Ordered from the least to the most recently used. */
  readonly #keys = new Map<string, Key>();
  #newest: string | undefined;

  constructor(capacity: number, createKey: (secret: string) => Key) {
    this.#capacity = capacity;
    this.#createKey = createKey;
  }

  get size(): number {
    return this.#keys.size;
  }

  get(secret: string): Key {
    const known = this.#keys.get(secret);
    // Most processes use one secret, which is already at the end: moving it there would cost more than the lookup.
    if (known !== undefined && secret === this.#newest) return known;
    const key = known ?? this.#createKey(secret);
    this.#keys.delete(secret);
    this.#keys.set(secret, key);
    this.#newest = secret;
    this.#dropOldest();
    return key;
  }

  #dropOldest(): void {
    for (const secret of this.#keys.keys()) {
      if (this.#keys.size <= this.#capacity) return;
      this.#keys.delete(secret);
    }
  }
}
