import { setTimeout as sleep } from "node:timers/promises";
import type { ChangeHint, ChangeHintType } from "@yagate/protocol";
import type { ChangeKind, EventStore, ExecutionChange } from "@yagate/store/port";
import { LRUCache } from "lru-cache";

/** Workspaces of executions that are remembered, so that each execution is looked up once. */
const MAX_KNOWN = 10_000;
/** Hints that wait for one slow reader. Beyond that, its stream ends, and the reader reads its lists again. */
const MAX_WAITING = 1_000;

const TYPES: Readonly<Record<ChangeKind, ChangeHintType>> = {
  execution: "execution.changed",
  tool_call: "tool_call.changed",
  approval: "approval.changed",
  input_request: "input_request.changed",
};

/** Pause between two batches of hints: a page that reads a list again for each of them must not be flooded. */
const BATCH_EVERY_MS = 100;

/** Which hints a reader receives. */
export interface HintQuery {
  readonly workspaceId: string;
  readonly kinds: ReadonlySet<ChangeKind>;
}

export interface ChangeHints {
  /**
   * Yields the changes in a workspace from now on, until the signal is aborted or hints may have been lost. Several
   * changes of an execution may become one hint.
   */
  follow(query: HintQuery, signal: AbortSignal): AsyncGenerator<ChangeHint, void, void>;
}

/** Creates the hints about changes of executions. It reads nothing while no reader follows. */
export function createChangeHints({
  eventStore,
  now,
  onError,
}: {
  readonly eventStore: Pick<EventStore, "onChange" | "workspaceOf">;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}): ChangeHints {
  const readers = new Set<HintReader>();
  const known = new LRUCache<string, string>({ max: MAX_KNOWN });
  let unsubscribe: (() => void) | undefined;

  async function workspaceOf(executionId: string): Promise<string | undefined> {
    const found = known.get(executionId) ?? (await eventStore.workspaceOf(executionId));
    if (found !== undefined) known.set(executionId, found);
    return found;
  }

  function onChange(change: ExecutionChange | "missed"): void {
    if (change === "missed") {
      for (const reader of readers) reader.end();
      return;
    }
    const at = new Date(now()).toISOString();
    workspaceOf(change.executionId).then((workspaceId) => {
      for (const reader of readers) if (reader.query.workspaceId === workspaceId) reader.take(change, at);
    }, onError);
  }

  return {
    async *follow(query, signal) {
      const reader = new HintReader(query);
      readers.add(reader);
      unsubscribe ??= eventStore.onChange(onChange);
      const end = () => reader.end();
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
      try {
        yield* reader.hints();
      } finally {
        signal.removeEventListener("abort", end);
        readers.delete(reader);
        if (readers.size === 0) {
          unsubscribe?.();
          unsubscribe = undefined;
        }
      }
    },
  };
}

/** The hints that wait for one reader: the latest of each type and execution. */
class HintReader {
  readonly query: HintQuery;
  readonly #waiting = new Map<string, ChangeHint>();
  #hasEnded = false;
  #wake: () => void = () => {};

  constructor(query: HintQuery) {
    this.query = query;
  }

  take({ executionId, seq, kinds }: ExecutionChange, at: string): void {
    for (const kind of kinds) {
      if (!this.query.kinds.has(kind)) continue;
      const key = `${kind} ${executionId}`;
      const latest = Math.max(seq, this.#waiting.get(key)?.seq ?? 0);
      this.#waiting.set(key, { type: TYPES[kind], id: executionId, seq: latest, at });
    }
    if (this.#waiting.size > MAX_WAITING) this.end();
    else this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  async *hints(): AsyncGenerator<ChangeHint, void, void> {
    while (!this.#hasEnded) {
      if (this.#waiting.size === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const batch = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const hint of batch) {
        if (this.#hasEnded) return;
        yield hint;
      }
      await sleep(BATCH_EVERY_MS, undefined, { ref: false });
    }
  }
}
