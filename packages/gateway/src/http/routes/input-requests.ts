import { answerInputSchema, inputRequestQuerySchema, inputRequestSchema, pageSchema } from "@yagate/protocol";
import type { InputRequestService } from "../../executions/input-requests/input-request-service.ts";
import { idPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

export function inputRequestRoutes(inputRequests: InputRequestService): readonly Route[] {
  const tag = "input requests";
  const scopes = ["approvals"] as const;
  return [
    defineRoute({
      name: "listInputRequests",
      method: "get",
      path: "/v1/input-requests",
      summary: "List the questions of tools, newest tool calls first",
      description:
        "Returns the latest round of every tool call that asked a question, or only the rounds with the given `status`.",
      tag,
      scopes,
      query: idPageQuerySchema.extend({ status: inputRequestQuerySchema.shape.status }),
      status: 200,
      response: pageSchema(inputRequestSchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await inputRequests.list(principal.workspaceId, query),
      }),
    }),
    defineRoute({
      name: "getInputRequest",
      method: "get",
      path: "/v1/tool-calls/:id/input",
      summary: "Get the questions of a tool call",
      description: "Returns the latest round of questions and, once it is resolved, the answers.",
      tag,
      scopes,
      status: 200,
      response: inputRequestSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await inputRequests.get(principal.workspaceId, params["id"] ?? ""),
      }),
    }),
    defineRoute({
      name: "answerInputRequest",
      method: "post",
      path: "/v1/tool-calls/:id/input",
      summary: "Answer the questions of a tool call",
      description:
        "Answers all questions of the round, and continues the call. `decline` and `cancel` are answers too. The gateway checks the content of a form against its schema and passes it to the MCP server. A round can be answered once, before `expiresAt`; a second answer, and one for another round, is rejected with `CONFLICT`.",
      tag,
      scopes,
      problems: ["CONFLICT"],
      isUnmetered: true,
      body: answerInputSchema,
      status: 200,
      response: inputRequestSchema,
      async handle({ principal: { workspaceId, keyId }, recorder, params, body }) {
        const given = { workspaceId, keyId, recorder, toolCallId: params["id"] ?? "", ...body };
        return { status: 200, body: await inputRequests.answer(given) };
      },
    }),
  ];
}
