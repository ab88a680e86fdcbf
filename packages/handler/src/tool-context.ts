import { type JsonObject, type ToolCall, YagateError } from "@yagate/protocol/calls";
import type { CallBudget } from "./call-budget.ts";
import type { ToolCallback } from "./callback/tool-callback.ts";
import { bindLogger, type Logger } from "./logger.ts";
import type { RawCall } from "./raw-call.ts";

/** What a tool can read about its call, in addition to the arguments. */
export interface ToolContext {
  /**
   * The id of the call (`tc_…`), which is the same in every attempt. Use it as the idempotency key for requests that
   * the tool itself sends.
   */
  readonly toolCallId: string;
  readonly agentId: string;
  readonly executionId: string;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
  /** The tool's name. */
  readonly name: string;
  /** Data about the user, from the application that started the execution. The model can neither read nor set it. */
  readonly caller: JsonObject | undefined;
  /**
   * Where to deliver the result later. Set only for tools that the agent declares as `async`. Plain JSON, so it can be
   * stored with a job.
   */
  readonly callback: ToolCallback | undefined;
  /** Aborted at the attempt's deadline, or earlier if the gateway disconnects and the server can detect this. */
  readonly signal: AbortSignal;
  /** Writes to the handler's logger. Each line contains the call's ids. */
  readonly logger: Logger;
  /** Returns how many milliseconds are left until the gateway stops waiting; 0 after that. */
  readonly remainingMs: () => number;
  /**
   * Postpones the result; deliver it later with `completeToolCall` from `@yagate/handler/callback`. When `execute`
   * returns, the response has status 202, and the returned value is ignored. If `execute` throws, the call has failed.
   *
   * @returns the {@link ToolContext.callback}.
   * @throws {@link YagateError} `INVALID_REQUEST` for a tool that the agent does not declare as `async`.
   */
  readonly defer: () => ToolCallback;
}

/** The request of a call, and its time limit. */
export interface Arrival {
  readonly budget: CallBudget;
  /** The request. Its signal is read only when it is needed, because creating it takes time. */
  readonly request: Pick<RawCall, "signal">;
}

/** The context of one run. It creates its signal and its logger on first use. */
export class RunContext implements ToolContext {
  readonly toolCallId: string;
  readonly agentId: string;
  readonly executionId: string;
  readonly attempt: number;
  readonly name: string;
  readonly caller: JsonObject | undefined;
  readonly callback: ToolCallback | undefined;
  isDeferred = false;
  readonly #arrival: Arrival;
  readonly #rootLogger: Logger;
  #logger: Logger | undefined;
  #controller: AbortController | undefined;
  #isTimeOver = false;

  constructor(call: ToolCall, arrival: Arrival, logger: Logger) {
    this.toolCallId = call.toolCallId;
    this.agentId = call.agentId;
    this.executionId = call.executionId;
    this.attempt = call.attempt;
    this.name = call.name;
    this.caller = call.caller;
    this.callback = call.callback && { ...call.callback, toolCallId: call.toolCallId };
    this.#arrival = arrival;
    this.#rootLogger = logger;
  }

  get logger(): Logger {
    const { toolCallId, executionId, name } = this;
    this.#logger ??= bindLogger(this.#rootLogger, { toolCallId, executionId, tool: name });
    return this.#logger;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#abortWith(this.#arrival.request.signal);
      if (this.#isTimeOver) this.#abort("TimeoutError", "the attempt's deadline has passed");
    }
    return this.#controller.signal;
  }

  // These are fields and not methods, so that tools can destructure the context.
  readonly remainingMs = (): number => this.#arrival.budget.remainingMs();

  readonly defer = (): ToolCallback => {
    if (this.callback === undefined)
      throw new YagateError("INVALID_REQUEST", 'defer: save the tool with "async": true');
    this.isDeferred = true;
    return this.callback;
  };

  /** Aborts the tool's signal at the deadline. */
  endTime(): void {
    this.#isTimeOver = true;
    this.#abort("TimeoutError", "the attempt's deadline has passed");
  }

  #abortWith(clientSignal: AbortSignal | undefined): void {
    const abort = () => this.#abort("AbortError", "the gateway closed the connection");
    if (clientSignal?.aborted) abort();
    else clientSignal?.addEventListener("abort", abort, { once: true });
  }

  #abort(name: "AbortError" | "TimeoutError", message: string): void {
    this.#controller?.abort(new DOMException(message, name));
  }
}
