/** Runs work one at a time, in the order of the calls. */
export class InSequence {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all earlier work has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
