/** Runs one piece of work after the other, in the order in which they came. */
export class InSequence {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all that came so far has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
