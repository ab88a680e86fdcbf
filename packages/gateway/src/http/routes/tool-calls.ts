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
      summary: "Read a tool call with its attempts",
      description: "The call with all of its attempts.",
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
      summary: "Read an attempt with what was sent and what came back",
      description:
        "Headers and bodies with secrets redacted, each body up to 64 KiB. They are deleted after some days; the attempt itself stays.",
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
      summary: "Answer a failed tool call in place of its handler, or decline to; once, until fallbackUntil",
      description:
        "For executions that were started with `fallback`. Counts once, and only until `fallbackUntil`. The key must have started the execution or have the scope `fallback`.",
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
          answer: "decline" in body ? "decline" : { result: body.result },
        });
        return { status: 200, body: record };
      },
    }),
  ];
}
