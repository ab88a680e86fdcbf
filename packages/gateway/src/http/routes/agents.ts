import {
  agentSchema,
  createAgentSchema,
  pageSchema,
  routePreviewSchema,
  routeRequestSchema,
  updateAgentSchema,
} from "@yagate/protocol";
import type { AgentStore } from "@yagate/store/port";
import { AGENT_SUBJECT, type AgentWriter, noSuchAgent } from "../../agents/agent-writer.ts";
import type { PreviewRoute } from "../../executions/service/route-preview.ts";
import { idPageQuerySchema, numberPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

// An agent may have many tools with large schemas.
const MAX_AGENT_BYTES = 4 * 1_048_576;

export interface AgentRouteOptions {
  readonly agents: AgentStore;
  readonly writer: AgentWriter;
  readonly previewRoute: PreviewRoute;
  readonly now: () => number;
}

export function agentRoutes({ agents, writer, previewRoute, now }: AgentRouteOptions): readonly Route[] {
  const tag = "agents";
  return [
    defineRoute({
      name: "createAgent",
      method: "post",
      path: "/v1/agents",
      summary: "Create an agent",
      description:
        "Saves version 1 of the agent. The gateway checks the agent's tools first. If it rejects the agent, the response lists every invalid field. In the response to a valid request, `warnings` lists settings that are allowed but probably mistakes.",
      tag,
      scopes: ["agents"],
      body: createAgentSchema,
      maxBodyBytes: MAX_AGENT_BYTES,
      problems: ["MODEL_UNPRICED"],
      status: 201,
      response: agentSchema,
      handle: async ({ principal, recorder, body }) => ({
        status: 201,
        body: await writer.create(principal.workspaceId, body, recorder),
      }),
    }),
    defineRoute({
      name: "listAgents",
      method: "get",
      path: "/v1/agents",
      summary: "List agents, newest first",
      description: "Archived agents are not listed.",
      tag,
      scopes: ["agents", "executions"],
      query: idPageQuerySchema,
      status: 200,
      response: pageSchema(agentSchema),
      async handle({ principal, query }) {
        const { data, nextCursor } = await agents.list(principal.workspaceId, query);
        const text = `{"data":[${data.join(",")}],"nextCursor":${JSON.stringify(nextCursor)}}`;
        return { status: 200, text, headers: { "Content-Type": "application/json" } };
      },
    }),
    defineRoute({
      name: "getAgent",
      method: "get",
      path: "/v1/agents/:id",
      summary: "Get an agent",
      description: "Returns the current version. The response for an archived agent is `NOT_FOUND`.",
      tag,
      scopes: ["agents", "executions"],
      status: 200,
      response: agentSchema,
      async handle({ principal, params }) {
        const found = await agents.find(principal.workspaceId, params["id"] ?? "");
        if (found === undefined || found.archivedAt !== null) throw noSuchAgent();
        return { status: 200, body: found.agent };
      },
    }),
    defineRoute({
      name: "updateAgent",
      method: "patch",
      path: "/v1/agents/:id",
      summary: "Update an agent",
      description:
        "Creates the next version. Omitted fields keep their values; a list such as `tools` is replaced completely. Send `version` to get `CONFLICT` if the agent has changed since you read it.",
      tag,
      scopes: ["agents"],
      problems: ["CONFLICT", "MODEL_UNPRICED"],
      body: updateAgentSchema,
      maxBodyBytes: MAX_AGENT_BYTES,
      status: 200,
      response: agentSchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 200,
        body: await writer.update(principal.workspaceId, params["id"] ?? "", body, recorder),
      }),
    }),
    defineRoute({
      name: "archiveAgent",
      method: "delete",
      path: "/v1/agents/:id",
      summary: "Archive an agent",
      description:
        "Running executions continue. The agent can no longer be executed or updated; its versions stay readable.",
      tag,
      scopes: ["agents"],
      status: 204,
      response: null,
      async handle({ principal: { workspaceId }, recorder, params }) {
        const audit = recorder.of(workspaceId, "agent.archived", AGENT_SUBJECT);
        await agents.archive(workspaceId, params["id"] ?? "", now(), audit);
        return { status: 204 };
      },
    }),
    defineRoute({
      name: "routeAgent",
      method: "post",
      path: "/v1/agents/:id/route",
      summary: "Decide which capabilities would serve an execution",
      description:
        "Returns the decision about the first model turn of an execution with this request, with the reason for every capability. Nothing runs, and nothing is spent. The bounds of the API key apply.",
      tag,
      scopes: ["executions"],
      body: routeRequestSchema,
      maxBodyBytes: MAX_AGENT_BYTES,
      status: 200,
      response: routePreviewSchema,
      async handle({ principal: { workspaceId, routing }, params, body }) {
        const found = await agents.find(workspaceId, params["id"] ?? "");
        if (found === undefined || found.archivedAt !== null) throw noSuchAgent();
        const question = { workspaceId, agent: found.agent, request: body, keyRouting: routing };
        return { status: 200, body: await previewRoute(question) };
      },
    }),
    defineRoute({
      name: "listAgentVersions",
      method: "get",
      path: "/v1/agents/:id/versions",
      summary: "List an agent's versions, newest first",
      description: "Versions are immutable. An execution uses the version with which it started until it ends.",
      tag,
      scopes: ["agents", "executions"],
      query: numberPageQuerySchema,
      status: 200,
      response: pageSchema(agentSchema),
      async handle({ principal, params, query }) {
        const id = params["id"] ?? "";
        if ((await agents.find(principal.workspaceId, id)) === undefined) throw noSuchAgent();
        return { status: 200, body: await agents.versions(principal.workspaceId, id, query) };
      },
    }),
  ];
}
