import type { PartialTextPiece, PartialTurn } from "../../events/text-relay.ts";

/** Minimum interval between messages per execution: at most ten a second. */
const MESSAGE_EVERY_MS = 100;
/**
 * Delay of the first message. A fast reply fits into one message, and the first words of a slow reply still arrive
 * early.
 */
const FIRST_AFTER_MS = 25;

/** A chunk for one replica, or for all subscribers. */
export interface Delivery {
  readonly to: string | "all";
  readonly piece: PartialTextPiece;
}

interface Outgoing {
  readonly text: PartialTurn;
  /** The length that was sent to each replica. */
  readonly sent: Map<string, number>;
  /** The time from which the next message may be sent. */
  dueAtMs: number;
}

/** The partial texts that this process writes, and how much of each text was sent to each replica. */
export class OutgoingPartialText {
  readonly #now: () => number;
  readonly #wantedBy: (executionId: string) => readonly string[];
  readonly #texts = new Map<string, Outgoing>();
  /** Texts with parts that have not been sent yet. */
  readonly #waiting = new Set<Outgoing>();
  /**
   * The time of the last message per execution. It is kept after a text has ended, because the next text of the
   * execution shares the rate limit.
   */
  readonly #lastSentMs = new Map<string, number>();

  /** @param now - a monotonic clock in ms. */
  constructor(now: () => number, wantedBy: (executionId: string) => readonly string[]) {
    this.#now = now;
    this.#wantedBy = wantedBy;
  }

  begin(text: PartialTurn): void {
    const { executionId } = text;
    const dueAtMs = Math.max(this.#now() + FIRST_AFTER_MS, this.#maySendAtMs(executionId));
    this.#drop(executionId);
    this.#texts.set(executionId, { text, sent: new Map(), dueAtMs });
  }

  /** Call this when a replica has received nothing of the current text. */
  restart(executionId: string, replica: string): void {
    const outgoing = this.#texts.get(executionId);
    outgoing?.sent.delete(replica);
    if (outgoing !== undefined) this.#waiting.add(outgoing);
  }

  grow({ executionId }: PartialTurn): void {
    const outgoing = this.#texts.get(executionId);
    if (outgoing !== undefined && this.#wantedBy(executionId).length > 0) this.#waiting.add(outgoing);
  }

  /**
   * Returns the time in ms until a chunk of this execution, or without an id, a chunk of any execution, can be sent.
   * Undefined if no chunk is waiting.
   */
  dueInMs(executionId?: string): number | undefined {
    let dueAtMs = Number.POSITIVE_INFINITY;
    const known = executionId === undefined ? undefined : this.#texts.get(executionId);
    if (known === undefined) for (const outgoing of this.#waiting) dueAtMs = Math.min(dueAtMs, outgoing.dueAtMs);
    else if (this.#waiting.has(known)) dueAtMs = known.dueAtMs;
    return Number.isFinite(dueAtMs) ? Math.max(0, dueAtMs - this.#now()) : undefined;
  }

  /** Returns the chunks that may be sent now and marks them as sent. */
  take(): readonly Delivery[] {
    const now = this.#now();
    return [...this.#waiting].flatMap((outgoing) => (outgoing.dueAtMs <= now ? this.#send(outgoing) : []));
  }

  /**
   * Ends a text. @returns its last chunk if a message may be sent now; otherwise readers get the rest from the event
   * log.
   */
  end(text: PartialTurn): readonly Delivery[] {
    const outgoing = this.#texts.get(text.executionId);
    if (outgoing?.text !== text) return [];
    this.#drop(text.executionId);
    return this.#maySendAtMs(text.executionId) <= this.#now() ? this.#send(outgoing) : [];
  }

  /** Removes the send times of executions that may send again. */
  forgetOld(): void {
    for (const executionId of this.#lastSentMs.keys()) {
      if (this.#maySendAtMs(executionId) <= this.#now()) this.#lastSentMs.delete(executionId);
    }
  }

  #drop(executionId: string): void {
    const outgoing = this.#texts.get(executionId);
    if (outgoing !== undefined) this.#waiting.delete(outgoing);
    this.#texts.delete(executionId);
  }

  #maySendAtMs(executionId: string): number {
    return (this.#lastSentMs.get(executionId) ?? Number.NEGATIVE_INFINITY) + MESSAGE_EVERY_MS;
  }

  #send(outgoing: Outgoing): readonly Delivery[] {
    const { text, sent } = outgoing;
    this.#waiting.delete(outgoing);
    const { executionId, turn, attempt } = text;
    const byPosition = Map.groupBy(this.#wantedBy(executionId), (replica) => sent.get(replica) ?? 0);
    const deliveries: Delivery[] = [];
    // Replicas that have received the least come first, because a message to all replicas must not appear to have a
    // gap.
    for (const [position, replicas] of [...byPosition].sort(([one], [other]) => one - other)) {
      const [replica, ...others] = replicas;
      if (replica === undefined || position >= text.length) continue;
      const piece = { executionId, turn, attempt, position, text: text.since(position) };
      deliveries.push({ to: others.length === 0 ? replica : "all", piece });
      for (const each of replicas) sent.set(each, text.length);
    }
    if (deliveries.length === 0) return deliveries;
    const now = this.#now();
    this.#lastSentMs.set(executionId, now);
    outgoing.dueAtMs = now + MESSAGE_EVERY_MS;
    return deliveries;
  }
}
