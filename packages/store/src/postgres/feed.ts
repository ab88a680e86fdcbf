import type { Append, EventEntry, EventEntryListener, Unsubscribe } from "../events/event-store.ts";
import { type ExecutionRecord, toSummary } from "../events/execution-record.ts";
import type { ExecutionSummary } from "../events/execution-row.ts";
import { Publisher } from "../events/publisher.ts";
import { fromJson } from "../json-column.ts";
import { type Database, named, repeatRead } from "./database.ts";
import { Notifier, parseNews } from "./notifier.ts";
import { readTexts } from "./texts-apart.ts";

/** How often the table is looked into, for messages that got lost. */
const POLL_EVERY_MS = 2_000;

const FIND_SEQS = named("SELECT id, last_seq FROM executions WHERE id = ANY($1::text[])");
const FIND_APPENDS = named(`
  SELECT a.last_seq, a.entries, e.status, e.summary FROM executions e JOIN appends a ON a.execution_id = e.id
  WHERE e.id = $1 AND a.last_seq > $2 ORDER BY a.last_seq`);

type AppendRecord = Pick<ExecutionRecord, "last_seq" | "status" | "summary"> & { readonly entries: string };

/** An execution that somebody in this process listens to. */
interface Topic {
  listeners: number;
  /** The last event that listeners were told of; undefined before the first one. */
  heardSeq: number | undefined;
  /** The last event that is known to be in the table. */
  dueSeq: number;
  isReading: boolean;
}

/** Options of {@link Feed}. */
export interface FeedOptions {
  readonly database: Database;
  /** The name of this replica in messages to others. */
  readonly sender: string;
  /** An execution that was laid down is due by an append, here or at another replica. */
  readonly onDue: () => void;
  readonly onListenerError: (error: unknown) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Hands durable entries to those who listen in this process: what was appended here at once, and what other replicas
 * appended when they say so, read from the table. Messages carry numbers only, and a look into the table every two
 * seconds makes good for those that got lost.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #publisher: Publisher;
  readonly #notifier: Notifier;
  readonly #topics = new Map<string, Topic>();
  readonly #timer: NodeJS.Timeout;
  #isPolling = false;
  #isClosed = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#publisher = new Publisher(options.onListenerError);
    this.#notifier = new Notifier(options.database, options.sender);
    this.#timer = setInterval(() => this.look(), POLL_EVERY_MS);
    this.#timer.unref();
  }

  subscribe(executionId: string, listener: EventEntryListener): Unsubscribe {
    const topic = this.#topics.get(executionId) ?? { listeners: 0, heardSeq: undefined, dueSeq: 0, isReading: false };
    topic.listeners += 1;
    this.#topics.set(executionId, topic);
    const unsubscribe = this.#publisher.subscribe(executionId, listener);
    let isSubscribed = true;
    return () => {
      if (!isSubscribed) return;
      isSubscribed = false;
      unsubscribe();
      topic.listeners -= 1;
      if (topic.listeners === 0) this.#topics.delete(executionId);
    };
  }

  /** Something was appended in this process. @param isDue - by that, although it was laid down. */
  publish({ executionId, entries, summary }: Append, isDue: boolean): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    if (isDue) this.#options.onDue();
    // Others are told as well: this process may have no place for it.
    this.#notifier.tell({ executionId, seq: last.event.seq, isDue });
    const topic = this.#topics.get(executionId);
    if (topic !== undefined) this.#deliver(executionId, topic, entries, summary);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#notifier.idle();
  }

  /** Another replica has said something. */
  onMessage(payload: string): void {
    const message = parseNews(payload);
    if (message === undefined || message.sender === this.#options.sender) return;
    for (const { executionId, seq } of message.news) this.#hear(executionId, seq);
    if (message.news.some(({ isDue }) => isDue)) this.#options.onDue();
  }

  /** Looks into the table for what nobody said, or nobody heard. */
  look(): void {
    if (this.#isPolling || this.#isClosed || this.#topics.size === 0) return;
    this.#isPolling = true;
    const ids = [...this.#topics.keys()];
    const { database, onError } = this.#options;
    repeatRead(() => database.run<{ id: string; last_seq: number }>("reads", FIND_SEQS, [ids]))
      .then((rows) => {
        for (const { id, last_seq } of rows) this.#hear(id, last_seq);
      })
      .catch(onError)
      .finally(() => {
        this.#isPolling = false;
      });
  }

  #hear(executionId: string, seq: number): void {
    const topic = this.#topics.get(executionId);
    if (topic === undefined) return;
    topic.dueSeq = Math.max(topic.dueSeq, seq);
    if (topic.isReading || topic.dueSeq <= (topic.heardSeq ?? 0)) return;
    topic.isReading = true;
    this.#read(executionId, topic)
      .catch(this.#options.onError)
      .finally(() => {
        topic.isReading = false;
      });
  }

  async #read(executionId: string, topic: Topic): Promise<void> {
    while (topic.listeners > 0 && topic.dueSeq > (topic.heardSeq ?? 0)) {
      // Whoever has just begun to listen reads for itself what was there before.
      const after = topic.heardSeq ?? topic.dueSeq - 1;
      const { database } = this.#options;
      const rows = await repeatRead(() => database.run<AppendRecord>("reads", FIND_APPENDS, [executionId, after]));
      const newest = rows.at(-1);
      if (newest === undefined) return;
      const columns = [newest.summary, ...rows.map((row) => row.entries)];
      const [summary, ...appends] = await repeatRead(() => readTexts(database, executionId, columns));
      if (summary === undefined) return;
      const entries = appends.flatMap((json) => fromJson<EventEntry[]>(json));
      this.#deliver(executionId, topic, entries, toSummary({ ...newest, summary }));
    }
  }

  /** Entries that were told before are left out: they may come from here and from the table. */
  #deliver(executionId: string, topic: Topic, entries: readonly EventEntry[], summary: ExecutionSummary): void {
    const { heardSeq = 0 } = topic;
    const fresh = entries.filter(({ event }) => event.seq > heardSeq);
    topic.heardSeq = Math.max(heardSeq, entries.at(-1)?.event.seq ?? 0);
    this.#publisher.publish({ executionId, entries: fresh, summary });
  }
}
