/** Default number of concurrent reads. With two, a remote database works on one read while the other is prepared. */
const DEFAULT_MAX_AT_ONCE = 2;
/** Time in ms that reads may use in one iteration of the event loop before no further read starts in it. */
const ITERATION_MS = 5;

/**
 * Limits the large reads of a gateway: only a few run at the same time, and few start per iteration of the event loop,
 * because the embedded store reads in the event loop and the rows of every store are parsed there. Executions and
 * workspaces take turns.
 */
export class ReadSlots {
  readonly #maxAtOnce: number;
  readonly #waiting = new ReaderQueue<() => Promise<void>>();
  #running = 0;
  #spentMs = 0;
  #nextIteration: NodeJS.Immediate | undefined;

  /** @param maxAtOnce - maximum number of concurrent reads; default 2. */
  constructor(maxAtOnce = DEFAULT_MAX_AT_ONCE) {
    this.#maxAtOnce = maxAtOnce;
  }

  /**
   * Calls `begin` when a slot is free, possibly immediately. `begin` must not reject.
   *
   * @returns a function that withdraws the read, unless the read has already started.
   */
  add(subject: ReadSubject, begin: () => Promise<void>): () => void {
    this.#waiting.add(subject, begin);
    this.#begin();
    return () => this.#waiting.delete(subject, begin);
  }

  /** Runs work on data that was read, and counts its time towards this iteration of the event loop. */
  measure<Result>(work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.#spentMs += performance.now() - startedAt;
      this.#nextIteration ??= setImmediate(() => {
        this.#nextIteration = undefined;
        this.#spentMs = 0;
        this.#begin();
      });
    }
  }

  #begin(): void {
    while (this.#running < this.#maxAtOnce && this.#spentMs < ITERATION_MS) {
      const begin = this.#waiting.take();
      if (begin === undefined) return;
      this.#running += 1;
      this.measure(begin).finally(() => {
        this.#running -= 1;
        this.#begin();
      });
    }
  }
}

/** The execution that a reader follows, and its workspace. */
export interface ReadSubject {
  readonly workspaceId: string;
  readonly executionId: string;
}

/**
 * A fair queue. It takes from the workspaces in turn, within a workspace from its executions in turn, and within an
 * execution in order of arrival.
 */
export class ReaderQueue<Item> {
  readonly #workspaces = new Map<string, Map<string, Set<Item>>>();

  /** @param item - must differ from all items that wait for the same execution. */
  add({ workspaceId, executionId }: ReadSubject, item: Item): void {
    const executions = this.#workspaces.get(workspaceId) ?? new Map<string, Set<Item>>();
    const items = executions.get(executionId) ?? new Set();
    this.#workspaces.set(workspaceId, executions.set(executionId, items.add(item)));
  }

  delete({ workspaceId, executionId }: ReadSubject, item: Item): void {
    const executions = this.#workspaces.get(workspaceId);
    const items = executions?.get(executionId);
    if (executions === undefined || !items?.delete(item) || items.size > 0) return;
    executions.delete(executionId);
    if (executions.size === 0) this.#workspaces.delete(workspaceId);
  }

  get isEmpty(): boolean {
    return this.#workspaces.size === 0;
  }

  take(): Item | undefined {
    for (const [workspaceId, executions] of this.#workspaces) {
      for (const [executionId, items] of executions) {
        for (const item of items) {
          this.delete({ workspaceId, executionId }, item);
          moveToEnd(executions, executionId, items);
          moveToEnd(this.#workspaces, workspaceId, executions);
          return item;
        }
      }
    }
    return undefined;
  }
}

function moveToEnd<Value extends { readonly size: number }>(map: Map<string, Value>, key: string, value: Value): void {
  if (value.size === 0) return;
  map.delete(key);
  map.set(key, value);
}
