import { attemptDetailSchema, fallbackAnswerSchema, toolCallRecordSchema } from "@yagate/protocol";
import type { ExecutionService } from "../../executions/service/execution-service.ts";
import { assertTokenOpensCall } from "../requests/token-access.ts";
import { defineRoute, type Route } from "../route.ts";

export function toolCallRoutes(executions: ExecutionService): readonly Route[] {
  const tag = "tool calls";
  return [
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
