import { type Execution, executionIdSchema, executionSchema, pageSchema, type ToolCallRecord } from "@yagate/protocol";
import { ExecutionStream } from "../executions/execution-stream.ts";
import { listToolCalls } from "../executions/list-tool-calls.ts";
import type { OnToolError } from "../executions/on-tool-error.ts";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const executionPageSchema = pageSchema(executionSchema);

/** Options of `executions.events`. */
export interface EventsOptions extends CallOptions {
  /** The `seq` of the last event that was seen: the stream begins after it. Default: from the first event. */
  readonly lastEventId?: number | undefined;
  /** Answers failed tool calls, if the execution was started with `fallbackWaitMs` or `onToolError`. */
  readonly onToolError?: OnToolError | undefined;
}

/** Runs of agents. */
export class Executions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(executionId: string, { signal }: CallOptions = {}): Promise<Execution> {
    return this.#transport.json({ method: "GET", path: executionPath(executionId), signal }, executionSchema);
  }

  list(query: ListQuery = {}): PagedList<Execution> {
    return toPagedList({ transport: this.#transport, path: "/v1/executions", schema: executionPageSchema }, query);
  }

  /**
   * Asks an execution to stop: nothing new starts, calls that write are awaited. May be repeated.
   *
   * @returns the execution at this moment; one that had ended, unchanged.
   */
  async cancel(executionId: string, { signal }: CallOptions = {}): Promise<Execution> {
    const path = `${executionPath(executionId)}/cancel`;
    return this.#transport.json({ method: "POST", path, signal }, executionSchema);
  }

  /** What happened and happens in an execution, up to its end, whoever started it. */
  events(executionId: string, { lastEventId = 0, onToolError, signal }: EventsOptions = {}): ExecutionStream {
    const source = { executionId: requireId(executionIdSchema, executionId), lastSeq: lastEventId };
    return new ExecutionStream({ transport: this.#transport, source, onToolError, signal });
  }

  /** An execution's tool calls with their attempts, in the order in which the model asked for them. */
  toolCalls(executionId: string, query: ListQuery = {}): PagedList<ToolCallRecord> {
    return listToolCalls(this.#transport, requireId(executionIdSchema, executionId), query);
  }
}

function executionPath(executionId: string): string {
  return `/v1/executions/${requireId(executionIdSchema, executionId)}`;
}
