import { YagateError } from "@yagate/protocol";
import type { StoreCommit } from "../events/event-store.ts";
import { resolveCommitOutcome } from "./resolve-commit-outcome.ts";
import { isConflict, outcomeUnknown, StatementError, storageFailureOf, toStoreError } from "./store-error.ts";

const MAX_ITEMS_PER_GROUP = 512;
const MAX_BYTES_PER_GROUP = 8_388_608;
const MAX_CONFLICTS = 5;

/** The outcome of an item. */
export type ItemOutcome<Result> = { readonly result: Result } | { readonly error: YagateError };

/** Options for {@link CommitBatcher}. */
export interface CommitBatcherOptions<Item, Result> {
  /** Returns the key of an item. Items with the same key are never in the same group, and are written in order. */
  readonly keyOf: (item: Item) => string;
  readonly bytesOf: (item: Item) => number;
  /**
   * Runs a group in one transaction, which is committed when the promise resolves. The outcomes are in the order of the
   * items.
   *
   * @param isRepeat - whether an earlier attempt may have been committed, so that rows that already exist may come from
   *   that attempt.
   * @throws StatementError if the transaction was not committed, or if this is unknown.
   */
  readonly perform: (items: readonly Item[], isRepeat: boolean) => Promise<readonly ItemOutcome<Result>[]>;
  /** Maximum number of concurrent groups. */
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
 * Writes items in groups, with one transaction per group. A group contains the items that arrived in one iteration of
 * the event loop or while earlier groups were in flight. Each item is acknowledged after its commit.
 *
 * If the server rejects a group because of one item, the items of the group are written one at a time. If the outcome
 * of a commit is unknown, the group is repeated on other connections until the outcome is known, while later groups
 * continue.
 */
export class CommitBatcher<Item, Result> {
  readonly #options: CommitBatcherOptions<Item, Result>;
  #ready: Waiting<Item, Result>[] = [];
  /**
   * Items that wait for an earlier item with the same key. A key is present while one of its items is ready or in
   * flight.
   */
  readonly #behind = new Map<string, Waiting<Item, Result>[]>();
  #inFlight = 0;
  #isScheduled = false;
  readonly #closing = new AbortController();
  readonly #patience = new AbortController();
  #onEmpty: (() => void) | undefined;

  constructor(options: CommitBatcherOptions<Item, Result>) {
    this.#options = options;
  }

  /**
   * Writes an item.
   *
   * @throws YagateError the error of the item; `UNAVAILABLE` if its group could not be committed.
   */
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

  /** From now on, tries only once more to find the outcome of a lost commit. */
  stopAsking(): void {
    this.#patience.abort();
  }

  /** Commits waiting items and rejects new ones. */
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

  /** @throws StatementError only if the commit was lost. */
  async #tryGroup(group: readonly Waiting<Item, Result>[]): Promise<void> {
    for (let conflicts = 0; ; conflicts += 1) {
      try {
        settleItems(group, await this.#perform(group, false));
        return;
      } catch (error) {
        if (error instanceof StatementError && error.fate === "lost") throw error;
        if (isConflict(error) && conflicts < MAX_CONFLICTS) continue;
        if (group.length === 1 || !isOfOneItem(error)) {
          for (const { reject } of group) reject(toStoreError(error));
          return;
        }
        // One at a time, so that only the invalid item fails.
        for (const waiting of group) await this.#tryGroup([waiting]).catch((cause) => this.#settle([waiting], cause));
        return;
      }
    }
  }

  /** Finds the outcome of a group whose commit was lost, by running the group again. */
  async #settle(group: readonly Waiting<Item, Result>[], lost: unknown): Promise<void> {
    try {
      // A failed repetition does not show the outcome of the first attempt.
      const outcomes = await resolveCommitOutcome(() => this.#perform(group, true), {
        signal: this.#patience.signal,
        orElse: () => outcomeUnknown(lost),
      });
      settleItems(group, outcomes);
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

function settleItems<Item, Result>(
  group: readonly Waiting<Item, Result>[],
  outcomes: readonly ItemOutcome<Result>[],
): void {
  for (const [index, { resolve, reject }] of group.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) reject(new YagateError("INTERNAL", "expected an outcome for every item"));
    else if ("error" in outcome) reject(outcome.error);
    else resolve(outcome.result);
  }
}
