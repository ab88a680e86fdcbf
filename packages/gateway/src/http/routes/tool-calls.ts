import {
  attemptDetailSchema,
  fallbackAnswerSchema,
  pageSchema,
  redeliverSchema,
  redeliverySchema,
  type ToolCallSummary,
  toolCallFilterSchema,
  toolCallRecordSchema,
  toolCallSummarySchema,
} from "@yagate/protocol";
import type { ReadModelStore, RedeliveryStore } from "@yagate/store/port";
import type { RedeliveryService } from "../../executions/redelivery/redelivery-service.ts";
import type { ExecutionService } from "../../executions/service/execution-service.ts";
import { assertTokenOpensCall } from "../requests/admission.ts";
import { idPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ToolCallRouteOptions {
  readonly executions: ExecutionService;
  readonly readModels: Pick<ReadModelStore, "toolCalls">;
  readonly redeliveries: RedeliveryService;
  readonly redeliveryStore: Pick<RedeliveryStore, "list" | "find">;
}

export function toolCallRoutes(options: ToolCallRouteOptions): readonly Route[] {
  const { executions, readModels, redeliveries, redeliveryStore } = options;
  const tag = "tool calls";
  return [
    defineRoute({
      name: "findToolCalls",
      method: "get",
      path: "/v1/tool-calls",
      summary: "List tool calls of all executions, newest first",
      description:
        "Lists the calls that match every filter. Changes of calls are included after at most 2 seconds. `GET /v1/tool-calls/{id}` returns a call with its arguments, its result and its attempts, and is always current.",
      tag,
      scopes: ["executions"],
      query: idPageQuerySchema.extend(toolCallFilterSchema.shape).strict(),
      status: 200,
      response: pageSchema(toolCallSummarySchema),
      async handle({ principal, query: { limit, cursor, ...filter } }) {
        const { data, nextCursor } = await readModels.toolCalls(principal.workspaceId, { limit, cursor }, filter);
        return { status: 200, body: { data: data.map(toSummary), nextCursor } };
      },
    }),
    defineRoute({
      name: "getToolCall",
      method: "get",
      path: "/v1/tool-calls/:id",
      summary: "Get a tool call",
      description: "Returns the call with all its attempts, and its newest redeliveries.",
      tag,
      scopes: ["executions"],
      token: "toolCall",
      isLargeRead: true,
      status: 200,
      response: toolCallRecordSchema,
      async handle({ principal, params }) {
        const record = await executions.toolCall(principal.workspaceId, params["id"] ?? "");
        assertTokenOpensCall(principal, record);
        const repeated = await redeliveryStore.list(principal.workspaceId, record.id);
        if (repeated.length === 0) return { status: 200, body: record };
        return { status: 200, body: { ...record, redeliveries: repeated.map(({ attempt }) => attempt) } };
      },
    }),
    defineRoute({
      name: "getAttempt",
      method: "get",
      path: "/v1/attempts/:id",
      summary: "Get an attempt with its request and response",
      description:
        "Secrets in headers and bodies are redacted, and each body is limited to 64 KiB. After a few days, the gateway deletes this content and keeps only the attempt itself.",
      tag,
      scopes: ["executions"],
      isLargeRead: true,
      status: 200,
      response: attemptDetailSchema,
      async handle({ principal: { workspaceId }, params }) {
        const id = params["id"] ?? "";
        const redelivery = await redeliveryStore.find(workspaceId, id);
        if (redelivery === undefined) return { status: 200, body: await executions.attempt(workspaceId, id) };
        const { attempt, toolCallId, executionId, request, response } = redelivery;
        return { status: 200, body: { ...attempt, toolCallId, executionId, request, response } };
      },
    }),
    defineRoute({
      name: "redeliverToolCall",
      method: "post",
      path: "/v1/tool-calls/:id/redeliver",
      summary: "Send an ended call to its handler again",
      description:
        'Renders the signed request again from the recorded arguments and the definition of the agent\'s version, and sends it once. Only for ended calls of handler tools that were sent before. Unless the tool declares `sideEffect: "read_only"`, the request needs `confirm: true`. If a person approved the call, the API key also needs the scope `approvals`. The outcome of the call, the execution and its receipt do not change. With `url`, the call goes to another URL; this is limited to development workspaces, and the request is signed with the signing secret `redelivery`.',
      tag,
      scopes: ["executions"],
      problems: ["CONFLICT"],
      body: redeliverSchema,
      status: 200,
      response: redeliverySchema,
      async handle({ principal, recorder, params, body: { confirm, url }, signal }) {
        const { workspaceId, scopes } = principal;
        const toolCallId = params["id"] ?? "";
        const terms = { scopes, isConfirmed: confirm === true };
        const request = { workspaceId, toolCallId, url, recorder, signal, ...terms };
        return { status: 200, body: await redeliveries.redeliver(request) };
      },
    }),
    defineRoute({
      name: "answerFallback",
      method: "post",
      path: "/v1/tool-calls/:id/fallback",
      summary: "Supply a fallback for a failed tool call",
      description:
        "Supplies a result in place of the handler's, or declines to supply one. For executions that were started with `fallback`. Only the first fallback before `fallbackUntil` counts. The API key must have started the execution or have the scope `fallback`.",
      tag,
      scopes: ["executions", "fallback"],
      problems: ["CONFLICT"],
      isUnmetered: true,
      token: "toolCall",
      body: fallbackAnswerSchema,
      status: 200,
      response: toolCallRecordSchema,
      async handle({ principal, params, body }) {
        if (principal.execution !== undefined) {
          assertTokenOpensCall(principal, await executions.toolCall(principal.workspaceId, params["id"] ?? ""));
        }
        const record = await executions.answerFallback({
          workspaceId: principal.workspaceId,
          keyId: principal.keyId,
          mayAnswerForOthers: principal.scopes.has("fallback"),
          toolCallId: params["id"] ?? "",
          fallback: "decline" in body ? "decline" : { result: body.result },
        });
        return { status: 200, body: record };
      },
    }),
  ];
}

type StoredCall = Awaited<ReturnType<ReadModelStore["toolCalls"]>>["data"][number];

function toSummary({ tool, requestedAt, finishedAt, ...call }: StoredCall): ToolCallSummary {
  return {
    ...call,
    name: tool,
    requestedAt: new Date(requestedAt).toISOString(),
    finishedAt: finishedAt === null ? null : new Date(finishedAt).toISOString(),
  };
}
