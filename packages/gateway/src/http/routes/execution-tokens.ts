import { createExecutionTokenSchema, executionTokenSchema } from "@yagate/protocol";
import type { ExecutionService } from "../../execution/service.ts";
import type { ExecutionTokens } from "../../secrets/execution-tokens.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ExecutionTokenRouteOptions {
  readonly executions: Pick<ExecutionService, "get">;
  readonly tokens: Pick<ExecutionTokens, "create">;
}

export function executionTokenRoutes({ executions, tokens }: ExecutionTokenRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "createExecutionToken",
      method: "post",
      path: "/v1/executions/:id/tokens",
      summary: "Make a short-lived token for an execution's record, events, tool calls and fallbacks",
      tag: "executions",
      scopes: ["executions"],
      body: createExecutionTokenSchema.prefault({}),
      status: 201,
      response: executionTokenSchema,
      async handle({ principal: { workspaceId, keyId }, params, body: { expiresInSeconds } }) {
        const { id: executionId } = await executions.get(workspaceId, params["id"] ?? "");
        return { status: 201, body: await tokens.create({ workspaceId, executionId, keyId, expiresInSeconds }) };
      },
    }),
  ];
}
