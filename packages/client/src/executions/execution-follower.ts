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

/**
 * The client gives up after this many reconnects in a row without a new event. The delays between them add up to about
 * 25 s.
 */
const MAX_RECONNECTS = 8;
/** A connection that lasted this long counts as good, even if no event arrived. */
const GOOD_CONNECTION_MS = 10_000;

/** Where an execution's events come from: the request that starts the execution, or the id of an existing one. */
export type EventSource =
  | { readonly start: PreparedRequest }
  | { readonly executionId: string; readonly lastSeq: number };

/**
 * Follows an execution to its end over as many connections as necessary. Yields every numbered event exactly once, in
 * order, and never repeats text. If a connection breaks before the execution's id is known, sends the same request
 * again with the same idempotency key.
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

  /** The execution's id; undefined until the gateway has sent it. */
  get executionId(): string | undefined {
    return this.#executionId;
  }

  /** The gateway's current time in ms since the epoch, estimated from the `Date` of its responses. */
  get gatewayNowMs(): number {
    return this.#transport.runtime.now() + this.#clockOffsetMs;
  }

  /**
   * Yields the events up to the final one, starting after the last event that an earlier call yielded.
   *
   * @throws YagateError `CONNECTION_FAILED` after too many connections in a row without a new event; `ApiError` if the
   *   gateway responds with an error; the signal's reason if the signal is aborted.
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
        // The execution had ended before this connection was opened, and no events were left: the final one has already
        // been yielded.
        if (hadEnded && !isNew) return;
        hadEnded = await this.#hasEnded(signal);
        failure = connectionFailed("the event stream is incomplete: it came from", this.#transport.origin);
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
      // A proxy dropped the Accept header, so the response is the execution itself. Its events must be requested from
      // their own route.
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
    // The client may not know the status of an execution on a newer gateway, so finishedAt shows whether it has ended.
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
      throw connectionFailed("events are missing in the stream from", this.#transport.origin);
    this.#lastSeq = seq;
    return this.#turnText.fresh(event);
  }
}

async function readExecutionId(answer: OpenAnswer): Promise<string> {
  try {
    return parseResponse(await answer.response.text(), executionSchema, "the request that starts the execution").id;
  } catch (error) {
    throw answer.toFailure(error);
  } finally {
    answer.close();
  }
}
