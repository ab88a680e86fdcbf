import { defined } from "@yagate/lib/objects/defined";
import {
  apiKeySchema,
  createApiKeySchema,
  createdApiKeySchema,
  pageSchema,
  rotateApiKeySchema,
  updateApiKeySchema,
  workspaceIdSchema,
} from "@yagate/protocol";
import type { ApiKeys } from "@yagate/secrets/api-keys";
import type { WorkspaceStore } from "@yagate/store/port";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { createAdministeredWorkspace } from "../requests/administered-workspace.ts";
import { idPageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ApiKeyRouteOptions {
  readonly apiKeys: Pick<ApiKeys, "create" | "list" | "update" | "rotate" | "delete">;
  readonly workspaces: Pick<WorkspaceStore, "find">;
  /** The workspace whose admin keys may create, change and delete keys of any workspace. */
  readonly operatorWorkspaceId: string;
  /** @throws InvalidRequestError for an intent that neither the gateway nor the workspace has. */
  readonly assertIntents: (workspaceId: string, intents: readonly string[] | undefined) => Promise<void>;
  readonly now: () => number;
}

const keysQuerySchema = idPageQuerySchema.extend({ workspaceId: workspaceIdSchema.optional() });
const workspaceQuerySchema = keysQuerySchema.pick({ workspaceId: true });

export function apiKeyRoutes(options: ApiKeyRouteOptions): readonly Route[] {
  const { apiKeys, workspaces, operatorWorkspaceId, assertIntents, now } = options;
  const workspaceOf = createAdministeredWorkspace(workspaces, operatorWorkspaceId);
  const tag = "api keys";
  const scopes = ["admin"] as const;
  return [
    defineRoute({
      name: "createApiKey",
      method: "post",
      path: "/v1/api-keys",
      summary: "Create an API key",
      description: "The key itself is shown only in this response. Operators may specify another workspace.",
      tag,
      scopes,
      problems: ["NOT_FOUND"],
      body: createApiKeySchema,
      status: 201,
      response: createdApiKeySchema,
      async handle({ principal, recorder, body }) {
        const { workspaceId: wanted, expiresAt, routing = null, ...key } = body;
        const workspaceId = await workspaceOf(principal, wanted);
        const ends = toMoment(expiresAt) ?? null;
        if (ends !== null && ends <= now()) throw expiredAlready();
        await assertIntents(workspaceId, routing?.intents);
        const created = await apiKeys.create({ workspaceId, ...key, expiresAt: ends, routing, recorder });
        return { status: 201, body: created };
      },
    }),
    defineRoute({
      name: "listApiKeys",
      method: "get",
      path: "/v1/api-keys",
      summary: "List API keys",
      description: "The response never contains the keys themselves. Operators may specify another workspace.",
      tag,
      scopes,
      problems: ["NOT_FOUND"],
      query: keysQuerySchema,
      status: 200,
      response: pageSchema(apiKeySchema),
      handle: async ({ principal, query: { workspaceId, ...page } }) => ({
        status: 200,
        body: await apiKeys.list(await workspaceOf(principal, workspaceId), page),
      }),
    }),
    defineRoute({
      name: "updateApiKey",
      method: "patch",
      path: "/v1/api-keys/:id",
      summary: "Update an API key",
      description:
        "Changes the name, the expiry or the routing limits. Omitted fields keep their values. Scopes cannot be changed: create another key instead.",
      tag,
      scopes,
      query: workspaceQuerySchema,
      body: updateApiKeySchema,
      status: 200,
      response: apiKeySchema,
      async handle({ principal, recorder, params, query, body: { name, expiresAt, routing } }) {
        const workspaceId = await workspaceOf(principal, query.workspaceId);
        const ends = toMoment(expiresAt);
        await assertIntents(workspaceId, routing?.intents);
        const change = {
          ...defined({ name, expiresAt: ends, routing }),
        };
        return { status: 200, body: await apiKeys.update(workspaceId, params["id"] ?? "", change, recorder) };
      },
    }),
    defineRoute({
      name: "deleteApiKey",
      method: "delete",
      path: "/v1/api-keys/:id",
      summary: "Delete an API key",
      description:
        "This gateway rejects the key immediately, other replicas within seconds. Executions that the key started continue.",
      tag,
      scopes,
      query: workspaceQuerySchema,
      status: 204,
      response: null,
      async handle({ principal, recorder, params, query }) {
        await apiKeys.delete(await workspaceOf(principal, query.workspaceId), params["id"] ?? "", recorder);
        return { status: 204 };
      },
    }),
    defineRoute({
      name: "rotateApiKey",
      method: "post",
      path: "/v1/api-keys/:id/rotate",
      summary: "Rotate an API key",
      description:
        "Issues a new key with the same id, name and scopes. The new key is shown only in this response. The previous key stays valid during the overlap.",
      tag,
      scopes,
      query: workspaceQuerySchema,
      body: rotateApiKeySchema.prefault({}),
      status: 200,
      response: createdApiKeySchema,
      async handle({ principal, recorder, params, query, body: { overlapSeconds } }) {
        const workspaceId = await workspaceOf(principal, query.workspaceId);
        return {
          status: 200,
          body: await apiKeys.rotate(workspaceId, params["id"] ?? "", overlapSeconds, recorder),
        };
      },
    }),
  ];
}

function toMoment(timestamp: string | null | undefined): number | null | undefined {
  return typeof timestamp === "string" ? Date.parse(timestamp) : timestamp;
}

function expiredAlready(): InvalidRequestError {
  return new InvalidRequestError([
    { path: "expiresAt", code: "IN_THE_PAST", message: "expected a time in the future" },
  ]);
}
