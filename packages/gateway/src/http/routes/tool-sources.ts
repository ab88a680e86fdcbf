import {
  acceptToolsSchema,
  adoptToolsSchema,
  confirmLoginSchema,
  createToolSourceSchema,
  deleteToolSourceQuerySchema,
  pageSchema,
  revokeToolsSchema,
  sourceToolDetailSchema,
  startedLoginSchema,
  toolChangeSchema,
  toolSourceSchema,
  toolSourceTestSchema,
  updateToolSourceSchema,
} from "@yagate/protocol";
import type { SourceLogins } from "../../tool-sources/source-logins.ts";
import type { ToolSources } from "../../tool-sources/tool-source-service.ts";
import { idPageQuerySchema, namePageQuerySchema, pageOfNamed } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

const TAG = "tools";
const SCOPES = ["tools"] as const;
// Large enough for the OpenAPI document of a large service.
const MAX_BODY_BYTES = 12 * 1_048_576;
/** Why a sync fails. */
const SYNC_PROBLEMS = [
  "SOURCE_UNREACHABLE",
  "SOURCE_UNAUTHORIZED",
  "INVALID_RESPONSE_SIGNATURE",
  "MANIFEST_INVALID",
  "TOO_MANY_TOOLS",
  "NOT_CONFIGURED",
] as const;

export function toolSourceRoutes(sources: ToolSources, logins: SourceLogins): readonly Route[] {
  return [...resourceRoutes(sources), ...reviewRoutes(sources), ...loginRoutes(logins)];
}

function resourceRoutes(sources: ToolSources): readonly Route[] {
  return [
    defineRoute({
      name: "createToolSource",
      method: "post",
      path: "/v1/tool-sources",
      summary: "Create a tool source",
      description:
        "Creates the source and reads its tools. They are held until they are accepted, unless `accept` is `all`. If the source cannot be read, it is created without tools, and `status` and `reason` state why.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: createToolSourceSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      status: 201,
      response: toolSourceSchema,
      handle: async ({ principal, recorder, signal, body }) => ({
        status: 201,
        body: await sources.create(principal.workspaceId, body, { recorder, signal }),
      }),
    }),
    defineRoute({
      name: "listToolSources",
      method: "get",
      path: "/v1/tool-sources",
      summary: "List tool sources, newest first",
      description: "Returns each source with the numbers of its tools, without the tools themselves.",
      tag: TAG,
      scopes: SCOPES,
      query: idPageQuerySchema,
      status: 200,
      response: pageSchema(toolSourceSchema),
      handle: async ({ principal, query }) => ({ status: 200, body: await sources.list(principal.workspaceId, query) }),
    }),
    defineRoute({
      name: "getToolSource",
      method: "get",
      path: "/v1/tool-sources/:id",
      summary: "Get a tool source",
      description: "Returns the source with its tools and their states.",
      tag: TAG,
      scopes: SCOPES,
      status: 200,
      response: toolSourceSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await sources.get(principal.workspaceId, params["id"] ?? ""),
      }),
    }),
    defineRoute({
      name: "updateToolSource",
      method: "patch",
      path: "/v1/tool-sources/:id",
      summary: "Update a tool source",
      description:
        "Omitted fields keep their values. The source is then read again. A change to `url` or `auth` holds all tools and withdraws their definitions from running executions; after any other change, accepted tools stay accepted.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: updateToolSourceSchema,
      maxBodyBytes: MAX_BODY_BYTES,
      status: 200,
      response: toolSourceSchema,
      handle: async ({ principal, recorder, signal, params, body }) => ({
        status: 200,
        body: await sources.update(principal.workspaceId, params["id"] ?? "", body, { recorder, signal }),
      }),
    }),
    defineRoute({
      name: "deleteToolSource",
      method: "delete",
      path: "/v1/tool-sources/:id",
      summary: "Delete a tool source",
      description:
        "Rejected with `CONFLICT` while agents refer to the source, unless `force` is true. Its tools then no longer run, even in executions that have started.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      query: deleteToolSourceQuerySchema,
      status: 204,
      response: null,
      async handle({ principal: { workspaceId }, recorder, params, query }) {
        await sources.delete(workspaceId, params["id"] ?? "", query.force === "true", recorder);
        return { status: 204 };
      },
    }),
    defineRoute({
      name: "getSourceTool",
      method: "get",
      path: "/v1/tool-sources/:id/tools/:name",
      summary: "Get a tool of a source",
      description:
        "Returns the tool that the source publishes under this name, with its published and its accepted definition. The name is percent-encoded.",
      tag: TAG,
      scopes: SCOPES,
      status: 200,
      response: sourceToolDetailSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await sources.tool(principal.workspaceId, params["id"] ?? "", params["name"] ?? ""),
      }),
    }),
  ];
}

function reviewRoutes(sources: ToolSources): readonly Route[] {
  return [
    defineRoute({
      name: "syncToolSource",
      method: "post",
      path: "/v1/tool-sources/:id/sync",
      summary: "Read a source's tools again",
      description:
        "Compares the published tools with the accepted ones. If the source cannot be read, the response states the reason, and the accepted definitions stay in use.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT", ...SYNC_PROBLEMS],
      status: 200,
      response: toolSourceSchema,
      handle: async ({ principal, recorder, signal, params }) => ({
        status: 200,
        body: await sources.sync(principal.workspaceId, params["id"] ?? "", { recorder, signal }),
      }),
    }),
    defineRoute({
      name: "testToolSource",
      method: "post",
      path: "/v1/tool-sources/:id/test",
      summary: "Test a tool source",
      description:
        "Reads the source now, with its credential, and reports what a sync would find and change. No tool, status or schedule is stored, and no tool is called. If the source cannot be read, the response has `status` and `reason`. An access token that has expired is renewed, as for a sync.",
      tag: TAG,
      scopes: SCOPES,
      status: 200,
      response: toolSourceTestSchema,
      handle: async ({ principal, signal, params }) => ({
        status: 200,
        body: await sources.test(principal.workspaceId, params["id"] ?? "", signal),
      }),
    }),
    defineRoute({
      name: "listToolSourceChanges",
      method: "get",
      path: "/v1/tool-sources/:id/changes",
      summary: "List a source's changes",
      description:
        "Lists the tools that are new, changed or removed since they were accepted, ordered by name, with the accepted and the published definition.",
      tag: TAG,
      scopes: SCOPES,
      query: namePageQuerySchema,
      status: 200,
      response: pageSchema(toolChangeSchema),
      handle: async ({ principal, params, query }) => ({
        status: 200,
        body: pageOfNamed(await sources.changes(principal.workspaceId, params["id"] ?? ""), query),
      }),
    }),
    defineRoute({
      name: "acceptTools",
      method: "post",
      path: "/v1/tool-sources/:id/accept",
      summary: "Accept definitions of a source's tools",
      description:
        "Accepts the definitions with these hashes: either all of them or none. If the definitions of some tools have changed in the meantime, the response is `CONFLICT`, and `errors` lists these tools. A `sideEffect` becomes an override of the tool, which changes its hash.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: acceptToolsSchema,
      status: 200,
      response: toolSourceSchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 200,
        body: await sources.accept(principal.workspaceId, params["id"] ?? "", body, recorder),
      }),
    }),
    defineRoute({
      name: "revokeTools",
      method: "post",
      path: "/v1/tool-sources/:id/revoke",
      summary: "Revoke the acceptance of a source's tools",
      description:
        "Holds the named tools, or all tools of the source, until they are accepted again. Running executions can no longer call them.",
      tag: TAG,
      scopes: SCOPES,
      body: revokeToolsSchema.prefault({}),
      status: 200,
      response: toolSourceSchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 200,
        body: await sources.revoke(principal.workspaceId, params["id"] ?? "", body, recorder),
      }),
    }),
    defineRoute({
      name: "adoptTools",
      method: "post",
      path: "/v1/tool-sources/:id/adopt",
      summary: "Make workspace tools follow operations",
      description:
        "For tools that were imported from an OpenAPI document, and a source of that document. The tools keep their ids, and their definitions become the accepted ones of the operations: either all of them or none. If a definition differs from the published one, the operation is held until the published one is accepted, which adds a version to the tool.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: adoptToolsSchema,
      status: 200,
      response: toolSourceSchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 200,
        body: await sources.adopt(principal.workspaceId, params["id"] ?? "", body, recorder),
      }),
    }),
  ];
}

function loginRoutes(logins: SourceLogins): readonly Route[] {
  return [
    defineRoute({
      name: "startToolSourceLogin",
      method: "post",
      path: "/v1/tool-sources/:id/login",
      summary: "Start a sign-in to a source's MCP server",
      description:
        "For an MCP server with `auth.oauth` and the grant `authorization_code`. A person opens `authorizationUrl` in a browser and signs in there; the browser then shows a code for `POST /v1/tool-sources/:id/login/confirm`. A sign-in that a console session starts needs no code, and only the browser of that session can finish it. An earlier sign-in to the source ends.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT", "NOT_CONFIGURED", "SOURCE_UNAUTHORIZED", "SOURCE_UNREACHABLE"],
      status: 201,
      response: startedLoginSchema,
      handle: async ({ principal: { workspaceId, keyId }, sessionId, recorder, signal, params }) => ({
        status: 201,
        body: await logins.start(workspaceId, params["id"] ?? "", { keyId, sessionId, recorder, signal }),
      }),
    }),
    defineRoute({
      name: "confirmToolSourceLogin",
      method: "post",
      path: "/v1/tool-sources/:id/login/confirm",
      summary: "Confirm a sign-in to a source's MCP server",
      description:
        "The code proves that the person in the browser started the sign-in. It is accepted only from the API key that started it. The tokens are then stored, and the source is read again. After 5 wrong codes, or 10 minutes, start the sign-in again.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: confirmLoginSchema,
      status: 200,
      response: toolSourceSchema,
      handle: async ({ principal: { workspaceId, keyId }, recorder, signal, params, body: { code } }) => ({
        status: 200,
        body: await logins.confirm(workspaceId, params["id"] ?? "", code, { keyId, recorder, signal }),
      }),
    }),
  ];
}
