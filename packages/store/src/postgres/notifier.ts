import { setTimeout as sleep } from "node:timers/promises";
import { type Database, named } from "./database.ts";

/** The channel on which replicas notify each other of new events. */
export const CHANNEL = "yagate_journal";

/** A payload can contain 8,000 bytes, and one notice takes about 45 bytes. */
const MAX_NOTICES_PER_MESSAGE = 100;
/**
 * Pause between messages. Each message briefly delays every commit of the server, so one message covers many appends.
 */
const PAUSE_MS = 10;
const TIMEOUT_MS = 3_000;

const NOTIFY = named("SELECT pg_notify($1, $2)");

/** The last event of an append, as sent to other replicas. */
export interface AppendNotice {
  readonly executionId: string;
  readonly seq: number;
  /** Whether the event made the suspended execution due. */
  readonly isDue: boolean;
}

/** Follows the event's number in a notice if the event made its execution due. */
const DUE = "!";

/** Parses a payload. @returns undefined if this store did not send it. */
export function parseNotices(
  payload: string,
): { readonly sender: string; readonly notices: readonly AppendNotice[] } | undefined {
  const [sender, ...items] = payload.split(" ");
  if (sender === undefined) return undefined;
  const notices = items.map((item) => {
    const [executionId = "", seq = "", mark] = item.split(":");
    return { executionId, seq: Number(seq), isDue: mark === DUE };
  });
  return notices.every(({ seq }) => Number.isSafeInteger(seq)) ? { sender, notices } : undefined;
}

/**
 * Notifies other replicas of committed events, many in one message. If a notification is lost, the next poll of the
 * other replicas finds its events.
 */
export class Notifier {
  readonly #database: Database;
  readonly #sender: string;
  #unsent = new Map<string, Omit<AppendNotice, "executionId">>();
  #sending: Promise<void> | undefined;

  /** @param sender - the name of this replica, without spaces. Replicas ignore their own messages. */
  constructor(database: Database, sender: string) {
    this.#database = database;
    this.#sender = sender;
  }

  notify({ executionId, seq, isDue }: AppendNotice): void {
    this.#unsent.set(executionId, { seq, isDue: isDue || this.#unsent.get(executionId)?.isDue === true });
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Resolves when all earlier notices have been sent. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#unsent.size > 0) {
      const items = [...this.#unsent].slice(0, MAX_NOTICES_PER_MESSAGE);
      for (const [executionId] of items) this.#unsent.delete(executionId);
      const texts = items.map(([executionId, { seq, isDue }]) => `${executionId}:${seq}${isDue ? `:${DUE}` : ""}`);
      const payload = [this.#sender, ...texts].join(" ");
      // A lost message does no harm: receivers also poll the table every two seconds.
      await this.#database.run("leases", NOTIFY, [CHANNEL, payload], TIMEOUT_MS).catch(() => undefined);
      await sleep(PAUSE_MS);
    }
  }
}
