import { agentSchema, createAgentSchema, pageSchema, updateAgentSchema } from "@yagate/protocol";
import type { AgentStore } from "@yagate/store/port";
import { AGENT_SUBJECT, type AgentWriter, noSuchAgent } from "../../agents/agent-writer.ts";
import { idPageQuerySchema, numberPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

// An agent may have many tools with large schemas.
const MAX_AGENT_BYTES = 4 * 1_048_576;

export interface AgentRouteOptions {
  readonly agents: AgentStore;
  readonly writer: AgentWriter;
  readonly now: () => number;
}

export function agentRoutes({ agents, writer, now }: AgentRouteOptions): readonly Route[] {
  const tag = "agents";
  return [
    defineRoute({
      name: "createAgent",
      method: "post",
      path: "/v1/agents",
      summary: "Create an agent",
      description:
        "Saves the agent as version 1. Its tools are checked first: every wrong field is named at once, and `warnings` of the response say what is allowed and probably not meant.",
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
      summary: "Read an agent's current version",
      description: "An archived agent is not found.",
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
      summary: "Change an agent: makes its next version",
      description:
        "What is left out stays as it is; lists such as `tools` are replaced as a whole. Send `version` to get `CONFLICT` if the agent was changed in the meantime.",
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
      summary: "Archive an agent: started executions go on, new ones are refused",
      description:
        "Executions that have started go on. The agent can't be executed or changed any more, and its versions stay readable.",
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
      name: "listAgentVersions",
      method: "get",
      path: "/v1/agents/:id/versions",
      summary: "List an agent's versions, newest first",
      description: "Versions are immutable. An execution stays on the version that it started with.",
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
