import { setTimeout as sleep } from "node:timers/promises";
import { CHANGE_KINDS, type ExecutionChange } from "../events/changes.ts";
import { type Database, named } from "./database.ts";

/** The channel on which replicas notify each other of new events. */
export const CHANNEL = "yagate_journal";

/** A payload can contain 8,000 bytes, and one notice takes about 50 bytes. */
const MAX_NOTICES_PER_MESSAGE = 100;
/**
 * Pause between messages. Each message briefly delays every commit of the server, so one message covers many appends.
 */
const PAUSE_MS = 10;
const TIMEOUT_MS = 3_000;

const NOTIFY = named("SELECT pg_notify($1, $2)");

/** The last event of an append, as sent to other replicas. */
export interface AppendNotice extends ExecutionChange {
  /** Whether the event made the suspended execution due. */
  readonly isDue: boolean;
}

/** Follows the event's number in a notice if the event made its execution due. Earlier versions read no further. */
const DUE = "!";

/** Parses a payload. @returns undefined if this store did not send it. */
export function parseNotices(
  payload: string,
): { readonly sender: string; readonly notices: readonly AppendNotice[] } | undefined {
  const [sender, ...items] = payload.split(" ");
  if (sender === undefined) return undefined;
  const notices = items.map((item) => {
    const [executionId = "", seq = "", mark, kinds = ""] = item.split(":");
    return {
      ...{ executionId, seq: Number(seq), isDue: mark === DUE },
      kinds: CHANGE_KINDS.filter((_kind, index) => kinds.includes(`${index}`)),
    };
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

  notify({ executionId, seq, isDue, kinds }: AppendNotice): void {
    const unsent = this.#unsent.get(executionId);
    this.#unsent.set(executionId, {
      seq,
      isDue: isDue || unsent?.isDue === true,
      kinds: unsent === undefined ? kinds : [...unsent.kinds, ...kinds],
    });
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
      const texts = items.map(([executionId, { seq, isDue, kinds }]) => {
        const marks = CHANGE_KINDS.map((kind, index) => (kinds.includes(kind) ? index : "")).join("");
        return `${executionId}:${seq}:${isDue ? DUE : ""}:${marks}`;
      });
      const payload = [this.#sender, ...texts].join(" ");
      // A lost message does no harm: receivers also poll the table every two seconds.
      await this.#database.run("leases", NOTIFY, [CHANNEL, payload], TIMEOUT_MS).catch(() => undefined);
      await sleep(PAUSE_MS);
    }
  }
}
