// One reason for all aborts: an abort without a reason creates a DOMException with a stack trace that no code reads.
export const ABORTED = new Error("the execution no longer waits for this effect");

/**
 * Tells the work of a run to stop. Its signal exists only if some work requests it, which most runs never do: an
 * `AbortController` costs more than a flag.
 */
export class RunStop {
  #isRequested = false;
  #controller: AbortController | undefined;

  get isRequested(): boolean {
    return this.#isRequested;
  }

  /** Aborted when the stop is requested. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isRequested) this.#controller.abort(ABORTED);
    return this.#controller.signal;
  }

  request(): void {
    this.#isRequested = true;
    this.#controller?.abort(ABORTED);
  }
}
