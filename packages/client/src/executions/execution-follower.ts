import { parseHttpDate } from "@yagate/lib/http/http-date";
import {
  executionSchema,
  executionStatusSchema,
  FINAL_EVENT_TYPES,
  hasEnded,
  type StreamEvent,
} from "@yagate/protocol";
import { connectionFailed } from "../errors/connection-failed.ts";
import { incompatibleResponse } from "../errors/incompatible-response.ts";
import type { ServerSentEvent } from "../events/event-stream-parser.ts";
import { readMessages } from "../events/read-messages.ts";
import { readStreamEvent } from "../events/read-stream-event.ts";
import { parseResponse } from "../http/parse-response.ts";
import { isRepeatable, retryDelayMs } from "../http/retry-policy.ts";
import type { OpenAnswer, PreparedRequest, Transport } from "../http/transport.ts";
import { TurnText } from "./turn-text.ts";

/** The client gives up after this many broken streams in a row without a new event, about 25 s of waiting. */
const MAX_RECONNECTS = 8;
/** A connection that lasted this long counts as good, even if no event arrived. */
const GOOD_CONNECTION_MS = 10_000;

/** The source of an execution's events: a request that starts it, or its id. */
export type EventSource =
  | { readonly start: PreparedRequest }
  | { readonly executionId: string; readonly lastSeq: number };

/**
 * Follows an execution to its end over any number of connections. Yields every numbered event once, in order and
 * without gaps, and every text once. Until the execution's id is known, it repeats the same request with the same
 * idempotency key after a broken connection.
 */
export class ExecutionFollower {
  readonly #transport: Transport;
  readonly #source: EventSource;
  #executionId: string | undefined;
  readonly #turnText = new TurnText();
  #lastSeq: number;
  #clockOffsetMs = 0;

  constructor(transport: Transport, source: EventSource) {
    this.#transport = transport;
    this.#source = source;
    this.#executionId = "executionId" in source ? source.executionId : undefined;
    this.#lastSeq = "lastSeq" in source ? source.lastSeq : 0;
  }

  /** Undefined until the gateway has sent the id. */
  get executionId(): string | undefined {
    return this.#executionId;
  }

  /** The gateway's current time in ms since the epoch, estimated from the `Date` of its responses. */
  get gatewayNowMs(): number {
    return this.#transport.runtime.now() + this.#clockOffsetMs;
  }

  /**
   * Yields the events from where the last reading stopped, up to the final one.
   *
   * @throws YagateError `CONNECTION_FAILED` after too many connections in a row without a new event; `ApiError` if the
   * gateway responds with an error; the signal's reason.
   */
  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent, void, undefined> {
    const { runtime, maxRetries } = this.#transport;
    let hasConnected = false;
    let hadEnded = false;
    let failures = 0;
    for (;;) {
      const openedAtMs = runtime.now();
      let failure: unknown;
      let isNew = false;
      try {
        const answer = await this.#open(signal);
        hasConnected = true;
        this.#turnText.reconnect();
        for await (const message of readMessages(answer, this.#transport)) {
          const event = this.#accept(message);
          if (event === undefined) continue;
          isNew = true;
          yield event;
          if (FINAL_EVENT_TYPES.has(event.type)) return;
        }
        // It had ended before this stream started, and no event was left: the final event was already seen.
        if (hadEnded && !isNew) return;
        hadEnded = await this.#hasEnded(signal);
        failure = connectionFailed("the events ended before the execution did, at", this.#transport.origin);
      } catch (error) {
        if (!isRepeatable(error, "always")) throw error;
        failure = error;
      }
      const wasGood = isNew || (hasConnected && runtime.now() - openedAtMs >= GOOD_CONNECTION_MS);
      failures = wasGood ? 1 : failures + 1;
      const delayMs = retryDelayMs(failures, failure, runtime.random);
      if (failures > (hasConnected ? MAX_RECONNECTS : maxRetries) || delayMs === undefined) throw failure;
      await runtime.sleep(delayMs, signal);
    }
  }

  async #open(signal: AbortSignal): Promise<OpenAnswer> {
    const answer = await this.#transport.open({ ...this.#request(), signal });
    const date = parseHttpDate(answer.response.headers.get("date") ?? "");
    if (date !== undefined) this.#clockOffsetMs = date - this.#transport.runtime.now();
    if (answer.response.headers.get("content-type")?.startsWith("text/event-stream")) return answer;
    if (this.#executionId === undefined) {
      // A proxy dropped the Accept header: the execution exists, and its events have their own route.
      this.#executionId = await readExecutionId(answer);
      return this.#open(signal);
    }
    answer.close();
    throw incompatibleResponse("expected the events of an execution as text/event-stream");
  }

  async #hasEnded(signal: AbortSignal): Promise<boolean> {
    if (this.#executionId === undefined) return false;
    const request = { method: "GET", path: `/v1/executions/${this.#executionId}`, signal } as const;
    const { status, finishedAt } = await this.#transport.json(request, executionSchema);
    // A status from a newer gateway is not decisive, but every ended execution has an end time.
    return executionStatusSchema.safeParse(status).success ? hasEnded(status) : finishedAt !== null;
  }

  #request(): PreparedRequest {
    const headers = { accept: "text/event-stream" };
    if (this.#executionId === undefined && "start" in this.#source) return { ...this.#source.start, headers };
    return {
      method: "GET",
      path: `/v1/executions/${this.#executionId}/events`,
      bodyText: undefined,
      headers: this.#lastSeq === 0 ? headers : { ...headers, "last-event-id": `${this.#lastSeq}` },
    };
  }

  #accept(message: ServerSentEvent): StreamEvent | undefined {
    const { seq, executionId, event } = readStreamEvent(message.data);
    this.#executionId ??= executionId;
    if (seq === null) return this.#turnText.fresh(event);
    if (seq <= this.#lastSeq) return undefined;
    if (seq > this.#lastSeq + 1)
      throw connectionFailed("events are missing from the stream of", this.#transport.origin);
    this.#lastSeq = seq;
    return this.#turnText.fresh(event);
  }
}

async function readExecutionId(answer: OpenAnswer): Promise<string> {
  try {
    return parseResponse(await answer.response.text(), executionSchema, "the start of an execution").id;
  } catch (error) {
    throw answer.toFailure(error);
  } finally {
    answer.close();
  }
}
