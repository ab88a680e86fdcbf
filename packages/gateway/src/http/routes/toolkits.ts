import {
  createToolkitSchema,
  deleteToolkitQuerySchema,
  pageSchema,
  type Toolkit,
  toolkitSchema,
  updateToolkitSchema,
  YagateError,
} from "@yagate/protocol";
import type { ToolkitStore } from "@yagate/store/port";
import { TOOL_STEP_SUBJECT, TOOLKIT_SUBJECT } from "../../workspace-tools/audit-subjects.ts";
import { type ToolkitWarnings, withWarnings } from "../../workspace-tools/with-warnings.ts";
import { idPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

const TAG = "tools";
const SCOPES = ["tools"] as const;

export interface ToolkitRouteOptions {
  readonly toolkits: ToolkitStore;
  readonly now: () => number;
  readonly newToolkitId: () => string;
  readonly warningsOf: ToolkitWarnings;
}

export function toolkitRoutes({ toolkits, now, newToolkitId, warningsOf }: ToolkitRouteOptions): readonly Route[] {
  async function get(workspaceId: string, toolkitId: string): Promise<Toolkit> {
    const toolkit = await toolkits.find(workspaceId, toolkitId);
    if (toolkit === undefined) throw new YagateError("NOT_FOUND", "no toolkit with this id in this workspace");
    return toolkit;
  }

  return [
    defineRoute({
      name: "createToolkit",
      method: "post",
      path: "/v1/toolkits",
      summary: "Create a toolkit",
      description:
        "Creates an empty toolkit for the tools of one API and one credential. REST tools that are created in it use its credential unless they specify another one.",
      tag: TAG,
      scopes: SCOPES,
      body: createToolkitSchema,
      status: 201,
      response: toolkitSchema,
      async handle({ principal: { workspaceId }, recorder, body }) {
        const at = now();
        const toolkit = { id: newToolkitId(), workspaceId, ...body, createdAt: at, updatedAt: at };
        await toolkits.create(toolkit, recorder.of(workspaceId, "toolkit.created", TOOLKIT_SUBJECT));
        const warnings = await warningsOf(workspaceId, toolkit.credential);
        return { status: 201, body: withWarnings(await get(workspaceId, toolkit.id), warnings) };
      },
    }),
    defineRoute({
      name: "listToolkits",
      method: "get",
      path: "/v1/toolkits",
      summary: "List toolkits, newest first",
      description: "Returns each toolkit with its tools.",
      tag: TAG,
      scopes: SCOPES,
      query: idPageQuerySchema,
      status: 200,
      response: pageSchema(toolkitSchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await toolkits.list(principal.workspaceId, query),
      }),
    }),
    defineRoute({
      name: "getToolkit",
      method: "get",
      path: "/v1/toolkits/:id",
      summary: "Get a toolkit",
      description: "Returns the toolkit with its tools and their status.",
      tag: TAG,
      scopes: SCOPES,
      status: 200,
      response: toolkitSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await get(principal.workspaceId, params["id"] ?? ""),
      }),
    }),
    defineRoute({
      name: "updateToolkit",
      method: "patch",
      path: "/v1/toolkits/:id",
      summary: "Update a toolkit",
      description: "Omitted fields keep their values. The tools in the toolkit are not changed.",
      tag: TAG,
      scopes: SCOPES,
      body: updateToolkitSchema,
      status: 200,
      response: toolkitSchema,
      async handle({ principal: { workspaceId }, recorder, params, body }) {
        const { id, name, provider, credential, createdAt } = await get(workspaceId, params["id"] ?? "");
        const changed = {
          ...{ id, workspaceId, createdAt: Date.parse(createdAt), updatedAt: now() },
          ...{ name: body.name ?? name, provider: body.provider ?? provider },
          credential: body.credential === undefined ? credential : body.credential,
        };
        await toolkits.update(changed, recorder.of(workspaceId, "toolkit.updated", TOOLKIT_SUBJECT));
        const warnings = await warningsOf(workspaceId, changed.credential);
        return { status: 200, body: withWarnings(await get(workspaceId, id), warnings) };
      },
    }),
    defineRoute({
      name: "deleteToolkit",
      method: "delete",
      path: "/v1/toolkits/:id",
      summary: "Delete a toolkit",
      description:
        "By default, its tools are kept. With `tools=archive`, tools that are not yet `created` are archived.",
      tag: TAG,
      scopes: SCOPES,
      query: deleteToolkitQuerySchema,
      status: 204,
      response: null,
      async handle({ principal: { workspaceId }, recorder, params, query }) {
        const archiveAt = query.tools === "archive" ? now() : null;
        await toolkits.delete(workspaceId, params["id"] ?? "", archiveAt, {
          toolkit: recorder.of(workspaceId, "toolkit.deleted", TOOLKIT_SUBJECT),
          tool: recorder.of(workspaceId, "tool.archived", TOOL_STEP_SUBJECT),
        });
        return { status: 204 };
      },
    }),
    defineRoute({
      name: "finalizeToolkit",
      method: "post",
      path: "/v1/toolkits/:id/finalize",
      summary: "Finalize a toolkit's validated tools",
      description:
        "Agents can then use these tools; the other tools are not changed. Rejected with `CONFLICT` if no tool is validated, unless all of them are finalized already.",
      tag: TAG,
      scopes: SCOPES,
      problems: ["CONFLICT"],
      status: 200,
      response: toolkitSchema,
      async handle({ principal: { workspaceId }, recorder, params }) {
        const id = params["id"] ?? "";
        const audit = recorder.of(workspaceId, "tool.finalized", TOOL_STEP_SUBJECT);
        const finalized = await toolkits.finalize(workspaceId, id, audit);
        const toolkit = await get(workspaceId, id);
        if (finalized.length > 0 || toolkit.tools.every(({ status }) => status === "created")) {
          return { status: 200, body: toolkit };
        }
        throw new YagateError("CONFLICT", "expected a toolkit with at least one validated tool", {
          hint: "test and validate its tools first",
        });
      },
    }),
  ];
}
