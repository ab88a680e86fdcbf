/** Longest delay of a Node timer; a later moment is reached in several steps. */
const MAX_TIMER_MS = 2_147_000_000;

/** Lets one sleeper be woken, by a call or at a moment. */
export class WakeUp {
  #wake: () => void = () => {};

  /** Wakes who sleeps; without effect otherwise. */
  now(): void {
    this.#wake();
  }

  /** Resolves when woken, or after `delayMs` if that is given; a very long delay may end early. */
  async sleep(delayMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (delayMs !== undefined) timer = setTimeout(resolve, Math.min(Math.max(0, delayMs), MAX_TIMER_MS));
    });
    clearTimeout(timer);
    this.#wake = () => {};
  }
}
