import type { PartialTextPiece, PartialTurn, TextRelay } from "../events/text-relay.ts";
import { Interests } from "./text-relay/interests.ts";
import {
  channelOf,
  interestPayloads,
  parseTextMessage,
  SHARED_CHANNEL,
  textPayloads,
  whoPayload,
} from "./text-relay/messages.ts";
import { type Delivery, OutgoingPartialText } from "./text-relay/outgoing-text.ts";
import { WANTED_MS, WantedTexts } from "./text-relay/wanted-texts.ts";

/** Interval between renewals: a subscription is renewed three times before it expires. */
const RENEW_EVERY_MS = WANTED_MS / 3;
/**
 * Pause between commits. Each commit with a message briefly delays every commit of the server, so one commit sends many
 * messages.
 */
const PAUSE_MS = 10;
/** Maximum number of deliveries that wait for the server. If it is reached, further texts are dropped. */
const MAX_WAITING_DELIVERIES = 1_000;
/** Minimum interval between requests for a missing text, because many messages may show the same gap. */
const ASK_AGAIN_EVERY_MS = 1_000;

/** One message between replicas. */
export interface ChannelMessage {
  readonly channel: string;
  readonly payload: string;
}

/** Options for {@link NotifyTextRelay}. */
export interface NotifyTextRelayOptions {
  /** The name of this replica: letters and digits. */
  readonly replica: string;
  /** Sends messages in order. If the promise rejects, the messages are lost. */
  readonly send: (messages: readonly ChannelMessage[]) => Promise<void>;
  /** A monotonic clock in ms; default `performance.now`. */
  readonly now?: () => number;
}

/**
 * Sends partial texts in short messages through PostgreSQL notifications. Replicas announce to all others which
 * executions they subscribe to, and texts are sent only to subscribers, at most ten times a second per execution.
 */
export class NotifyTextRelay implements TextRelay {
  /** The channels on which this replica receives messages. */
  readonly channels: readonly string[];
  readonly #options: NotifyTextRelayOptions;
  readonly #now: () => number;
  readonly #interests = new Interests();
  readonly #wanted: WantedTexts;
  readonly #outgoing: OutgoingPartialText;
  readonly #deliveries: Delivery[] = [];
  readonly #askedAtMs = new Map<string, number>();
  readonly #renewal: NodeJS.Timeout;
  #mustAskWho = false;
  #hasListened = false;
  #take: (piece: PartialTextPiece) => void = () => {};
  #timer: { readonly atMs: number; readonly handle: NodeJS.Timeout } | undefined;
  #sending: Promise<void> | undefined;

  constructor(options: NotifyTextRelayOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.channels = [SHARED_CHANNEL, channelOf(options.replica)];
    this.#wanted = new WantedTexts(this.#now);
    this.#outgoing = new OutgoingPartialText(this.#now, (executionId) => this.#wanted.by(executionId));
    this.#renewal = setInterval(() => this.#renew(), RENEW_EVERY_MS);
    this.#renewal.unref();
  }

  listen(executionId: string): () => void {
    this.#interests.listen(executionId);
    this.#sendSoon();
    return () => {
      this.#interests.stop(executionId);
      this.#askedAtMs.delete(executionId);
      this.#sendSoon();
    };
  }

  askAgain(executionId: string): void {
    const now = this.#now();
    if (!this.#interests.has(executionId)) return;
    if (now - (this.#askedAtMs.get(executionId) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_EVERY_MS) return;
    this.#askedAtMs.set(executionId, now);
    this.#interests.listen(executionId);
    this.#sendSoon();
  }

  onPiece(listener: (piece: PartialTextPiece) => void): void {
    this.#take = listener;
  }

  isWanted(executionId: string): boolean {
    return this.#wanted.by(executionId).length > 0;
  }

  begin(text: PartialTurn): void {
    this.#outgoing.begin(text);
  }

  grow(text: PartialTurn): void {
    this.#outgoing.grow(text);
    this.#schedule(this.#outgoing.dueInMs(text.executionId));
  }

  end(text: PartialTurn): void {
    this.#deliver(this.#outgoing.end(text));
  }

  /** Call this when this replica starts to receive messages. Messages sent before that are lost. */
  onListening(): void {
    // Other replicas announce their subscriptions periodically, but a new process needs to know them immediately.
    this.#mustAskWho = !this.#hasListened;
    this.#hasListened = true;
    this.#interests.announceAll("listen");
    this.#sendSoon();
  }

  onMessage(payload: string): void {
    const message = parseTextMessage(payload);
    if (message === undefined || message.from === this.#options.replica) return;
    switch (message.kind) {
      case "text":
        for (const piece of message.pieces) this.#take(piece);
        return;
      case "who":
        this.#interests.announceAll("renew");
        this.#sendSoon();
        return;
      case "stop":
        for (const executionId of message.executionIds) this.#wanted.stop(executionId, message.from);
        return;
      default:
        for (const executionId of message.executionIds) {
          const isNew = this.#wanted.want(executionId, message.from);
          if (isNew || message.kind === "listen") this.#outgoing.restart(executionId, message.from);
        }
        this.#schedule(this.#outgoing.dueInMs());
    }
  }

  /** Stops all timers. Resolves when the current message has been sent. */
  async close(): Promise<void> {
    clearInterval(this.#renewal);
    clearTimeout(this.#timer?.handle);
    await this.#sending;
  }

  #renew(): void {
    this.#wanted.forgetSilent();
    this.#outgoing.forgetOld();
    this.#interests.announceAll("renew");
    this.#sendSoon();
  }

  #schedule(inMs: number | undefined): void {
    if (inMs === undefined) return;
    const atMs = this.#now() + inMs;
    if (this.#timer !== undefined && this.#timer.atMs <= atMs) return;
    clearTimeout(this.#timer?.handle);
    const handle = setTimeout(() => {
      this.#timer = undefined;
      this.#deliver(this.#outgoing.take());
      this.#schedule(this.#outgoing.dueInMs());
    }, inMs);
    handle.unref();
    this.#timer = { atMs, handle };
  }

  #deliver(deliveries: readonly Delivery[]): void {
    // Receivers notice dropped texts as a gap and request the text again.
    if (this.#deliveries.length > MAX_WAITING_DELIVERIES) return;
    this.#deliveries.push(...deliveries);
    this.#sendSoon();
  }

  #sendSoon(): void {
    if (this.#messagesAreSent) return;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      this.#sendSoon();
    });
  }

  get #messagesAreSent(): boolean {
    return this.#deliveries.length === 0 && this.#interests.areAnnounced && !this.#mustAskWho;
  }

  async #sendAll(): Promise<void> {
    while (!this.#messagesAreSent) {
      await this.#options.send(this.#takeMessages()).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    }
  }

  #takeMessages(): readonly ChannelMessage[] {
    const { replica } = this.#options;
    const who = this.#mustAskWho ? [whoPayload(replica)] : [];
    this.#mustAskWho = false;
    const interests = this.#interests.take().flatMap((interest) => interestPayloads(replica, interest));
    const shared = [...who, ...interests].map((payload) => ({ channel: SHARED_CHANNEL, payload }));
    return [...shared, ...this.#takeTexts()];
  }

  #takeTexts(): readonly ChannelMessage[] {
    const { replica } = this.#options;
    return runsOf(this.#deliveries.splice(0)).flatMap(({ to, pieces }) =>
      textPayloads(replica, pieces).map((payload) => ({
        channel: to === "all" ? SHARED_CHANNEL : channelOf(to),
        payload,
      })),
    );
  }
}

/**
 * Groups chunks for the same replica into messages. Each replica receives its chunks, including those for all replicas,
 * in order.
 */
function runsOf(
  deliveries: readonly Delivery[],
): readonly { readonly to: string; readonly pieces: PartialTextPiece[] }[] {
  const runs: { to: string; pieces: PartialTextPiece[] }[] = [];
  const lastOf = new Map<string, (typeof runs)[number]>();
  for (const { to, piece } of deliveries) {
    const last = lastOf.get(to);
    if (last !== undefined) {
      last.pieces.push(piece);
      continue;
    }
    // A chunk for all replicas keeps its position among the chunks for single replicas.
    if (to === "all") lastOf.clear();
    else lastOf.delete("all");
    const run = { to, pieces: [piece] };
    runs.push(run);
    lastOf.set(to, run);
  }
  return runs;
}
