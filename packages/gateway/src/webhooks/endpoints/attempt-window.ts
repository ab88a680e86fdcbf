const SECONDS = 60;

/** How many attempts of the last minute ended, and how many of them failed. Of fixed size, whatever passes through. */
export class AttemptWindow {
  readonly #attempts = new Uint32Array(SECONDS);
  readonly #failures = new Uint32Array(SECONDS);
  /** The newest second that has a place. */
  #second = 0;
  #attemptCount = 0;
  #failureCount = 0;

  /** @param now - ms; one that lies before an earlier one counts as that. */
  add(hasFailed: boolean, now: number): void {
    this.#moveTo(now);
    const place = this.#second % SECONDS;
    this.#attempts[place] = (this.#attempts[place] ?? 0) + 1;
    this.#attemptCount += 1;
    if (!hasFailed) return;
    this.#failures[place] = (this.#failures[place] ?? 0) + 1;
    this.#failureCount += 1;
  }

  /** Of the second of `now` and the 59 before it. */
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
