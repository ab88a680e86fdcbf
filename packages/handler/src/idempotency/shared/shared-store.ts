import type { CallOutcome, Claim, ClaimRequest, IdempotencyStore } from "../store.ts";
import { EndWatches } from "./end-watches.ts";
import type { EntryTable, NewClaim } from "./entry-table.ts";
import { ExpiredEntries } from "./expired-entries.ts";
import { type PersistOptions, persist } from "./persist.ts";

/** Maximum number of times to repeat a claim because its entry was changed. More indicate a defect, not contention. */
const MAX_CLAIM_TRIES = 20;
/** The longest duration that every database can add to its time: about 30 years. */
const MAX_DURATION_MS = 1e12;

/** Settings for {@link SharedIdempotencyStore}. */
export interface SharedStoreSettings {
  /** Time limit of one operation in ms, for all attempts together. */
  readonly timeoutMs: number;
  /** Whether the first operation creates the table. */
  readonly createTable: boolean;
}

/**
 * The part of a shared store that does not depend on the database: waiting, time limits, retries, and the removal of
 * expired entries.
 */
export class SharedIdempotencyStore implements IdempotencyStore {
  readonly #table: EntryTable;
  readonly #settings: SharedStoreSettings;
  readonly #watches: EndWatches;
  readonly #expired: ExpiredEntries;
  #created: Promise<void> | undefined;

  constructor(table: EntryTable, settings: SharedStoreSettings) {
    this.#table = table;
    this.#settings = settings;
    this.#watches = new EndWatches((key) => this.#step(() => table.look(key)));
    this.#expired = new ExpiredEntries(table);
  }

  async claim(request: ClaimRequest): Promise<Claim> {
    const claim: NewClaim = {
      ...request,
      lapsesAfterMs: toDuration(request.lapsesAfterMs),
      keepForMs: toDuration(request.keepForMs),
      holder: crypto.randomUUID(),
    };
    try {
      // The rest of the call's time limit is left for the error response; without it, the gateway would not learn what
      // happened.
      const limitMs = Math.min(this.#settings.timeoutMs, request.lapsesAfterMs / 2);
      const onLate = ({ state }: Claim) => (state === "claimed" ? this.#giveBack(claim) : undefined);
      return await this.#step(() => this.#claim(claim), { limitMs, onLate });
    } catch (error) {
      // The claim may have been stored although its response was lost. Unless it is released, no process can run the
      // call.
      this.#giveBack(claim);
      throw error;
    }
  }

  complete(key: string, holder: string, outcome: CallOutcome): Promise<void> {
    return this.#end(key, holder, outcome, true);
  }

  release(key: string, holder: string, outcome: CallOutcome): Promise<void> {
    return this.#end(key, holder, outcome, false);
  }

  wait(key: string, signal: AbortSignal): Promise<CallOutcome | undefined> {
    return this.#watches.wait(key, signal);
  }

  /** Creates the table if it does not exist. */
  createTable(): Promise<void> {
    return this.#persist(() => this.#createOnce());
  }

  /** Removes all expired entries, in small batches. */
  removeExpired(): Promise<number> {
    return this.#expired.removeAll();
  }

  async #claim(claim: NewClaim): Promise<Claim> {
    for (let tries = 0; tries < MAX_CLAIM_TRIES; tries += 1) {
      const answer = await this.#table.claim(claim);
      if (answer === undefined) continue;
      if (answer.state === "claimed") this.#expired.removeSome();
      return answer;
    }
    throw new Error(`the entry of a call changed during each of ${MAX_CLAIM_TRIES} claims`);
  }

  async #end(key: string, holder: string, outcome: CallOutcome, isFinal: boolean): Promise<void> {
    if (await this.#step(() => this.#table.end({ key, holder, outcome, isFinal }))) this.#watches.tell(key, outcome);
    this.#expired.throwFailure();
  }

  #giveBack({ key, holder }: NewClaim): void {
    // Tried only once: if this fails as well, the claim lapses at the deadline of the call.
    this.#table.end({ key, holder, outcome: undefined, isFinal: false }).catch(() => {});
  }

  /** Runs one operation, after creating the table if necessary. */
  #step<Result>(work: () => Promise<Result>, options: Partial<PersistOptions<Result>> = {}): Promise<Result> {
    if (!this.#settings.createTable) return this.#persist(work, options);
    return this.#persist(async () => {
      await this.#createOnce();
      return work();
    }, options);
  }

  #createOnce(): Promise<void> {
    this.#created ??= Promise.resolve(this.#table.create?.()).catch((error: unknown) => {
      this.#created = undefined;
      throw error;
    });
    return this.#created;
  }

  #persist<Result>(work: () => Promise<Result>, options: Partial<PersistOptions<Result>> = {}): Promise<Result> {
    // A TypeError indicates a defect: the database returned an unexpected type.
    const isTransient = (error: unknown) => !(error instanceof TypeError) && this.#table.isTransient(error);
    return persist(work, { limitMs: this.#settings.timeoutMs, isTransient, ...options });
  }
}

function toDuration(durationMs: number): number {
  return Math.min(Math.ceil(durationMs), MAX_DURATION_MS);
}
