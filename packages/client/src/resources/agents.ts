import { type Agent, agentIdSchema, agentSchema, type Execution, executionSchema, pageSchema } from "@yagate/protocol";
import { toWireTools } from "../agents/to-wire-tools.ts";
import type { AgentChange, AgentDefinition } from "../agents/tool-input.ts";
import {
  EXECUTE_OPTIONS,
  type ExecuteRequest,
  START_OPTIONS,
  STREAM_OPTIONS,
  type StartRequest,
  type StreamRequest,
  toExecutionBody,
} from "../executions/execution-request.ts";
import type { ExecutionResult } from "../executions/execution-result.ts";
import { ExecutionStream } from "../executions/execution-stream.ts";
import { requireId } from "../http/require-id.ts";
import type { Transport } from "../http/transport.ts";
import { requireKnownOptions } from "../known-options.ts";
import { type ListQuery, type PagedList, toPagedList } from "../lists/paged-list.ts";
import type { CallOptions } from "./call-options.ts";

const agentPageSchema = pageSchema(agentSchema);

/** Agents, and what they are asked to do. */
export class Agents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Makes an agent, in version 1. `warnings` of the answer are worth reading. */
  async create(definition: AgentDefinition, { signal }: CallOptions = {}): Promise<Agent> {
    const body = toWireTools(definition);
    const request = { method: "POST", path: "/v1/agents", body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, agentSchema);
  }

  async get(agentId: string, { signal }: CallOptions = {}): Promise<Agent> {
    return this.#transport.json({ method: "GET", path: agentPath(agentId), signal }, agentSchema);
  }

  list(query: ListQuery = {}): PagedList<Agent> {
    return toPagedList({ transport: this.#transport, path: "/v1/agents", schema: agentPageSchema }, query);
  }

  /**
   * Makes the next version of an agent. Executions that have started stay on theirs.
   *
   * @throws ApiError `CONFLICT` when `version` is given and no longer the current one.
   */
  async update(agentId: string, change: AgentChange, { signal }: CallOptions = {}): Promise<Agent> {
    const body = toWireTools(change);
    const request = { method: "PATCH", path: agentPath(agentId), body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, agentSchema);
  }

  /** Archives an agent: what has started goes on, nothing new starts. */
  async delete(agentId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: agentPath(agentId), signal });
  }

  /**
   * Executes an agent and waits for the end.
   *
   * Resolves for every end, `failed` and `cancelled` too: `status`, `stopReason` and `error` say which. Rejects when
   * the gateway refuses ({@link ApiError}), can't be reached any more (`CONNECTION_FAILED`), when `signal` is aborted or
   * `maxWaitMs` is over ({@link NotFinishedError}); the execution, once started, goes on. One that waits for a person may
   * take days: `onWaiting` tells.
   */
  async execute(agentId: string, request: ExecuteRequest): Promise<ExecutionResult> {
    requireKnownOptions(request, EXECUTE_OPTIONS, "agents.execute");
    return this.#open(agentId, request, request.onEvent).result();
  }

  /**
   * Executes an agent and gives its events as they happen. The request is sent at once.
   *
   * @throws YagateError `INVALID_REQUEST` for an agent id or an idempotency key that can't be one, and for an option
   * that does not exist.
   */
  stream(agentId: string, request: StreamRequest): ExecutionStream {
    requireKnownOptions(request, STREAM_OPTIONS, "agents.stream");
    return this.#open(agentId, request, undefined);
  }

  #open(agentId: string, request: StreamRequest, onEvent: ExecuteRequest["onEvent"]): ExecutionStream {
    const { onToolError, onWaiting, maxWaitMs, signal } = request;
    const start = this.#transport.prepare({
      method: "POST",
      path: `${agentPath(agentId)}/executions`,
      body: toExecutionBody(request, onToolError !== undefined),
      idempotencyKey: request.idempotencyKey,
    });
    const waits = { onWaiting, maxWaitMs };
    return new ExecutionStream({
      ...waits,
      transport: this.#transport,
      source: { start },
      onToolError,
      onEvent,
      signal,
    });
  }

  /** Starts an execution and returns at once; `executions.get` and `executions.events` tell what becomes of it. */
  async start(agentId: string, request: StartRequest): Promise<Execution> {
    requireKnownOptions(request, START_OPTIONS, "agents.start");
    const { idempotencyKey, signal } = request;
    const body = toExecutionBody(request, request.fallbackWaitMs !== undefined);
    const path = `${agentPath(agentId)}/executions`;
    return this.#transport.json({ method: "POST", path, body, idempotencyKey, signal }, executionSchema);
  }
}

function agentPath(agentId: string): string {
  return `/v1/agents/${requireId(agentIdSchema, agentId)}`;
}
