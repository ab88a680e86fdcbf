import {
  type InputRequest,
  type JsonValue,
  PASSIVE_EVENT_TYPES,
  type ReceivedEvent,
  type StreamEvent,
} from "@yagate/protocol";

/** A tool call that has no outcome yet. */
export interface WaitingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** The arguments of the call. */
  readonly parameters: JsonValue;
  /** The id of the pending approval; absent if the call is not waiting for one. */
  readonly approvalId?: string;
  /** The pending questions of the tool, with their round; absent if the call is not waiting for input. */
  readonly input?: { readonly round: number; readonly questions: InputRequest["questions"] };
}

/** What an execution is waiting for. */
export interface Waiting {
  readonly executionId: string;
  /**
   * `approval`: an approver must decide. `callback`: the result of an asynchronous call has not been delivered yet.
   * `input`: a person must answer the questions of a tool. `task`: an MCP server continues a call as a task. `fallback`: the caller may supply a result for a failed call.
   * `retry`: the model provider or a tool requested a pause. A newer gateway may send other values.
   */
  readonly reason: Extract<ReceivedEvent, { type: "execution.waiting" }>["reason"];
  /** The latest time at which the wait ends (RFC 3339, by the gateway's clock). */
  readonly until: string;
  /**
   * The calls without an outcome that were requested since listening started, in the order in which the model requested
   * them.
   */
  readonly calls: readonly WaitingCall[];
}

/**
 * Called once for each wait of an execution, when the wait starts. If the function throws or rejects, listening stops,
 * and `execute`, `result()` and the loop reject with that error. The execution continues.
 */
export type OnWaiting = (waiting: Waiting) => void | Promise<void>;

/** Tracks what an execution is waiting for, from its events. */
export class WaitingState {
  readonly #calls = new Map<string, WaitingCall>();
  #wait: Pick<Waiting, "executionId" | "reason" | "until"> | undefined;

  /**
   * What the execution is waiting for; undefined while it is running. Contains only calls that were requested since
   * listening started.
   */
  get current(): Waiting | undefined {
    return this.#wait === undefined ? undefined : { ...this.#wait, calls: [...this.#calls.values()] };
  }

  take(event: StreamEvent): void {
    if (event.type === "text.delta") return;
    this.#takeCall(event);
    if (event.type === "execution.waiting" && event.reason !== "restart") {
      const { executionId, reason, until } = event;
      this.#wait = { executionId, reason, until };
    } else if (!PASSIVE_EVENT_TYPES.has(event.type)) this.#wait = undefined;
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
    } else if (event.type === "input.requested") {
      const { toolCallId, round, questions } = event;
      const call = this.#calls.get(toolCallId);
      if (call !== undefined && questions.length > 0)
        this.#calls.set(toolCallId, { ...call, input: { round, questions } });
    } else if (event.type === "input.received" || event.type === "input.withdrawn") {
      const { input: _answered, ...call } = this.#calls.get(event.toolCallId) ?? {};
      if ("toolCallId" in call) this.#calls.set(event.toolCallId, call);
    } else if (event.type === "tool_call.completed" || event.type === "tool_call.denied") {
      this.#calls.delete(event.toolCallId);
    } else if (event.type === "tool_call.failed" && event.fallbackUntil === undefined) {
      this.#calls.delete(event.toolCallId);
    }
  }
}
