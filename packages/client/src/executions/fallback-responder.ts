import {
  type FallbackAnswer,
  fallbackAnswerSchema,
  type JsonValue,
  type ReceivedEvent,
  type StreamEvent,
  toolCallRecordSchema,
} from "@yagate/protocol";
import { ApiError } from "../errors/api-error.ts";
import type { Transport } from "../http/transport.ts";
import type { FallbackError, OnToolError, ToolFallback } from "./on-tool-error.ts";

type ToolCallFailed = Extract<ReceivedEvent, { type: "tool_call.failed" }>;

const DECLINE: FallbackAnswer = { decline: true };

/** Options for {@link FallbackResponder}. */
export interface FallbackResponderOptions {
  readonly transport: Transport;
  readonly onToolError: OnToolError;
  readonly signal: AbortSignal | undefined;
}

/**
 * Watches the events of an execution and supplies a fallback for each failed tool call, without delaying the events.
 */
export class FallbackResponder {
  readonly errors: FallbackError[] = [];
  readonly #options: FallbackResponderOptions;
  readonly #asked = new Set<string>();
  readonly #parameters = new Map<string, JsonValue>();

  constructor(options: FallbackResponderOptions) {
    this.#options = options;
  }

  /**
   * Handles the next event. If the event shows that a failed call is held for a fallback, calls `onToolError` once for
   * that call.
   *
   * @param gatewayNowMs - the current time in ms since the epoch by the gateway's clock, which also determines
   *   `fallbackUntil`.
   */
  take(event: StreamEvent, gatewayNowMs: number): void {
    if (event.type === "tool_call.requested") this.#parameters.set(event.toolCallId, event.parameters);
    if (event.type !== "tool_call.failed" || event.fallbackUntil === undefined) return;
    // The event is replayed: it is too late for a fallback, or the fallback is already being supplied.
    if (Date.parse(event.fallbackUntil) <= gatewayNowMs || this.#asked.has(event.toolCallId)) return;
    this.#asked.add(event.toolCallId);
    void this.#answer(event, event.fallbackUntil);
  }

  async #answer(event: ToolCallFailed, fallbackUntil: string): Promise<void> {
    let answer = DECLINE;
    try {
      answer = await this.#ask(event, fallbackUntil);
    } catch (error) {
      this.#report(event, error);
    }
    try {
      await this.#send(event.toolCallId, answer);
    } catch (error) {
      // 409: the fallback was too late, or another process supplied one first. The execution continues; its record
      // contains the result that counts.
      if (!(ApiError.is(error) && error.status === 409)) this.#report(event, error);
    }
  }

  async #ask(event: ToolCallFailed, fallbackUntil: string): Promise<FallbackAnswer> {
    const { executionId, toolCallId, error } = event;
    const parameters = this.#parameters.get(toolCallId) ?? (await this.#loadParameters(toolCallId));
    return toAnswer(await this.#options.onToolError({ ...error, executionId, parameters, fallbackUntil }));
  }

  // Needed only if listening started after the model had requested the call.
  async #loadParameters(toolCallId: string): Promise<JsonValue> {
    const { transport, signal } = this.#options;
    const record = await transport.json(
      { method: "GET", path: `/v1/tool-calls/${toolCallId}`, signal },
      toolCallRecordSchema,
    );
    return record.parameters;
  }

  async #send(toolCallId: string, body: FallbackAnswer): Promise<void> {
    const { transport, signal } = this.#options;
    await transport.empty({ method: "POST", path: `/v1/tool-calls/${toolCallId}/fallback`, body, signal });
  }

  #report({ toolCallId, error: { toolName } }: ToolCallFailed, error: unknown): void {
    this.errors.push({ toolCallId, toolName, error });
  }
}

// biome-ignore lint/suspicious/noConfusingVoidType: a callback without a return statement has the type void
function toAnswer(returned: ToolFallback | undefined | void): FallbackAnswer {
  if (returned === undefined || returned === null) return DECLINE;
  if (typeof returned !== "object" || !("result" in returned)) {
    throw new TypeError("expected onToolError to return { result } or nothing");
  }
  if (returned.result === undefined) return DECLINE;
  const text = JSON.stringify(returned.result);
  if (text === undefined) throw new TypeError("expected onToolError to return a result that is JSON");
  return fallbackAnswerSchema.parse({ result: JSON.parse(text) });
}
