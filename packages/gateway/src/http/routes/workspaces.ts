import {
  type CreatedWorkspace,
  createdWorkspaceSchema,
  createWorkspaceSchema,
  pageSchema,
  updateWorkspaceSchema,
  workspaceSchema,
  YagateError,
} from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/api-keys";
import type { ChangeRecorder, WorkspaceRow, WorkspaceStore } from "@yagate/store/port";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { idPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

export interface WorkspaceRouteOptions {
  readonly store: Pick<WorkspaceStore, "find" | "list">;
  readonly workspaces: { create(name: string, plan: string, recorder: ChangeRecorder): Promise<CreatedWorkspace> };
  readonly onWorkspaceCreated: (workspace: CreatedWorkspace) => void;
  readonly plans: {
    readonly names: readonly string[];
    change(workspaceId: string, plan: string, recorder: ChangeRecorder): Promise<WorkspaceRow>;
  };
  /** Names of the workspaces in which calls may be redelivered to any URL. */
  readonly developmentWorkspaces: readonly string[];
  /** The workspace whose admin keys belong to operators. Only operators may create workspaces. */
  readonly operatorWorkspaceId: string;
}

export function workspaceRoutes(options: WorkspaceRouteOptions): readonly Route[] {
  const { store, workspaces, plans } = options;
  const toWorkspace = ({ id, name, plan, createdAt }: WorkspaceRow) => ({
    ...{ id, name, plan, createdAt: new Date(createdAt).toISOString() },
    development: options.developmentWorkspaces.includes(name),
  });
  const isOperator = (principal: Principal) => principal.workspaceId === options.operatorWorkspaceId;

  function assertOperator(principal: Principal): void {
    if (isOperator(principal)) return;
    throw new YagateError("FORBIDDEN", "expected an admin key of the workspace default");
  }

  function assertPlan(plan: string): void {
    if (plans.names.includes(plan)) return;
    const message = `expected a plan of this gateway: ${plans.names.join(", ")}`;
    throw new InvalidRequestError([{ path: "plan", code: "UNKNOWN_PLAN", message }]);
  }

  return [
    defineRoute({
      name: "createWorkspace",
      method: "post",
      path: "/v1/workspaces",
      summary: "Create a workspace",
      description:
        "For operators, who have an API key of the workspace `default` with the scope `admin`. The workspace's first signing secret is shown only in this response.",
      tag: "workspaces",
      scopes: ["admin"],
      problems: ["CONFLICT"],
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
      summary: "List workspaces",
      description: "Operators see all workspaces. Other admin keys see only their own.",
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
      summary: "Change a workspace's plan",
      description: "For operators. The plan sets the quotas and the limits of tool calls.",
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
  ];
}
