import {
  type Agent,
  agentIdSchema,
  agentSchema,
  type Execution,
  executionSchema,
  pageSchema,
  type RoutePreview,
  type RouteRequest,
  routePreviewSchema,
} from "@yagate/protocol";
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

/** Agents and their executions. */
export class Agents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates an agent with version 1. Check `warnings` in the result. */
  async create(definition: AgentDefinition, { signal }: CallOptions = {}): Promise<Agent> {
    const body = toWireTools(definition);
    const request = { method: "POST", path: "/v1/agents", body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, agentSchema);
  }

  /** Gets the current version of an agent. */
  async get(agentId: string, { signal }: CallOptions = {}): Promise<Agent> {
    return this.#transport.json({ method: "GET", path: agentPath(agentId), signal }, agentSchema);
  }

  /** Lists agents, newest first. */
  list(query: ListQuery = {}): PagedList<Agent> {
    return toPagedList({ transport: this.#transport, path: "/v1/agents", schema: agentPageSchema }, query);
  }

  /** Lists the versions of an agent, newest first. Versions are immutable, including those of an archived agent. */
  versions(agentId: string, query: ListQuery = {}): PagedList<Agent> {
    const path = `${agentPath(agentId)}/versions`;
    return toPagedList({ transport: this.#transport, path, schema: agentPageSchema }, query);
  }

  /**
   * Creates the next version of an agent. Running executions keep their version.
   *
   * @throws ApiError `CONFLICT` if `version` is set and is not the current version.
   */
  async update(agentId: string, change: AgentChange, { signal }: CallOptions = {}): Promise<Agent> {
    const body = toWireTools(change);
    const request = { method: "PATCH", path: agentPath(agentId), body, signal, repeat: "refused" } as const;
    return this.#transport.json(request, agentSchema);
  }

  /**
   * Decides which capabilities would serve an execution with this request, with the reason for every capability.
   * Nothing runs, and nothing is spent.
   *
   * @throws ApiError `NOT_FOUND`; `INVALID_REQUEST` for unknown intents.
   */
  async route(agentId: string, request: RouteRequest, { signal }: CallOptions = {}): Promise<RoutePreview> {
    const path = `${agentPath(agentId)}/route`;
    return this.#transport.json({ method: "POST", path, body: request, signal }, routePreviewSchema);
  }

  /** Archives an agent. Running executions continue; new ones cannot start. */
  async delete(agentId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.empty({ method: "DELETE", path: agentPath(agentId), signal });
  }

  /**
   * Executes an agent and waits until the execution has ended.
   *
   * Resolves with the ended execution, even if it is `failed` or `cancelled`: see `status`, `stopReason` and `error`.
   * Rejects with {@link ApiError} if the gateway responds with an error, with `CONNECTION_FAILED` if it cannot be
   * reached, with {@link NotFinishedError} after `maxWaitMs`, and with the signal's reason if `signal` is aborted. In
   * all these cases, an execution that has started continues. An execution that waits for an approval may take days;
   * use `onWaiting` to learn of the wait.
   */
  async execute(agentId: string, request: ExecuteRequest): Promise<ExecutionResult> {
    requireKnownOptions(request, EXECUTE_OPTIONS, "agents.execute");
    return this.#open(agentId, request, request.onEvent).result();
  }

  /**
   * Executes an agent and returns its events as they happen. The request is sent immediately.
   *
   * @throws YagateError `INVALID_REQUEST` for an invalid agent id or idempotency key, or an unknown option.
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

  /**
   * Starts an execution and returns it without waiting for its end. Follow it with `executions.get` or
   * `executions.events`.
   */
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
