import { approvalQuerySchema, approvalSchema, approveSchema, denySchema, pageSchema } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { type ApprovalService, InvalidArgumentsError } from "../../executions/approvals/approval-service.ts";
import { idPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

export function approvalRoutes(approvals: ApprovalService): readonly Route[] {
  const tag = "approvals";
  const scopes = ["approvals"] as const;
  return [
    defineRoute({
      name: "listApprovals",
      method: "get",
      path: "/v1/approvals",
      summary: "List approvals, newest first",
      description: "Returns pending and resolved approvals, or only those with the given `status`.",
      tag,
      scopes,
      query: idPageQuerySchema.extend({ status: approvalQuerySchema.shape.status }),
      status: 200,
      response: pageSchema(approvalSchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await approvals.list(principal.workspaceId, query),
      }),
    }),
    defineRoute({
      name: "getApproval",
      method: "get",
      path: "/v1/approvals/:id",
      summary: "Get an approval",
      description: "Shows the exact request to be sent and, once the approval is resolved, its resolution.",
      tag,
      scopes,
      status: 200,
      response: approvalSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await approvals.get(principal.workspaceId, params["id"] ?? ""),
      }),
    }),
    defineRoute({
      name: "approve",
      method: "post",
      path: "/v1/approvals/:id/approve",
      summary: "Approve a tool call",
      description:
        "Sends the call as shown, or with the `parameters` of this request, which are validated in the same way as the model's. An approval can be resolved once, before `expiresAt`; a second decision is rejected with `CONFLICT`.",
      tag,
      scopes,
      problems: ["CONFLICT"],
      isUnmetered: true,
      body: approveSchema.prefault({}),
      status: 200,
      response: approvalSchema,
      async handle({ principal: { workspaceId, keyId }, recorder, params, body }) {
        const answer = { workspaceId, keyId, recorder, approvalId: params["id"] ?? "" };
        try {
          const approval = await approvals.approve({ ...answer, ...body });
          return { status: 200, body: approval };
        } catch (error) {
          if (!(error instanceof InvalidArgumentsError)) throw error;
          throw new InvalidRequestError([{ path: "parameters", code: "INVALID_ARGUMENTS", message: error.message }]);
        }
      },
    }),
    defineRoute({
      name: "deny",
      method: "post",
      path: "/v1/approvals/:id/deny",
      summary: "Deny a tool call",
      description:
        "The call is not sent, and the model reads the reason. An approval can be resolved once, before `expiresAt`; a second decision is rejected with `CONFLICT`.",
      tag,
      scopes,
      problems: ["CONFLICT"],
      isUnmetered: true,
      body: denySchema.prefault({}),
      status: 200,
      response: approvalSchema,
      async handle({ principal: { workspaceId, keyId }, recorder, params, body }) {
        const answer = { workspaceId, keyId, recorder, approvalId: params["id"] ?? "" };
        return { status: 200, body: await approvals.deny({ ...answer, ...body }) };
      },
    }),
  ];
}
