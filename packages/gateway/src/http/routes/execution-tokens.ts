import { createExecutionTokenSchema, type ExecutionToken, executionTokenSchema } from "@yagate/protocol";
import type { ExecutionTokens } from "@yagate/secrets/execution-tokens";
import type { AuditStore, AuditSubject } from "@yagate/store/port";
import type { ExecutionService } from "../../executions/service/execution-service.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ExecutionTokenRouteOptions {
  readonly executions: Pick<ExecutionService, "get">;
  readonly tokens: Pick<ExecutionTokens, "create">;
  readonly audit: Pick<AuditStore, "append">;
}

/** The subject of the audit entry: the token's execution and expiry, never the token. */
const SUBJECT: AuditSubject<ExecutionToken> = {
  type: "execution_token",
  idOf: ({ executionId }) => executionId,
  show: ({ executionId, expiresAt }) => ({ executionId, expiresAt }),
};

export function executionTokenRoutes({ executions, tokens, audit }: ExecutionTokenRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "createExecutionToken",
      method: "post",
      path: "/v1/executions/:id/tokens",
      summary: "Create an execution token",
      description:
        "For browsers: the short-lived token gives access only to the record, events, tool calls and fallbacks of this execution. The gateway does not store the token, so keep its lifetime short.",
      tag: "executions",
      scopes: ["executions"],
      body: createExecutionTokenSchema.prefault({}),
      status: 201,
      response: executionTokenSchema,
      async handle({ principal: { workspaceId, keyId }, recorder, params, body: { expiresInSeconds } }) {
        const { id: executionId } = await executions.get(workspaceId, params["id"] ?? "");
        const token = await tokens.create({ workspaceId, executionId, keyId, expiresInSeconds });
        // The token itself is not stored, so its audit entry must be durable before the token is returned.
        const row = recorder.of(workspaceId, "execution_token.created", SUBJECT)(null, token);
        if (row !== undefined) await audit.append(row);
        return { status: 201, body: token };
      },
    }),
  ];
}
