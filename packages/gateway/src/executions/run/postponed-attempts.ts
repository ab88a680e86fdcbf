import type { Effect } from "../machine/effects.ts";

/** How long an attempt that found its endpoint's queue full leaves it alone, in ms: at least, and as much again by chance. */
const PAUSE_MS = 5_000;

/** Attempts that are in the log, have not left, and found no room in the queue of their endpoint. */
export class PostponedAttempts {
  /** When each tries again, in ms since the epoch. */
  readonly #until = new Map<string, number>();

  /** @param chance - from 0 to 1: those that were refused together come back one after the other. */
  add(key: string, now: number, chance: number): void {
    this.#until.set(key, Math.round(now + PAUSE_MS * (1 + chance)));
  }

  /** Whether this is not to be tried yet. An attempt that may not be sent any more is tried: that ends it. */
  holdBack(effect: Effect, now: number): boolean {
    if (effect.type === "attempt" && (effect.isAborted || effect.isTooLateToSend)) this.#until.delete(effect.key);
    if ((this.#until.get(effect.key) ?? 0) > now) return true;
    this.#until.delete(effect.key);
    return false;
  }

  /** Forgets all but these. */
  keep(keys: ReadonlySet<string>): void {
    for (const key of this.#until.keys()) if (!keys.has(key)) this.#until.delete(key);
  }

  /** When the first of them tries again; undefined: there is none. */
  get next(): number | undefined {
    return this.#until.size === 0 ? undefined : Math.min(...this.#until.values());
  }
}
