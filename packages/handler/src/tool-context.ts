import type { JsonObject, ToolCall } from "@yagate/protocol";
import type { CallBudget } from "./call-budget.ts";
import { bindLogger, type Logger } from "./logger.ts";
import type { RawCall } from "./raw-call.ts";

/** What a tool is told of the call beside its parameters. */
export interface ToolContext {
  /** `tc_…`; the same in every attempt: the idempotency key for whatever the tool calls itself. */
  readonly toolCallId: string;
  readonly agentId: string;
  readonly executionId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The tool's name. */
  readonly name: string;
  /** What the application that started the execution said of its user. The model neither sees nor sets it. */
  readonly caller: JsonObject | undefined;
  /** Aborts when the attempt's time is over, and when the gateway has gone away where the server can tell. */
  readonly signal: AbortSignal;
  /** Writes to the handler's logger and adds the call's ids to each line. */
  readonly logger: Logger;
  /** Milliseconds until the gateway stops waiting, 0 when it has stopped. */
  remainingMs(): number;
}

/** How a call came, and how long it has. */
export interface Arrival {
  readonly budget: CallBudget;
  /** Its signal is read only when somebody asks, since making one costs time. */
  readonly request: Pick<RawCall, "signal">;
}

/** The context of one run. Its signal and its logger are made when the tool first asks for them. */
export class RunContext implements ToolContext {
  readonly toolCallId: string;
  readonly agentId: string;
  readonly executionId: string;
  readonly attempt: number;
  readonly name: string;
  readonly caller: JsonObject | undefined;
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
      if (this.#isTimeOver) this.#abort("TimeoutError", "the attempt's time is over");
    }
    return this.#controller.signal;
  }

  remainingMs(): number {
    return this.#arrival.budget.remainingMs();
  }

  /** Tells the tool that the time is over. */
  endTime(): void {
    this.#isTimeOver = true;
    this.#abort("TimeoutError", "the attempt's time is over");
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
