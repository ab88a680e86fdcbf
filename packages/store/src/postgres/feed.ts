import { changesIn, type ExecutionChange } from "../events/changes.ts";
import type { Append, EventEntry, EventEntryListener, Unsubscribe } from "../events/event-store.ts";
import { type ExecutionRecord, toSummary } from "../events/execution-record.ts";
import type { ExecutionSummary } from "../events/execution-row.ts";
import { Publisher } from "../events/publisher.ts";
import { fromJson } from "../json-column.ts";
import { type Database, named, repeatRead } from "./database.ts";
import { Notifier, parseNotices } from "./notifier.ts";
import { readTexts } from "./texts-apart.ts";

/** How often the table is polled for events whose notification was lost. */
const POLL_EVERY_MS = 2_000;

const FIND_SEQS = named("SELECT id, last_seq FROM executions WHERE id = ANY($1::text[])");
const FIND_APPENDS = named(`
  SELECT a.last_seq, a.entries, e.status, e.summary FROM executions e JOIN appends a ON a.execution_id = e.id
  WHERE e.id = $1 AND a.last_seq > $2 ORDER BY a.last_seq`);

type AppendRecord = Pick<ExecutionRecord, "last_seq" | "status" | "summary"> & { readonly entries: string };

/** An execution with subscribers in this process. */
interface Topic {
  listeners: number;
  /** The last delivered event; undefined before the first one. */
  deliveredSeq: number | undefined;
  /** The last event known to be in the table. */
  knownSeq: number;
  isReading: boolean;
}

/** Options for {@link Feed}. */
export interface FeedOptions {
  readonly database: Database;
  /** The name of this replica in notifications. */
  readonly sender: string;
  /** Called when an append here or on another replica makes a suspended execution due. */
  readonly onDue: () => void;
  /** Called after an append here, and with each notification of an append on another replica. */
  readonly onChange: (change: ExecutionChange) => void;
  readonly onListenerError: (error: unknown) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Delivers durable entries to subscribers in this process: entries that this process appended immediately, and entries
 * from other replicas after a notification, which contains only sequence numbers, so the entries are read from the
 * table. A poll every two seconds finds events whose notification was lost.
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
    this.#timer = setInterval(() => this.poll(), POLL_EVERY_MS);
    this.#timer.unref();
  }

  subscribe(executionId: string, listener: EventEntryListener): Unsubscribe {
    const topic = this.#topics.get(executionId) ?? {
      listeners: 0,
      deliveredSeq: undefined,
      knownSeq: 0,
      isReading: false,
    };
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

  /** Call this after an append in this process. @param isDue - whether the append made a suspended execution due. */
  publish({ executionId, entries, summary }: Append, isDue: boolean): void {
    const last = entries.at(-1);
    if (last === undefined) return;
    if (isDue) this.#options.onDue();
    // Other replicas are also notified, because this process may have no free execution slot.
    const change = { executionId, seq: last.event.seq, kinds: changesIn(entries) };
    this.#notifier.notify({ ...change, isDue });
    this.#options.onChange(change);
    const topic = this.#topics.get(executionId);
    if (topic !== undefined) this.#deliver(executionId, topic, entries, summary);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#notifier.idle();
  }

  /** Handles a notification from another replica. */
  onMessage(payload: string): void {
    const message = parseNotices(payload);
    if (message === undefined || message.sender === this.#options.sender) return;
    for (const { executionId, seq, kinds } of message.notices) {
      this.#notice(executionId, seq);
      this.#options.onChange({ executionId, seq, kinds });
    }
    if (message.notices.some(({ isDue }) => isDue)) this.#options.onDue();
  }

  /** Polls the table for events whose notification did not arrive. */
  poll(): void {
    if (this.#isPolling || this.#isClosed || this.#topics.size === 0) return;
    this.#isPolling = true;
    const ids = [...this.#topics.keys()];
    const { database, onError } = this.#options;
    repeatRead(() => database.run<{ id: string; last_seq: number }>("reads", FIND_SEQS, [ids]))
      .then((rows) => {
        for (const { id, last_seq } of rows) this.#notice(id, last_seq);
      })
      .catch(onError)
      .finally(() => {
        this.#isPolling = false;
      });
  }

  #notice(executionId: string, seq: number): void {
    const topic = this.#topics.get(executionId);
    if (topic === undefined) return;
    topic.knownSeq = Math.max(topic.knownSeq, seq);
    if (topic.isReading || topic.knownSeq <= (topic.deliveredSeq ?? 0)) return;
    topic.isReading = true;
    this.#read(executionId, topic)
      .catch(this.#options.onError)
      .finally(() => {
        topic.isReading = false;
      });
  }

  async #read(executionId: string, topic: Topic): Promise<void> {
    while (topic.listeners > 0 && topic.knownSeq > (topic.deliveredSeq ?? 0)) {
      // A new subscriber reads earlier events directly.
      const after = topic.deliveredSeq ?? topic.knownSeq - 1;
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

  /** Delivers entries that have not been delivered yet: this process's appends may also be read from the table. */
  #deliver(executionId: string, topic: Topic, entries: readonly EventEntry[], summary: ExecutionSummary): void {
    const { deliveredSeq = 0 } = topic;
    const fresh = entries.filter(({ event }) => event.seq > deliveredSeq);
    topic.deliveredSeq = Math.max(deliveredSeq, entries.at(-1)?.event.seq ?? 0);
    this.#publisher.publish({ executionId, entries: fresh, summary });
  }
}
