import type { Interest, InterestKind } from "./messages.ts";

/** The executions that this process listens to, and what of that is still to be told to others. */
export class Interests {
  readonly #held = new Set<string>();
  readonly #untold = new Map<string, InterestKind>();

  /** Told with what comes at about the same time. */
  listen(executionId: string): void {
    this.#held.add(executionId);
    this.#untold.set(executionId, "listen");
  }

  stop(executionId: string): void {
    this.#held.delete(executionId);
    this.#untold.set(executionId, "stop");
  }

  has(executionId: string): boolean {
    return this.#held.has(executionId);
  }

  /** All of them are to be told, again or for the first time to somebody. */
  tellAll(kind: "listen" | "renew"): void {
    for (const executionId of this.#held) {
      if (kind === "listen" || !this.#untold.has(executionId)) this.#untold.set(executionId, kind);
    }
  }

  get areTold(): boolean {
    return this.#untold.size === 0;
  }

  /** What is to be told; it counts as told. */
  take(): readonly Interest[] {
    const byKind = Map.groupBy(this.#untold, ([, kind]) => kind);
    this.#untold.clear();
    return [...byKind].map(([kind, entries]) => ({ kind, executionIds: entries.map(([executionId]) => executionId) }));
  }
}
