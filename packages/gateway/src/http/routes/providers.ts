import type { ProviderCheck, ProviderSecret } from "@yagate/models/provider-url-check";
import { pageSchema, providerSchema, putProviderSchema, secretNameOf, toWarning, type Warning } from "@yagate/protocol";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import type { Principal } from "../../secrets/principal.ts";
import type { ProviderCredentials } from "../../secrets/provider-credentials.ts";
import { withWarnings } from "../../workspace-tools/with-warnings.ts";
import { namePageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ProviderRouteOptions {
  readonly providers: Pick<ProviderCredentials, "assertMayPut" | "put" | "get" | "list" | "delete">;
  readonly check: ProviderCheck;
  /** Undefined where the workspace has no such secret. */
  readonly hostsOf: (workspaceId: string, secretName: string) => Promise<readonly string[] | undefined>;
}

export function providerRoutes({ providers, check, hostsOf }: ProviderRouteOptions): readonly Route[] {
  const tag = "providers";
  const permissionOf = ({ scopes }: Principal) => ({ mayChangeUrl: scopes.has("admin") });
  return [
    defineRoute({
      name: "listProviders",
      method: "get",
      path: "/v1/providers",
      summary: "List the model providers that the workspace configured for itself, by name",
      description: "Model providers that are configured for the gateway as a whole are not listed.",
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
      description: "The response names the secret with the key, never the key.",
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
      summary:
        "Set a model provider of the workspace; replaces the gateway's own of that name. Another baseUrl than it has, or none any more, needs the scope admin too",
      description:
        "The key itself is a workspace secret. Changing `baseUrl` needs the scope `admin` too, since requests with the key go there.",
      tag,
      scopes: ["secrets"],
      problems: ["CONFLICT"],
      body: putProviderSchema,
      status: 200,
      response: providerSchema,
      async handle({ principal, recorder, params, body: { apiKey, baseUrl } }) {
        const name = params["name"] ?? "";
        const { workspaceId } = principal;
        const secretName = secretNameOf(apiKey);
        const permission = permissionOf(principal);
        await providers.assertMayPut(workspaceId, { name, baseUrl: baseUrl ?? null }, permission);
        const secret = { name: secretName, hosts: await hostsOf(workspaceId, secretName) };
        const problems = await check(name, baseUrl, secret);
        if (problems.length > 0) throw new InvalidRequestError(problems.map((problem) => ({ ...problem })));
        const provider = { name, secretName, baseUrl: baseUrl ?? null };
        const saved = await providers.put(workspaceId, provider, permission, recorder);
        return { status: 200, body: withWarnings(saved, warningsOf(name, secret)) };
      },
    }),
    defineRoute({
      name: "deleteProvider",
      method: "delete",
      path: "/v1/providers/:name",
      summary:
        "Delete a model provider of the workspace; the gateway's own of that name, if any, serves it again. One with a baseUrl needs the scope admin too",
      description: "The gateway's own provider of that name, if it has one, serves the workspace again.",
      tag,
      scopes: ["secrets"],
      status: 204,
      response: null,
      async handle({ principal, recorder, params }) {
        const permission = permissionOf(principal);
        await providers.delete(principal.workspaceId, params["name"] ?? "", permission, recorder);
        return { status: 204 };
      },
    }),
  ];
}

/** A key may be set after its provider, so that a provider without one is saved. */
function warningsOf(provider: string, { name, hosts }: ProviderSecret): readonly Warning[] {
  if (hosts !== undefined) return [];
  const message = `the workspace has no secret ${name}: every turn of a model of ${provider} fails until it is set with \`yagate secret set ${name}\``;
  return [toWarning("UNKNOWN_SECRET", "apiKey", message)];
}
