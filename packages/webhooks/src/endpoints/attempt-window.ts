const SECONDS = 60;

/** Counts the attempts that ended in the last minute, and how many of them failed. Uses a fixed amount of memory. */
export class AttemptWindow {
  readonly #attempts = new Uint32Array(SECONDS);
  readonly #failures = new Uint32Array(SECONDS);
  /** The latest second that has a counter. */
  #second = 0;
  #attemptCount = 0;
  #failureCount = 0;

  /**
   * Counts one attempt.
   *
   * @param now - time in ms. If it is earlier than in a previous call, the time of that call is used.
   */
  add(hasFailed: boolean, now: number): void {
    this.#moveTo(now);
    const place = this.#second % SECONDS;
    this.#attempts[place] = (this.#attempts[place] ?? 0) + 1;
    this.#attemptCount += 1;
    if (!hasFailed) return;
    this.#failures[place] = (this.#failures[place] ?? 0) + 1;
    this.#failureCount += 1;
  }

  /** Returns the counts of the second that contains `now` and of the 59 seconds before it. */
  countAt(now: number): { readonly attempts: number; readonly failures: number } {
    this.#moveTo(now);
    return { attempts: this.#attemptCount, failures: this.#failureCount };
  }

  clear(): void {
    this.#attempts.fill(0);
    this.#failures.fill(0);
    this.#attemptCount = 0;
    this.#failureCount = 0;
  }

  #moveTo(now: number): void {
    const second = Math.floor(now / 1_000);
    if (second - this.#second >= SECONDS) {
      this.clear();
      this.#second = second;
    }
    while (this.#second < second) {
      this.#second += 1;
      this.#forget(this.#second % SECONDS);
    }
  }

  #forget(place: number): void {
    this.#attemptCount -= this.#attempts[place] ?? 0;
    this.#failureCount -= this.#failures[place] ?? 0;
    this.#attempts[place] = 0;
    this.#failures[place] = 0;
  }
}
