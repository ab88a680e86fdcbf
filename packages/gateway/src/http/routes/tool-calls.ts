import {
  attemptDetailSchema,
  fallbackAnswerSchema,
  pageSchema,
  type ToolCallSummary,
  toolCallFilterSchema,
  toolCallRecordSchema,
  toolCallSummarySchema,
} from "@yagate/protocol";
import type { ReadModelStore } from "@yagate/store/port";
import type { ExecutionService } from "../../executions/service/execution-service.ts";
import { idPageQuerySchema } from "../requests/paging.ts";
import { assertTokenOpensCall } from "../requests/token-access.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ToolCallRouteOptions {
  readonly executions: ExecutionService;
  readonly readModels: Pick<ReadModelStore, "toolCalls">;
}

export function toolCallRoutes({ executions, readModels }: ToolCallRouteOptions): readonly Route[] {
  const tag = "tool calls";
  return [
    defineRoute({
      name: "findToolCalls",
      method: "get",
      path: "/v1/tool-calls",
      summary: "List tool calls of all executions, newest first",
      description:
        "Lists the calls that match every filter. A change of a call is included after at most 2 seconds. `GET /v1/tool-calls/{id}` returns a call with its arguments, its result and its attempts, and is always current.",
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
      description: "Returns the call with all its attempts.",
      tag,
      scopes: ["executions"],
      token: "toolCall",
      isLargeRead: true,
      status: 200,
      response: toolCallRecordSchema,
      async handle({ principal, params }) {
        const record = await executions.toolCall(principal.workspaceId, params["id"] ?? "");
        assertTokenOpensCall(principal, record);
        return { status: 200, body: record };
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
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await executions.attempt(principal.workspaceId, params["id"] ?? ""),
      }),
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
