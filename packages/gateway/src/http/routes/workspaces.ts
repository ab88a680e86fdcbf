import {
  type ApiKey,
  apiKeySchema,
  type CreatedApiKey,
  type CreatedWorkspace,
  createApiKeySchema,
  createdApiKeySchema,
  createdWorkspaceSchema,
  createWorkspaceSchema,
  type Page,
  type PageQuery,
  pageSchema,
  type Scope,
  updateWorkspaceSchema,
  workspaceIdSchema,
  workspaceSchema,
  YagateError,
} from "@yagate/protocol";
import type { ChangeRecorder } from "../../journal/audit-rows.ts";
import type { WorkspaceRow, WorkspaceStore } from "../../journal/port.ts";
import type { Principal } from "../../secrets/api-keys.ts";
import { createAdministeredWorkspace } from "../administered-workspace.ts";
import { idPageQuerySchema } from "../paging.ts";
import { InvalidRequestError } from "../problem.ts";
import { defineRoute, type Route } from "../route.ts";

export interface WorkspaceRouteOptions {
  readonly store: Pick<WorkspaceStore, "find" | "list">;
  readonly workspaces: { create(name: string, plan: string, recorder: ChangeRecorder): Promise<CreatedWorkspace> };
  readonly onWorkspaceCreated: (workspace: CreatedWorkspace) => void;
  readonly plans: {
    readonly names: readonly string[];
    change(workspaceId: string, plan: string, recorder: ChangeRecorder): Promise<WorkspaceRow>;
  };
  readonly apiKeys: {
    create(key: {
      workspaceId: string;
      name: string;
      scopes: readonly Scope[];
      recorder: ChangeRecorder;
    }): Promise<CreatedApiKey>;
    list(workspaceId: string, page: PageQuery): Promise<Page<ApiKey>>;
    delete(workspaceId: string, keyId: string, recorder: ChangeRecorder): Promise<void>;
  };
  /** Its admins are the operators: they alone make workspaces, and keys of workspaces that are not theirs. */
  readonly operatorWorkspaceId: string;
}

const keysQuerySchema = idPageQuerySchema.extend({ workspaceId: workspaceIdSchema.optional() });
const workspaceQuerySchema = keysQuerySchema.pick({ workspaceId: true });

export function workspaceRoutes(options: WorkspaceRouteOptions): readonly Route[] {
  const { store, workspaces, plans, apiKeys } = options;
  const workspaceOf = createAdministeredWorkspace(store, options.operatorWorkspaceId);
  const isOperator = (principal: Principal) => principal.workspaceId === options.operatorWorkspaceId;

  function assertOperator(principal: Principal): void {
    if (isOperator(principal)) return;
    throw new YagateError("FORBIDDEN", "expected an admin key of the workspace default");
  }

  function assertPlan(plan: string): void {
    if (plans.names.includes(plan)) return;
    const message = `expected a plan of this gateway, which are ${plans.names.join(", ")}`;
    throw new InvalidRequestError([{ path: "plan", code: "unknown_plan", message }]);
  }

  return [
    defineRoute({
      name: "createWorkspace",
      method: "post",
      path: "/v1/workspaces",
      summary: "Create a workspace with its first signing secret (operators only)",
      tag: "workspaces",
      scopes: ["admin"],
      body: createWorkspaceSchema,
      status: 201,
      response: createdWorkspaceSchema,
      async handle({ principal, recorder, body }) {
        assertOperator(principal);
        assertPlan(body.plan);
        const created = await workspaces.create(body.name, body.plan, recorder);
        options.onWorkspaceCreated(created);
        return { status: 201, body: created };
      },
    }),
    defineRoute({
      name: "listWorkspaces",
      method: "get",
      path: "/v1/workspaces",
      summary: "List the workspaces that the key administers",
      tag: "workspaces",
      scopes: ["admin"],
      query: idPageQuerySchema,
      status: 200,
      response: pageSchema(workspaceSchema),
      async handle({ principal, query }) {
        if (isOperator(principal)) {
          const { data, nextCursor } = await store.list(query);
          return { status: 200, body: { data: data.map(toWorkspace), nextCursor } };
        }
        const own = await store.find(principal.workspaceId);
        return { status: 200, body: { data: own === undefined ? [] : [toWorkspace(own)], nextCursor: null } };
      },
    }),
    defineRoute({
      name: "updateWorkspace",
      method: "patch",
      path: "/v1/workspaces/:id",
      summary: "Change the plan of a workspace (operators only)",
      tag: "workspaces",
      scopes: ["admin"],
      body: updateWorkspaceSchema,
      status: 200,
      response: workspaceSchema,
      async handle({ principal, recorder, params, body }) {
        assertOperator(principal);
        assertPlan(body.plan);
        return { status: 200, body: toWorkspace(await plans.change(params["id"] ?? "", body.plan, recorder)) };
      },
    }),
    defineRoute({
      name: "createApiKey",
      method: "post",
      path: "/v1/api-keys",
      summary: "Create an API key; its text is shown only in this answer",
      tag: "api keys",
      scopes: ["admin"],
      body: createApiKeySchema,
      status: 201,
      response: createdApiKeySchema,
      async handle({ principal, recorder, body: { name, scopes, workspaceId: wanted } }) {
        const workspaceId = await workspaceOf(principal, wanted);
        return { status: 201, body: await apiKeys.create({ workspaceId, name, scopes, recorder }) };
      },
    }),
    defineRoute({
      name: "listApiKeys",
      method: "get",
      path: "/v1/api-keys",
      summary: "List API keys, without their texts",
      tag: "api keys",
      scopes: ["admin"],
      query: keysQuerySchema,
      status: 200,
      response: pageSchema(apiKeySchema),
      handle: async ({ principal, query: { workspaceId, ...page } }) => ({
        status: 200,
        body: await apiKeys.list(await workspaceOf(principal, workspaceId), page),
      }),
    }),
    defineRoute({
      name: "deleteApiKey",
      method: "delete",
      path: "/v1/api-keys/:id",
      summary: "Delete an API key: it is refused from now on",
      tag: "api keys",
      scopes: ["admin"],
      query: workspaceQuerySchema,
      status: 204,
      response: null,
      async handle({ principal, recorder, params, query }) {
        await apiKeys.delete(await workspaceOf(principal, query.workspaceId), params["id"] ?? "", recorder);
        return { status: 204 };
      },
    }),
  ];
}

function toWorkspace({ id, name, plan, createdAt }: WorkspaceRow) {
  return { id, name, plan, createdAt: new Date(createdAt).toISOString() };
}
