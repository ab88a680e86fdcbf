/** How long a subscription lasts if it is not renewed, for example because the replica has died. */
export const WANTED_MS = 30_000;

/** The replicas that subscribe to each execution. */
export class WantedTexts {
  readonly #now: () => number;
  readonly #untilMs = new Map<string, Map<string, number>>();

  /** @param now - a monotonic clock in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Adds or renews a subscription. @returns whether it is new. */
  want(executionId: string, replica: string): boolean {
    const isNew = !this.by(executionId).includes(replica);
    const replicas = this.#untilMs.get(executionId) ?? new Map();
    this.#untilMs.set(executionId, replicas.set(replica, this.#now() + WANTED_MS));
    return isNew;
  }

  stop(executionId: string, replica: string): void {
    const replicas = this.#untilMs.get(executionId);
    replicas?.delete(replica);
    if (replicas?.size === 0) this.#untilMs.delete(executionId);
  }

  /** Returns the subscribers of an execution. */
  by(executionId: string): readonly string[] {
    const replicas = this.#untilMs.get(executionId);
    if (replicas === undefined) return [];
    const now = this.#now();
    return [...replicas].filter(([, untilMs]) => untilMs > now).map(([replica]) => replica);
  }

  /** Removes subscriptions that were not renewed in time. */
  forgetSilent(): void {
    const now = this.#now();
    for (const [executionId, replicas] of this.#untilMs) {
      for (const [replica, untilMs] of replicas) if (untilMs <= now) this.stop(executionId, replica);
    }
  }
}
