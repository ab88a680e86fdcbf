import { setTimeout as sleep } from "node:timers/promises";
import { type Database, named } from "./database.ts";

/** Where replicas of one database tell each other which executions have new events. */
export const CHANNEL = "yagate_journal";

/** A payload holds 8 000 bytes, and an execution takes about 45 of them. */
const MAX_NEWS_PER_MESSAGE = 100;
/** Each message holds up every commit of the server for a moment, so there is one for many appends. */
const PAUSE_MS = 10;
const TIMEOUT_MS = 3_000;

const NOTIFY = named("SELECT pg_notify($1, $2)");

/** The last event of an execution, as another replica tells it. */
export interface News {
  readonly executionId: string;
  readonly seq: number;
  /** It was laid down, and is due by that event. */
  readonly isDue: boolean;
}

/** Stands behind the number of an event that made its execution due. */
const DUE = "!";

/** @returns undefined for what is not ours. */
export function parseNews(payload: string): { readonly sender: string; readonly news: readonly News[] } | undefined {
  const [sender, ...items] = payload.split(" ");
  if (sender === undefined) return undefined;
  const news = items.map((item) => {
    const [executionId = "", seq = "", mark] = item.split(":");
    return { executionId, seq: Number(seq), isDue: mark === DUE };
  });
  return news.every(({ seq }) => Number.isSafeInteger(seq)) ? { sender, news } : undefined;
}

/**
 * Tells other replicas of new events after they were committed, many at a time. What gets lost on the way is found by
 * their next look at the table.
 */
export class Notifier {
  readonly #database: Database;
  readonly #sender: string;
  #untold = new Map<string, Omit<News, "executionId">>();
  #sending: Promise<void> | undefined;

  /** @param sender - a name without spaces: this replica's own messages are for others. */
  constructor(database: Database, sender: string) {
    this.#database = database;
    this.#sender = sender;
  }

  tell({ executionId, seq, isDue }: News): void {
    this.#untold.set(executionId, { seq, isDue: isDue || this.#untold.get(executionId)?.isDue === true });
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Resolves when all that was told so far is on its way. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#untold.size > 0) {
      const items = [...this.#untold].slice(0, MAX_NEWS_PER_MESSAGE);
      for (const [executionId] of items) this.#untold.delete(executionId);
      const texts = items.map(([executionId, { seq, isDue }]) => `${executionId}:${seq}${isDue ? `:${DUE}` : ""}`);
      const payload = [this.#sender, ...texts].join(" ");
      // Whoever waits for it looks into the table every two seconds as well.
      await this.#database.run("leases", NOTIFY, [CHANNEL, payload], TIMEOUT_MS).catch(() => undefined);
      await sleep(PAUSE_MS);
    }
  }
}
