import {
  capabilitySchema,
  createCapabilitySchema,
  createIntentSchema,
  intentSchema,
  pageSchema,
  updateCapabilitySchema,
  updateIntentSchema,
} from "@yagate/protocol";
import type { Capabilities } from "../../capabilities/capability-registry.ts";
import type { Intents } from "../../capabilities/intents.ts";
import { namePageQuerySchema, pageByName } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

const tag = "routing";

/** The routes of capabilities and intents. */
export function routingRoutes(capabilities: Capabilities, intents: Intents): readonly Route[] {
  return [...capabilityRoutes(capabilities), ...intentRoutes(intents)];
}

function capabilityRoutes(capabilities: Capabilities): readonly Route[] {
  return [
    defineRoute({
      name: "createCapability",
      method: "post",
      path: "/v1/capabilities",
      summary: "Create a capability",
      description:
        "A capability is something that can serve an intent: a tool of the workspace, of a tool source or of the gateway, or a tool that the model's provider runs itself. With the key of an entry of the gateway's table, the request overrides that entry.",
      tag,
      scopes: ["tools"],
      problems: ["CONFLICT"],
      body: createCapabilitySchema,
      status: 201,
      response: capabilitySchema,
      handle: async ({ principal, recorder, body }) => ({
        status: 201,
        body: await capabilities.create(principal.workspaceId, body, recorder),
      }),
    }),
    defineRoute({
      name: "listCapabilities",
      method: "get",
      path: "/v1/capabilities",
      summary: "List capabilities by key",
      description:
        "Returns the gateway's table with the entries and overrides of the workspace, in alphabetical order.",
      tag,
      scopes: ["tools"],
      query: namePageQuerySchema,
      status: 200,
      response: pageSchema(capabilitySchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: pageByName(await capabilities.list(principal.workspaceId), ({ key }) => key, query),
      }),
    }),
    defineRoute({
      name: "getCapability",
      method: "get",
      path: "/v1/capabilities/:key",
      summary: "Get a capability",
      description: "Returns an entry of the gateway's table or of the workspace.",
      tag,
      scopes: ["tools"],
      status: 200,
      response: capabilitySchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await capabilities.get(principal.workspaceId, params["key"] ?? ""),
      }),
    }),
    defineRoute({
      name: "updateCapability",
      method: "patch",
      path: "/v1/capabilities/:key",
      summary: "Update a capability",
      description:
        "The change applies to executions that start later. Omitted fields keep their values. An entry of the gateway's table is overridden: `enabled: false` switches it off.",
      tag,
      scopes: ["tools"],
      problems: ["CONFLICT"],
      body: updateCapabilitySchema,
      status: 200,
      response: capabilitySchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 200,
        body: await capabilities.update(principal.workspaceId, params["key"] ?? "", body, recorder),
      }),
    }),
    defineRoute({
      name: "deleteCapability",
      method: "delete",
      path: "/v1/capabilities/:key",
      summary: "Delete a capability",
      description: "If the entry overrides an entry of the gateway's table, the overridden entry applies again.",
      tag,
      scopes: ["tools"],
      problems: ["CONFLICT"],
      status: 204,
      response: null,
      async handle({ principal, recorder, params }) {
        await capabilities.delete(principal.workspaceId, params["key"] ?? "", recorder);
        return { status: 204 };
      },
    }),
  ];
}

function intentRoutes(intents: Intents): readonly Route[] {
  return [
    defineRoute({
      name: "createIntent",
      method: "post",
      path: "/v1/intents",
      summary: "Create an intent",
      description:
        "An intent states what an agent needs, without naming the tool that provides it. Models read its parameters, whichever capability serves it.",
      tag,
      scopes: ["tools"],
      problems: ["CONFLICT"],
      body: createIntentSchema,
      status: 201,
      response: intentSchema,
      handle: async ({ principal, recorder, body }) => ({
        status: 201,
        body: await intents.create(principal.workspaceId, body, recorder),
      }),
    }),
    defineRoute({
      name: "listIntents",
      method: "get",
      path: "/v1/intents",
      summary: "List intents by name",
      description: "Returns the gateway's intents and those of the workspace, in alphabetical order.",
      tag,
      scopes: ["tools"],
      query: namePageQuerySchema,
      status: 200,
      response: pageSchema(intentSchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: pageByName(await intents.list(principal.workspaceId), ({ name }) => name, query),
      }),
    }),
    defineRoute({
      name: "getIntent",
      method: "get",
      path: "/v1/intents/:name",
      summary: "Get an intent",
      description: "Returns the description and the parameters that models read.",
      tag,
      scopes: ["tools"],
      status: 200,
      response: intentSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await intents.get(principal.workspaceId, params["name"] ?? ""),
      }),
    }),
    defineRoute({
      name: "updateIntent",
      method: "patch",
      path: "/v1/intents/:name",
      summary: "Update an intent",
      description:
        "The change applies to executions that start later. Parameters that a capability of the intent does not fit are rejected. The gateway's own intents cannot be changed.",
      tag,
      scopes: ["tools"],
      problems: ["CONFLICT"],
      body: updateIntentSchema,
      status: 200,
      response: intentSchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 200,
        body: await intents.update(principal.workspaceId, params["name"] ?? "", body, recorder),
      }),
    }),
    defineRoute({
      name: "deleteIntent",
      method: "delete",
      path: "/v1/intents/:name",
      summary: "Delete an intent",
      description: "An intent that a capability serves cannot be deleted, and neither can the gateway's own intents.",
      tag,
      scopes: ["tools"],
      problems: ["CONFLICT"],
      status: 204,
      response: null,
      async handle({ principal, recorder, params }) {
        await intents.delete(principal.workspaceId, params["name"] ?? "", recorder);
        return { status: 204 };
      },
    }),
  ];
}
