import { pageSchema, putSecretSchema, secretNameSchema, secretSchema, toFieldErrors } from "@yagate/protocol";
import type { WorkspaceSecrets } from "@yagate/secrets/workspace-secrets";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { namePageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

export function secretRoutes(secrets: Pick<WorkspaceSecrets, "put" | "list" | "delete">): readonly Route[] {
  const tag = "secrets";
  return [
    defineRoute({
      name: "listSecrets",
      method: "get",
      path: "/v1/secrets",
      summary: "List secrets by name",
      description: "Returns names and settings. No response contains a secret value.",
      tag,
      scopes: ["secrets"],
      query: namePageQuerySchema,
      status: 200,
      response: pageSchema(secretSchema),
      handle: async ({ principal, query }) => ({ status: 200, body: await secrets.list(principal.workspaceId, query) }),
    }),
    defineRoute({
      name: "putSecret",
      method: "put",
      path: "/v1/secrets/:name",
      summary: "Set a secret",
      description:
        "Creates or replaces the secret. No response contains its value. If `auth` or `hosts` is omitted, its current value is kept.",
      tag,
      scopes: ["secrets"],
      body: putSecretSchema,
      status: 200,
      response: secretSchema,
      async handle({ principal, recorder, params, body }) {
        const name = secretNameSchema.safeParse(params["name"]);
        if (!name.success) throw new InvalidRequestError(atName(toFieldErrors(name.error)));
        return { status: 200, body: await secrets.put(principal.workspaceId, name.data, body, recorder) };
      },
    }),
    defineRoute({
      name: "deleteSecret",
      method: "delete",
      path: "/v1/secrets/:name",
      summary: "Delete a secret",
      description: "Requests that need the secret then fail.",
      tag,
      scopes: ["secrets"],
      status: 204,
      response: null,
      async handle({ principal, recorder, params }) {
        await secrets.delete(principal.workspaceId, params["name"] ?? "", recorder);
        return { status: 204 };
      },
    }),
  ];
}

function atName(fields: ReturnType<typeof toFieldErrors>): ReturnType<typeof toFieldErrors> {
  return fields.map((field) => ({ ...field, path: "name" }));
}
