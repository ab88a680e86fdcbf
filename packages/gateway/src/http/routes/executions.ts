import { createHash } from "node:crypto";
import {
  canonicalJson,
  createExecutionSchema,
  type Execution,
  executionSchema,
  hasEnded,
  pageQuerySchema,
  pageSchema,
  toolCallRecordSchema,
} from "@yagate/protocol";
import type { ExecutionService } from "../../execution/service.ts";
import type { AgentStore } from "../../journal/port.ts";
import { noSuchAgent } from "../agents/agent-writer.ts";
import { writeEventStream } from "../event-stream.ts";
import { idempotencyKey, lastEventId, waitSeconds, wantsEventStream } from "../request-preferences.ts";
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from "../route.ts";

export interface ExecutionRouteOptions {
  readonly executions: ExecutionService;
  readonly agents: AgentStore;
}

export function executionRoutes({ executions, agents }: ExecutionRouteOptions): readonly Route[] {
  const tag = "executions";

  async function stream(
    { principal, response, signal }: RouteRequest<unknown, unknown>,
    executionId: string,
    afterSeq: number,
  ): Promise<RouteAnswer> {
    const events = await executions.follow(principal.workspaceId, executionId, afterSeq, signal);
    await writeEventStream(response, events, signal);
    return "streamed";
  }

  return [
    defineRoute({
      method: "post",
      path: "/v1/agents/:id/executions",
      summary: "Execute an agent",
      tag,
      scopes: ["executions"],
      body: createExecutionSchema,
      headers: {
        "Idempotency-Key":
          "The same key with the same body gets the same execution for 24 hours; with another body 409",
        Prefer: "wait=<seconds>, at most 60: holds the answer until the execution has ended",
        Accept: "text/event-stream: answers with the execution's events",
      },
      maxBodyBytes: 4 * 1_048_576,
      isStream: true,
      status: 201,
      response: executionSchema,
      async handle(request) {
        const { principal, params, body, headers, signal } = request;
        const found = await agents.find(principal.workspaceId, params["id"] ?? "");
        if (found === undefined || found.archivedAt !== null) throw noSuchAgent();
        const key = idempotencyKey(headers);
        const bodyHash = key === undefined ? "" : createHash("sha256").update(canonicalJson(body)).digest("hex");
        const execution = await executions.start({
          workspaceId: principal.workspaceId,
          keyId: principal.keyId,
          agent: found.agent,
          request: body,
          ...(key === undefined ? {} : { idempotency: { key, bodyHash } }),
        });
        if (wantsEventStream(headers)) return stream(request, execution.id, lastEventId(headers));
        const seconds = waitSeconds(headers);
        if (seconds === undefined) return created(execution, {});
        const ended = hasEnded(execution.status)
          ? execution
          : await executions.wait(principal.workspaceId, execution.id, seconds * 1_000, signal);
        return created(ended, { "Preference-Applied": `wait=${seconds}` });
      },
    }),
    defineRoute({
      method: "get",
      path: "/v1/executions",
      summary: "List executions, newest first",
      tag,
      scopes: ["executions"],
      query: pageQuerySchema,
      status: 200,
      response: pageSchema(executionSchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await executions.list(principal.workspaceId, query),
      }),
    }),
    defineRoute({
      method: "get",
      path: "/v1/executions/:id",
      summary: "Read an execution",
      tag,
      scopes: ["executions"],
      status: 200,
      response: executionSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await executions.get(principal.workspaceId, params["id"] ?? ""),
      }),
    }),
    defineRoute({
      method: "post",
      path: "/v1/executions/:id/cancel",
      summary: "Cancel an execution; one that has ended comes back unchanged",
      tag,
      scopes: ["executions"],
      status: 202,
      response: executionSchema,
      handle: async ({ principal, params }) => ({
        status: 202,
        body: await executions.cancel(principal.workspaceId, params["id"] ?? ""),
      }),
    }),
    defineRoute({
      method: "get",
      path: "/v1/executions/:id/events",
      summary: "Follow an execution's events",
      tag,
      scopes: ["executions"],
      headers: { "Last-Event-ID": "The number of the last event that was seen: the stream goes on after it" },
      isStream: true,
      status: 200,
      response: null,
      handle: (request) => stream(request, request.params["id"] ?? "", lastEventId(request.headers)),
    }),
    defineRoute({
      method: "get",
      path: "/v1/executions/:id/tool-calls",
      summary: "List an execution's tool calls with their attempts, in the order in which they were asked for",
      tag,
      scopes: ["executions"],
      status: 200,
      response: pageSchema(toolCallRecordSchema),
      async handle({ principal, params }) {
        const data = await executions.toolCalls(principal.workspaceId, params["id"] ?? "");
        return { status: 200, body: { data, nextCursor: null } };
      },
    }),
  ];
}

function created(execution: Execution, headers: Record<string, string>): RouteAnswer {
  return { status: 201, body: execution, headers: { Location: `/v1/executions/${execution.id}`, ...headers } };
}
