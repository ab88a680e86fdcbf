import { YagateError } from "@yagate/protocol";
import type { StoreCommit } from "../events/event-store.ts";
import { resolveCommitOutcome } from "./resolve-commit-outcome.ts";
import { isConflict, outcomeUnknown, StatementError, storageFailureOf, toStoreError } from "./store-error.ts";

const MAX_ITEMS_PER_GROUP = 512;
const MAX_BYTES_PER_GROUP = 8_388_608;
const MAX_CONFLICTS = 5;

/** What came of one item, in the order of the items. */
export type ItemOutcome<Result> = { readonly result: Result } | { readonly error: YagateError };

/** Options of {@link CommitBatcher}. */
export interface CommitBatcherOptions<Item, Result> {
  /** Items of one key never share a group, and keep their order. */
  readonly keyOf: (item: Item) => string;
  readonly bytesOf: (item: Item) => number;
  /**
   * Performs a group in one transaction, which is committed when it resolves.
   *
   * @param isRepeat - an earlier try may have been committed: what is found done may be its work.
   * @throws StatementError when none of it is known to have happened.
   */
  readonly perform: (items: readonly Item[], isRepeat: boolean) => Promise<readonly ItemOutcome<Result>[]>;
  /** Groups that are on their way at the same time. */
  readonly maxInFlight: number;
  readonly onCommit?: (commit: StoreCommit) => void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly key: string;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: YagateError) => void;
}

/**
 * Group commit over a connection: what arrives in one turn of the event loop, or while the groups before it are on their
 * way, shares one transaction. Each item is acknowledged after the commit that holds it.
 *
 * A group that the server refuses because of one item is taken apart. One whose commit was lost is tried again on other
 * connections until it is known what became of it; the groups behind it go on meanwhile.
 */
export class CommitBatcher<Item, Result> {
  readonly #options: CommitBatcherOptions<Item, Result>;
  #ready: Waiting<Item, Result>[] = [];
  /** By key: what waits for an item of the same key. A key is here while one of its items is on its way or ready. */
  readonly #behind = new Map<string, Waiting<Item, Result>[]>();
  #inFlight = 0;
  #isScheduled = false;
  readonly #closing = new AbortController();
  readonly #patience = new AbortController();
  #onEmpty: (() => void) | undefined;

  constructor(options: CommitBatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /** @throws YagateError what became of the item; `UNAVAILABLE` when its group could not be committed. */
  write(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#closing.signal.aborted) {
        reject(new YagateError("UNAVAILABLE", "the store is closed"));
        return;
      }
      const waiting = { item, key: this.#options.keyOf(item), resolve, reject };
      const behind = this.#behind.get(waiting.key);
      if (behind !== undefined) {
        behind.push(waiting);
        return;
      }
      this.#behind.set(waiting.key, []);
      this.#ready.push(waiting);
      this.#schedule();
    });
  }

  /** From now on asks once what became of a commit that was lost, and no longer. */
  stopAsking(): void {
    this.#patience.abort();
  }

  /** Commits what waits, and refuses what comes later. */
  async close(): Promise<void> {
    this.stopAsking();
    this.#closing.abort();
    if (this.#behind.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#ready.length > 0 && this.#inFlight < this.#options.maxInFlight) void this.#runGroup();
    });
  }

  async #runGroup(): Promise<void> {
    const group = this.#takeGroup();
    this.#inFlight += 1;
    let lost: unknown;
    const startedAt = performance.now();
    try {
      await this.#tryGroup(group);
    } catch (error) {
      lost = error;
    }
    this.#options.onCommit?.({ size: group.length, durationMs: performance.now() - startedAt });
    this.#inFlight -= 1;
    if (this.#ready.length > 0) this.#schedule();
    if (lost !== undefined) await this.#settle(group, lost);
    this.#finish(group);
  }

  #takeGroup(): readonly Waiting<Item, Result>[] {
    let bytes = 0;
    let count = 0;
    for (const { item } of this.#ready) {
      bytes += this.#options.bytesOf(item);
      if (count === MAX_ITEMS_PER_GROUP || (count > 0 && bytes > MAX_BYTES_PER_GROUP)) break;
      count += 1;
    }
    return this.#ready.splice(0, count);
  }

  /** @throws StatementError `lost`, and nothing else. */
  async #tryGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    for (let conflicts = 0; ; conflicts += 1) {
      try {
        tell(group, await this.#perform(group, false));
        return;
      } catch (error) {
        if (error instanceof StatementError && error.fate === "lost") throw error;
        if (isConflict(error) && conflicts < MAX_CONFLICTS) continue;
        if (group.length === 1 || !isOfOneItem(error)) {
          for (const { reject } of group) reject(toStoreError(error));
          return;
        }
        // One at a time, so that the one that can't be done takes no other with it.
        for (const waiting of group) await this.#tryGroup([waiting]).catch((cause) => this.#settle([waiting], cause));
        return;
      }
    }
  }

  /** Finds out what became of a group whose commit was lost, by trying it again. */
  async #settle(group: readonly Waiting<Item, Result>[], lost: unknown): Promise<void> {
    try {
      // What a try says that fails, it says of itself, and nothing about the first one.
      const outcomes = await resolveCommitOutcome(() => this.#perform(group, true), {
        signal: this.#patience.signal,
        orElse: () => outcomeUnknown(lost),
      });
      tell(group, outcomes);
    } catch (error) {
      for (const { reject } of group) reject(toStoreError(error));
    }
  }

  #perform(group: readonly Waiting<Item, Result>[], isRepeat: boolean): Promise<readonly ItemOutcome<Result>[]> {
    return this.#options.perform(
      group.map(({ item }) => item),
      isRepeat,
    );
  }

  #finish(group: readonly Waiting<Item, Result>[]): void {
    for (const { key } of group) {
      const behind = this.#behind.get(key);
      const next = behind?.shift();
      if (next === undefined) this.#behind.delete(key);
      else this.#ready.push(next);
    }
    if (this.#ready.length > 0) this.#schedule();
    else if (this.#behind.size === 0) this.#onEmpty?.();
  }
}

function isOfOneItem(error: unknown): boolean {
  return error instanceof StatementError && error.fate === "aborted" && storageFailureOf(error) === undefined;
}

function tell<Item, Result>(group: readonly Waiting<Item, Result>[], outcomes: readonly ItemOutcome<Result>[]): void {
  for (const [index, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) reject(new YagateError("INTERNAL", "expected an outcome of every item"));
    else if ("error" in outcome) reject(outcome.error);
    else resolve(outcome.result);
  }
}
