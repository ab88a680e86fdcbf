import type { JsonValue, ReceivedEvent, StreamEvent } from "@yagate/protocol";

/** A tool call that has no outcome yet. */
export interface WaitingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** What the model asked the tool for. */
  readonly parameters: JsonValue;
  /** The approval that nobody has answered; absent when this call waits for no person. */
  readonly approvalId?: string;
}

/** An execution that goes no further for now. */
export interface Waiting {
  readonly executionId: string;
  /**
   * `approval`: a person must approve or deny a call. `callback`: the result of an asynchronous call comes later.
   * `fallback`: the caller that started it answers for a failed call. `retry`: the model's provider or a tool asked for a
   * pause. A newer gateway may send others.
   */
  readonly reason: Extract<ReceivedEvent, { type: "execution.waiting" }>["reason"];
  /** When this wait ends at the latest; RFC 3339, by the gateway's clock. */
  readonly until: string;
  /** The calls that are open, in the order of their requests. */
  readonly calls: readonly WaitingCall[];
}

/**
 * Called when an execution begins to wait, once for each wait. What it throws, or rejects with, ends the listening, and
 * `execute`, `result()` and the loop reject with that; the execution goes on.
 */
export type OnWaiting = (waiting: Waiting) => void | Promise<void>;

/** These are recorded while an execution waits, and leave it waiting. */
const PASSIVE: ReadonlySet<string> = new Set([
  "execution.cancel_requested",
  "approval.resolved",
  "callback.received",
  "fallback.received",
  "tool_call.late",
]);

/** Follows what an execution waits for, from its events. */
export class WaitingState {
  readonly #calls = new Map<string, WaitingCall>();
  #wait: Pick<Waiting, "executionId" | "reason" | "until"> | undefined;

  /** What it waits for; undefined while it goes on. Knows the calls that were requested since the listening began. */
  get current(): Waiting | undefined {
    return this.#wait === undefined ? undefined : { ...this.#wait, calls: [...this.#calls.values()] };
  }

  take(event: StreamEvent): void {
    if (event.type === "text.delta") return;
    this.#takeCall(event);
    if (event.type === "execution.waiting" && event.reason !== "restart") {
      const { executionId, reason, until } = event;
      this.#wait = { executionId, reason, until };
    } else if (!PASSIVE.has(event.type)) this.#wait = undefined;
  }

  #takeCall(event: ReceivedEvent): void {
    if (event.type === "model.requested") this.#calls.clear();
    else if (event.type === "tool_call.requested") {
      const { toolCallId, name, parameters } = event;
      this.#calls.set(toolCallId, { toolCallId, toolName: name, parameters });
    } else if (event.type === "approval.requested") {
      const call = this.#calls.get(event.toolCallId);
      if (call !== undefined) this.#calls.set(event.toolCallId, { ...call, approvalId: event.approvalId });
    } else if (event.type === "approval.resolved") {
      const { approvalId: _answered, ...call } = this.#calls.get(event.toolCallId) ?? {};
      if ("toolCallId" in call) this.#calls.set(event.toolCallId, call);
    } else if (event.type === "tool_call.completed" || event.type === "tool_call.denied") {
      this.#calls.delete(event.toolCallId);
    } else if (event.type === "tool_call.failed" && event.fallbackUntil === undefined) {
      this.#calls.delete(event.toolCallId);
    }
  }
}
