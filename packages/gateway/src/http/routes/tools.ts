import {
  advanceWorkspaceToolSchema,
  createWorkspaceToolSchema,
  importedToolkitSchema,
  importOperationsSchema,
  importToolsSchema,
  listImportOperationsSchema,
  pageSchema,
  previewToolSchema,
  testWorkspaceToolSchema,
  toolPreviewSchema,
  updateWorkspaceToolSchema,
  workspaceToolQuerySchema,
  workspaceToolSchema,
  workspaceToolTestSchema,
  YagateError,
} from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { ToolStore } from "@yagate/store/port";
import { TOOL_SUBJECT } from "../../workspace-tools/audit-subjects.ts";
import type { ToolInstaller } from "../../workspace-tools/tool-installer.ts";
import type { ToolLifecycle } from "../../workspace-tools/tool-lifecycle.ts";
import type { PreviewTool } from "../../workspace-tools/tool-preview.ts";
import type { ToolWriter } from "../../workspace-tools/tool-writer.ts";
import { idPageQuerySchema, numberPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

const TAG = "tools";
const SCOPES = ["tools"] as const;
// Large enough for the OpenAPI document of a large service.
const MAX_IMPORT_BYTES = 12 * 1_048_576;

export interface ToolRouteOptions {
  readonly tools: ToolStore;
  readonly writer: ToolWriter;
  readonly lifecycle: ToolLifecycle;
  readonly installer: Pick<ToolInstaller, "importOpenApi" | "listOperations">;
  readonly preview: PreviewTool;
  readonly now: () => number;
}

export function toolRoutes(options: ToolRouteOptions): readonly Route[] {
  return [...wholeRoutes(options), ...singleRoutes(options), ...lifecycleRoutes(options.lifecycle)];
}

/** Rejects a key that may not read agents, because the previewed request reveals parts of the agent's definition. */
function assertMayReadAgents({ scopes }: Principal): void {
  if (scopes.has("agents") || scopes.has("executions")) return;
  throw new YagateError(
    "FORBIDDEN",
    "expected a key that also has the scope agents or executions, because the request contains an agentId",
  );
}

function wholeRoutes({ tools, writer, installer, preview }: ToolRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "previewTool",
      method: "post",
      path: "/v1/tools/preview",
      summary: "Preview a tool call",
      description:
        "Shows the exact request that the gateway would send for a call, with secrets as `***NAME***`. Nothing is sent or saved.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["NOT_FOUND", "INVALID_ARGUMENTS"],
      body: previewToolSchema,
      status: 200,
      response: toolPreviewSchema,
      async handle({ principal, body }) {
        if (body.agentId !== undefined) assertMayReadAgents(principal);
        return { status: 200, body: await preview(principal.workspaceId, body) };
      },
    }),
    defineRoute({
      name: "importTools",
      method: "post",
      path: "/v1/tools/import",
      summary: "Import tools from an OpenAPI document",
      description:
        "Creates a toolkit with a draft tool for each selected operation: either all drafts or none. The response lists operations that cannot become a tool, with the reasons. Test each draft before agents can use it. If tools with the same names exist, nothing is created, and `errors` says for each of them how it differs: `SAME_DEFINITION`, or `OTHER_DEFINITION` with the fields.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: importToolsSchema,
      maxBodyBytes: MAX_IMPORT_BYTES,
      status: 201,
      response: importedToolkitSchema,
      handle: async ({ principal, recorder, body }) => ({
        status: 201,
        body: await installer.importOpenApi(principal.workspaceId, body, recorder),
      }),
    }),
    defineRoute({
      name: "listImportOperations",
      method: "post",
      path: "/v1/tools/import/operations",
      summary: "List the operations of an OpenAPI document",
      description: "Shows which operations can become tools. Nothing is saved.",
      tag: TAG,
      scopes: SCOPES,
      body: listImportOperationsSchema,
      maxBodyBytes: MAX_IMPORT_BYTES,
      status: 200,
      response: importOperationsSchema,
      handle: async ({ principal, body }) => ({
        status: 200,
        body: await installer.listOperations(principal.workspaceId, body),
      }),
    }),
    defineRoute({
      name: "createTool",
      method: "post",
      path: "/v1/tools",
      summary: "Create a workspace tool",
      description:
        "Agents of the workspace can refer to the tool by its id once its status is `created`. A REST tool must be tested, validated and finalized first.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["NOT_FOUND", "CONFLICT"],
      body: createWorkspaceToolSchema,
      status: 201,
      response: workspaceToolSchema,
      handle: async ({ principal, recorder, body }) => ({
        status: 201,
        body: await writer.create(principal.workspaceId, body, recorder),
      }),
    }),
    defineRoute({
      name: "listTools",
      method: "get",
      path: "/v1/tools",
      summary: "List workspace tools, newest first",
      description: "Lists the tools that match every filter.",
      tag: TAG,
      scopes: SCOPES,
      query: workspaceToolQuerySchema.extend({ cursor: idPageQuerySchema.shape.cursor }),
      status: 200,
      response: pageSchema(workspaceToolSchema),
      handle: async ({ principal, query }) => ({ status: 200, body: await tools.list(principal.workspaceId, query) }),
    }),
  ];
}

function singleRoutes({ tools, writer, lifecycle, now }: ToolRouteOptions): readonly Route[] {
  return [
    defineRoute({
      name: "getTool",
      method: "get",
      path: "/v1/tools/:id",
      summary: "Get a workspace tool",
      description: "Returns the current version. For a draft, the response includes its `problems`.",
      tag: TAG,
      scopes: SCOPES,
      status: 200,
      response: workspaceToolSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await lifecycle.get(principal.workspaceId, params["id"] ?? ""),
      }),
    }),
    defineRoute({
      name: "updateTool",
      method: "patch",
      path: "/v1/tools/:id",
      summary: "Update a workspace tool",
      description:
        "Creates the next version. Agents keep the version with which they were saved. After a change of its definition, a REST tool must be tested and validated again.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: updateWorkspaceToolSchema,
      status: 200,
      response: workspaceToolSchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 200,
        body: await writer.update(principal.workspaceId, params["id"] ?? "", body, recorder),
      }),
    }),
    defineRoute({
      name: "archiveTool",
      method: "delete",
      path: "/v1/tools/:id",
      summary: "Archive a workspace tool",
      description: "The tool's name becomes available again. Agents that use a version of the tool keep that version.",
      tag: TAG,
      scopes: SCOPES,
      status: 204,
      response: null,
      async handle({ principal: { workspaceId }, recorder, params }) {
        const audit = recorder.of(workspaceId, "tool.archived", TOOL_SUBJECT);
        await tools.archive(workspaceId, params["id"] ?? "", now(), audit);
        return { status: 204 };
      },
    }),
    defineRoute({
      name: "listToolVersions",
      method: "get",
      path: "/v1/tools/:id/versions",
      summary: "List a tool's versions, newest first",
      description: "The definition of a version is immutable; the status of a version can advance.",
      tag: TAG,
      scopes: SCOPES,
      query: numberPageQuerySchema,
      status: 200,
      response: pageSchema(workspaceToolSchema),
      async handle({ principal, params, query }) {
        const { id } = await lifecycle.get(principal.workspaceId, params["id"] ?? "");
        return { status: 200, body: await tools.versions(principal.workspaceId, id, query) };
      },
    }),
  ];
}

function lifecycleRoutes(lifecycle: ToolLifecycle): readonly Route[] {
  return [
    defineRoute({
      name: "testTool",
      method: "post",
      path: "/v1/tools/:id/test",
      summary: "Test a tool with a real request",
      description:
        "Sends one real request. Methods other than GET require `confirm`. If the request succeeds, the tool's status becomes `tested`.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT", "INVALID_ARGUMENTS"],
      body: testWorkspaceToolSchema.prefault({}),
      status: 200,
      response: workspaceToolSchema,
      handle: async ({ principal, recorder, params, body, signal }) => ({
        status: 200,
        body: await lifecycle.test(principal.workspaceId, params["id"] ?? "", { ...body, signal, recorder }),
      }),
    }),
    defineRoute({
      name: "getToolTest",
      method: "get",
      path: "/v1/tools/:id/test",
      summary: "Get a tool's latest test",
      description: "Returns the test with the complete response.",
      tag: TAG,
      scopes: SCOPES,
      status: 200,
      response: workspaceToolTestSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await lifecycle.lastTest(principal.workspaceId, params["id"] ?? ""),
      }),
    }),
    defineRoute({
      name: "validateTool",
      method: "post",
      path: "/v1/tools/:id/validate",
      summary: "Validate a tested tool",
      description:
        "Confirms that the tool does what it is supposed to do. A person makes this decision after a successful test.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: advanceWorkspaceToolSchema.prefault({}),
      status: 200,
      response: workspaceToolSchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 200,
        body: await lifecycle.validate(principal.workspaceId, params["id"] ?? "", body.version, recorder),
      }),
    }),
    defineRoute({
      name: "finalizeTool",
      method: "post",
      path: "/v1/tools/:id/finalize",
      summary: "Finalize a validated tool",
      description: "Agents can then use the tool.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      body: advanceWorkspaceToolSchema.prefault({}),
      status: 200,
      response: workspaceToolSchema,
      handle: async ({ principal, recorder, params, body }) => ({
        status: 200,
        body: await lifecycle.finalize(principal.workspaceId, params["id"] ?? "", body.version, recorder),
      }),
    }),
  ];
}
