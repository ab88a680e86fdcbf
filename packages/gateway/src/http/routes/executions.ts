import { createHash } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import {
  canonicalJson,
  createExecutionSchema,
  type Execution,
  type ExecutionRequest,
  executionSchema,
  pageSchema,
  toolCallRecordSchema,
  YagateError,
} from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { AgentStore } from "@yagate/store/port";
import { createRequestTracing, type RequestTracing } from "@yagate/telemetry/request-tracing";
import { noSuchAgent } from "../../agents/agent-writer.ts";
import { startRefusal } from "../../agents/start-refusal.ts";
import type { IsPriced } from "../../agents/unpriced-model.ts";
import type { RecordingChecks } from "../../executions/recording/recording-checks.ts";
import type { ExecutionService } from "../../executions/service/execution-service.ts";
import type { EncodedEvent } from "../../executions/streams/event-cache.ts";
import type { StreamAdmission, StreamSlot } from "../quotas/open-streams.ts";
import { executionQuerySchema, toExecutionFilter } from "../requests/execution-query.ts";
import { numberPageQuerySchema, pageOfGrowing } from "../requests/paging.ts";
import { executionPreferences, lastEventId } from "../requests/request-preferences.ts";
import { DEFAULT_HEARTBEAT_MS, StreamPacer, writeEventStream } from "../responses/event-stream.ts";
import { defineRoute, type Route, type RouteRequest, type RouteResponse } from "../route.ts";

const EXECUTE_PATH = "/v1/agents/:id/executions";
const EXECUTE_STREAM_PATH = "/v1/agents/:id/executions/stream";
const EXECUTE_HEADERS = {
  "Idempotency-Key":
    "For 24 hours, a request with the same key and the same body returns the same execution; a request with a different body is rejected with 409",
  traceparent: "The trace that the execution continues (W3C Trace Context)",
  tracestate: "Vendor-specific data of that trace (W3C Trace Context)",
};
const LAST_EVENT_ID = "The number of the last event that the client received; the stream continues after it";

type ExecuteRequest = RouteRequest<ExecutionRequest, unknown>;

export interface ExecutionRouteOptions {
  readonly executions: ExecutionService;
  readonly agents: AgentStore;
  readonly isPriced: IsPriced;
  readonly recordings: Pick<RecordingChecks, "refusalOf">;
  /** Starts the trace of a request. Default: the caller's trace is passed on. */
  readonly traceRequest?: RequestTracing;
  /** Called when a stream opens. It returns a function that is called when the stream ends. */
  readonly onStreamOpened?: () => () => void;
  /** Limits the open streams of a workspace; default: no limit. */
  readonly streamAdmission?: Pick<StreamAdmission, "open">;
  /** Interval of keep-alive comments in ms; default 15,000. */
  readonly heartbeatMs?: number;
  /** Returns the current time in ms since the epoch; default `Date.now`. */
  readonly now?: () => number;
}

export function executionRoutes(options: ExecutionRouteOptions): readonly Route[] {
  const { executions, agents, isPriced, recordings, heartbeatMs = DEFAULT_HEARTBEAT_MS, now = Date.now } = options;
  const { onStreamOpened, streamAdmission } = options;
  const { traceRequest = createRequestTracing(() => undefined) } = options;
  const tag = "executions";
  const streamPacer = new StreamPacer();

  async function stream(
    { principal, response, signal }: RouteRequest<unknown, unknown>,
    executionId: string,
    events: AsyncIterable<EncodedEvent>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RouteResponse> {
    const subject = { workspaceId: principal.workspaceId, executionId };
    const waitToWrite = (bytes: number) => streamPacer.wait(subject, bytes, signal);
    const onClosed = onStreamOpened?.();
    try {
      await writeEventStream(response, events, { signal, heartbeatMs, headers, waitToWrite });
    } finally {
      onClosed?.();
    }
    return "streamed";
  }

  const executeRequest = {
    method: "post",
    tag,
    scopes: ["executions"],
    body: createExecutionSchema,
    maxBodyBytes: 4 * 1_048_576,
    problems: ["CONFLICT", "MODEL_UNPRICED"],
  } as const;

  /**
   * Prepares the execution that both forms of the request start, with a trace that ends when the response is complete.
   */
  async function prepare(request: ExecuteRequest, path: string, key: string | undefined) {
    const { principal, params, body, headers, response } = request;
    const found = await agents.find(principal.workspaceId, params["id"] ?? "");
    if (found === undefined) throw noSuchAgent();
    const refusal =
      (body.recording === undefined ? undefined : recordingRefusal(principal)) ??
      startRefusal(found, body, isPriced) ??
      (await recordings.refusalOf(found.agent, body.recording));
    if (refusal !== undefined && key === undefined) throw refusal;
    const bodyHash = key === undefined ? "" : createHash("sha256").update(canonicalJson(body)).digest("hex");
    const trace = traceRequest({ method: "POST", route: path, path: path.replace(":id", found.agent.id), headers });
    response.once("close", () => trace.end(response.statusCode));
    return {
      workspaceId: principal.workspaceId,
      keyId: principal.keyId,
      agent: found.agent,
      request: body,
      keyRouting: principal.routing,
      ...defined({ trace: trace.context }),
      ...(key === undefined ? {} : { idempotency: { key, bodyHash } }),
      ...defined({ refusal }),
    };
  }

  async function startAndStream(request: ExecuteRequest, path: string): Promise<RouteResponse> {
    const { principal, signal, headers } = request;
    const { idempotencyKey, lastEventId: afterSeq } = executionPreferences(headers);
    const start = await prepare(request, path, idempotencyKey);
    const slot = await streamAdmission?.open(principal.workspaceId, signal);
    try {
      const { execution, events } = await executions.startAndFollow(start, afterSeq, signal);
      request.note({ executionId: execution.id });
      return await stream(request, execution.id, followIn(slot, execution.id, events), locationOf(execution));
    } finally {
      slot?.close();
    }
  }

  return [
    defineRoute({
      ...executeRequest,
      name: "executeAgent",
      path: EXECUTE_PATH,
      summary: "Execute an agent",
      description:
        "Returns the queued execution immediately. With `Prefer: wait=<seconds>`, the gateway responds when the execution has ended or the time has elapsed. With `Accept: text/event-stream`, the response is the event stream of `POST /v1/agents/{id}/executions/stream`, which is a separate operation so that generated clients can distinguish the two. With an `Idempotency-Key`, a repeated request returns the execution that the first one started.",
      headers: {
        ...EXECUTE_HEADERS,
        Prefer: "wait=<seconds>, at most 60: holds the response until the execution has ended",
        Accept: "text/event-stream: streams the execution's events",
      },
      status: 201,
      response: executionSchema,
      async handle(request) {
        const { idempotencyKey, isStream, waitSeconds } = executionPreferences(request.headers);
        if (isStream) return startAndStream(request, EXECUTE_PATH);
        const start = await prepare(request, EXECUTE_PATH, idempotencyKey);
        const execution = await (waitSeconds === undefined
          ? executions.start(start)
          : executions.startAndWait(start, waitSeconds * 1_000, request.signal));
        request.note({ executionId: execution.id });
        if (waitSeconds === undefined) return created(execution, {});
        return created(execution, { "Preference-Applied": `wait=${waitSeconds}` });
      },
    }),
    defineRoute({
      ...executeRequest,
      name: "executeAgentStream",
      path: EXECUTE_STREAM_PATH,
      summary: "Execute an agent and follow its events",
      description:
        "Starts an execution and streams its events, as `GET /v1/executions/{id}/events` does. The `Location` header contains the path of the execution. To survive a lost connection, send an `Idempotency-Key`, and repeat the request with `Last-Event-ID` if the connection is lost: the stream then continues after that event.",
      headers: { ...EXECUTE_HEADERS, "Last-Event-ID": LAST_EVENT_ID },
      isStream: true,
      status: 200,
      response: null,
      handle: (request) => startAndStream(request, EXECUTE_STREAM_PATH),
    }),
    defineRoute({
      name: "listExecutions",
      method: "get",
      path: "/v1/executions",
      summary: "List executions, newest first",
      description:
        "Lists the executions that match every filter. `metadata.<name>=<value>` matches a string at the top level of `metadata`, as in `metadata.orderId=ORD-7`; up to 8 such filters are allowed.",
      tag,
      scopes: ["executions"],
      query: executionQuerySchema,
      isLargeRead: true,
      status: 200,
      response: pageSchema(executionSchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await executions.list(principal.workspaceId, query, toExecutionFilter(query)),
      }),
    }),
    defineRoute({
      name: "getExecution",
      method: "get",
      path: "/v1/executions/:id",
      summary: "Get an execution",
      description: "Returns the current state. `output` is null until the execution ends.",
      tag,
      scopes: ["executions"],
      token: "execution",
      isLargeRead: true,
      status: 200,
      response: executionSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await executions.get(principal.workspaceId, params["id"] ?? ""),
      }),
    }),
    defineRoute({
      name: "cancelExecution",
      method: "post",
      path: "/v1/executions/:id/cancel",
      summary: "Cancel an execution",
      description:
        "The execution starts nothing new. Read calls in flight are aborted; write calls run until they finish or time out, and are recorded. Then the status becomes `cancelled`. You can safely repeat the request. An execution that has already ended is returned unchanged.",
      tag,
      scopes: ["executions"],
      isUnmetered: true,
      status: 202,
      response: executionSchema,
      handle: async ({ principal, recorder, params }) => ({
        status: 202,
        body: await executions.cancel(principal.workspaceId, params["id"] ?? "", recorder),
      }),
    }),
    defineRoute({
      name: "followExecution",
      method: "get",
      path: "/v1/executions/:id/events",
      summary: "Follow an execution's events",
      description:
        "Streams every numbered event, from the first one or after `Last-Event-ID`, without gaps or repeats, until the execution ends. Events with partial text (`text.delta`) are sent in between and have no number. A comment every 15 seconds keeps the connection alive.",
      tag,
      scopes: ["executions"],
      token: "execution",
      headers: { "Last-Event-ID": LAST_EVENT_ID },
      isStream: true,
      status: 200,
      response: null,
      async handle(request) {
        const { principal, params, headers } = request;
        const { signal, stop } = signalWithDeadline(request.signal, principal.execution?.expiresAt, now);
        const executionId = params["id"] ?? "";
        let slot: StreamSlot | undefined;
        try {
          const afterSeq = lastEventId(headers);
          slot = await streamAdmission?.open(principal.workspaceId, signal);
          const events = await executions.follow(principal.workspaceId, executionId, afterSeq, signal);
          return await stream({ ...request, signal }, executionId, followIn(slot, executionId, events));
        } finally {
          slot?.close();
          stop();
        }
      },
    }),
    defineRoute({
      name: "listToolCalls",
      method: "get",
      path: "/v1/executions/:id/tool-calls",
      summary: "List an execution's tool calls",
      description: "Returns each call with all its attempts, in the order in which the model requested them.",
      tag,
      scopes: ["executions"],
      token: "execution",
      query: numberPageQuerySchema,
      isLargeRead: true,
      status: 200,
      response: pageSchema(toolCallRecordSchema),
      async handle({ principal, params, query }) {
        const calls = await executions.toolCalls(principal.workspaceId, params["id"] ?? "");
        return { status: 200, body: pageOfGrowing(calls, query) };
      },
    }),
  ];
}

/**
 * Counts the stream towards the limit of its execution and returns the events.
 * @throws QuotaExceededError if the execution has too many streams; the gateway then stops reading its events.
 */
function followIn<Events extends AsyncGenerator<unknown, void, void>>(
  slot: StreamSlot | undefined,
  executionId: string,
  events: Events,
): Events {
  try {
    slot?.follow(executionId);
    return events;
  } catch (error) {
    void events.return();
    throw error;
  }
}

/**
 * Returns an error if the key may not supply recordings. The bootstrap key may, because it may also create such a key.
 */
function recordingRefusal({ keyId, routing }: Principal): YagateError | undefined {
  if (keyId === null || routing?.recordings === true) return undefined;
  return new YagateError("FORBIDDEN", "expected a key that may supply recordings", {
    hint: "create a key with routing.recordings set to true, or change this one with PATCH /v1/api-keys/{id}",
  });
}

function locationOf({ id }: Execution): Readonly<Record<string, string>> {
  return { Location: `/v1/executions/${id}` };
}

function created(execution: Execution, headers: Record<string, string>): RouteResponse {
  return { status: 201, body: execution, headers: { ...locationOf(execution), ...headers } };
}

// One shared error, because an abort without a reason would create an error with a stack trace each time.
const EXPIRED = new Error("the execution token has expired");

/**
 * Returns a signal that is aborted with `signal`, or when the token of the request expires.
 * @param endsAt - ms since the epoch.
 */
function signalWithDeadline(signal: AbortSignal, endsAt: number | undefined, now: () => number) {
  if (endsAt === undefined) return { signal, stop: () => {} };
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(EXPIRED), endsAt - now());
  timer.unref();
  return { signal: AbortSignal.any([signal, end.signal]), stop: () => clearTimeout(timer) };
}
