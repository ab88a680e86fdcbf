import { pageSchema, providerSchema, putProviderSchema, secretNameOf } from "@yagate/protocol";
import type { ProviderCheck } from "../../models/provider-url-check.ts";
import type { ProviderCredentials } from "../../secrets/provider-credentials.ts";
import { namePageQuerySchema } from "../paging.ts";
import { InvalidRequestError } from "../problem.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ProviderRouteOptions {
  readonly providers: Pick<ProviderCredentials, "put" | "get" | "list" | "delete">;
  readonly check: ProviderCheck;
}

export function providerRoutes({ providers, check }: ProviderRouteOptions): readonly Route[] {
  const tag = "providers";
  return [
    defineRoute({
      name: "listProviders",
      method: "get",
      path: "/v1/providers",
      summary: "List the model providers that the workspace configured for itself, by name",
      tag,
      scopes: ["secrets"],
      query: namePageQuerySchema,
      status: 200,
      response: pageSchema(providerSchema),
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await providers.list(principal.workspaceId, query),
      }),
    }),
    defineRoute({
      name: "getProvider",
      method: "get",
      path: "/v1/providers/:name",
      summary: "Read a model provider of the workspace",
      tag,
      scopes: ["secrets"],
      status: 200,
      response: providerSchema,
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await providers.get(principal.workspaceId, params["name"] ?? ""),
      }),
    }),
    defineRoute({
      name: "putProvider",
      method: "put",
      path: "/v1/providers/:name",
      summary: "Set a model provider of the workspace; replaces the gateway's own of that name",
      tag,
      scopes: ["secrets"],
      body: putProviderSchema,
      status: 200,
      response: providerSchema,
      async handle({ principal, recorder, params, body: { apiKey, baseUrl } }) {
        const name = params["name"] ?? "";
        const problems = await check(name, baseUrl);
        if (problems.length > 0) throw new InvalidRequestError(problems.map((problem) => ({ ...problem })));
        const provider = { name, secretName: secretNameOf(apiKey), baseUrl: baseUrl ?? null };
        return { status: 200, body: await providers.put(principal.workspaceId, provider, recorder) };
      },
    }),
    defineRoute({
      name: "deleteProvider",
      method: "delete",
      path: "/v1/providers/:name",
      summary: "Delete a model provider of the workspace; the gateway's own of that name, if any, serves it again",
      tag,
      scopes: ["secrets"],
      status: 204,
      response: null,
      async handle({ principal, recorder, params }) {
        await providers.delete(principal.workspaceId, params["name"] ?? "", recorder);
        return { status: 204 };
      },
    }),
  ];
}
