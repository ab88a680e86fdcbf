import type { PartialTextPiece, PartialTurn } from "../../events/text-relay.ts";

/** At most ten messages a second of one execution. */
const MESSAGE_EVERY_MS = 100;
/** A model that answers at once is told of in one message, and the first words of another come soon. */
const FIRST_AFTER_MS = 25;

/** Pieces for one replica, or for all that listen. */
export interface Delivery {
  readonly to: string | "all";
  readonly piece: PartialTextPiece;
}

interface Outgoing {
  readonly draft: PartialTurn;
  /** How much of it each replica was sent. */
  readonly sent: Map<string, number>;
  /** When the next message may leave. */
  dueAtMs: number;
}

/** The drafts that are written in this process, and what of them has left for whom. */
export class OutgoingPartialText {
  readonly #now: () => number;
  readonly #wantedBy: (executionId: string) => readonly string[];
  readonly #drafts = new Map<string, Outgoing>();
  /** Those of which there may be something to send. */
  readonly #waiting = new Set<Outgoing>();
  /** Kept beyond a draft: the next one of the same execution counts with it. */
  readonly #lastSentMs = new Map<string, number>();

  /** @param now - ms on a clock that is never set. */
  constructor(now: () => number, wantedBy: (executionId: string) => readonly string[]) {
    this.#now = now;
    this.#wantedBy = wantedBy;
  }

  begin(draft: PartialTurn): void {
    const { executionId } = draft;
    const dueAtMs = Math.max(this.#now() + FIRST_AFTER_MS, this.#mayLeaveAtMs(executionId));
    this.#drop(executionId);
    this.#drafts.set(executionId, { draft, sent: new Map(), dueAtMs });
  }

  /** A replica has none of the present draft. */
  restart(executionId: string, replica: string): void {
    const outgoing = this.#drafts.get(executionId);
    outgoing?.sent.delete(replica);
    if (outgoing !== undefined) this.#waiting.add(outgoing);
  }

  grow({ executionId }: PartialTurn): void {
    const outgoing = this.#drafts.get(executionId);
    if (outgoing !== undefined && this.#wantedBy(executionId).length > 0) this.#waiting.add(outgoing);
  }

  /** In how many ms something of this execution can leave; of any one without. Undefined when nothing waits to. */
  dueInMs(executionId?: string): number | undefined {
    let dueAtMs = Number.POSITIVE_INFINITY;
    const known = executionId === undefined ? undefined : this.#drafts.get(executionId);
    if (known === undefined) for (const outgoing of this.#waiting) dueAtMs = Math.min(dueAtMs, outgoing.dueAtMs);
    else if (this.#waiting.has(known)) dueAtMs = known.dueAtMs;
    return Number.isFinite(dueAtMs) ? Math.max(0, dueAtMs - this.#now()) : undefined;
  }

  /** What may leave now. It counts as sent. */
  take(): readonly Delivery[] {
    const now = this.#now();
    return [...this.#waiting].flatMap((outgoing) => (outgoing.dueAtMs <= now ? this.#send(outgoing) : []));
  }

  /** Forgets a draft. @returns its last words, if a message may leave now; else its readers learn them from the journal. */
  end(draft: PartialTurn): readonly Delivery[] {
    const outgoing = this.#drafts.get(draft.executionId);
    if (outgoing?.draft !== draft) return [];
    this.#drop(draft.executionId);
    return this.#mayLeaveAtMs(draft.executionId) <= this.#now() ? this.#send(outgoing) : [];
  }

  /** Forgets what has no meaning any more. */
  forgetOld(): void {
    for (const executionId of this.#lastSentMs.keys()) {
      if (this.#mayLeaveAtMs(executionId) <= this.#now()) this.#lastSentMs.delete(executionId);
    }
  }

  #drop(executionId: string): void {
    const outgoing = this.#drafts.get(executionId);
    if (outgoing !== undefined) this.#waiting.delete(outgoing);
    this.#drafts.delete(executionId);
  }

  #mayLeaveAtMs(executionId: string): number {
    return (this.#lastSentMs.get(executionId) ?? Number.NEGATIVE_INFINITY) + MESSAGE_EVERY_MS;
  }

  #send(outgoing: Outgoing): readonly Delivery[] {
    const { draft, sent } = outgoing;
    this.#waiting.delete(outgoing);
    const { executionId, turn, attempt } = draft;
    const byPosition = Map.groupBy(this.#wantedBy(executionId), (replica) => sent.get(replica) ?? 0);
    const deliveries: Delivery[] = [];
    // Who has least comes first: a message to all must not seem to leave something out.
    for (const [position, replicas] of [...byPosition].sort(([one], [other]) => one - other)) {
      const [replica, ...others] = replicas;
      if (replica === undefined || position >= draft.length) continue;
      const piece = { executionId, turn, attempt, position, text: draft.since(position) };
      deliveries.push({ to: others.length === 0 ? replica : "all", piece });
      for (const each of replicas) sent.set(each, draft.length);
    }
    if (deliveries.length === 0) return deliveries;
    const now = this.#now();
    this.#lastSentMs.set(executionId, now);
    outgoing.dueAtMs = now + MESSAGE_EVERY_MS;
    return deliveries;
  }
}
