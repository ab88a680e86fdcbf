import type { ProviderCheck, ProviderSecret } from "@yagate/models/provider-url-check";
import { pageSchema, providerSchema, putProviderSchema, secretNameOf, toWarning, type Warning } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { ProviderCredentials } from "@yagate/secrets/provider-credentials";
import { InvalidRequestError } from "../../errors/request-errors.ts";
import { withWarnings } from "../../workspace-tools/with-warnings.ts";
import { namePageQuerySchema } from "../requests/paging.ts";
import { defineRoute, type Route } from "../route.ts";

export interface ProviderRouteOptions {
  readonly providers: Pick<ProviderCredentials, "assertMayPut" | "put" | "get" | "list" | "delete">;
  readonly check: ProviderCheck;
  /** Returns the hosts of a secret; undefined if the workspace has no such secret. */
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
      summary: "List the workspace's model providers by name",
      description: "Lists only the providers that the workspace configured, not those of the gateway.",
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
      summary: "Get a model provider of the workspace",
      description:
        "The response contains the name of the secret for the provider's API key. It never contains the key.",
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
      summary: "Set a model provider of the workspace",
      description:
        "Replaces the gateway's provider of that name for this workspace. The provider's API key is stored as a workspace secret. Changing or removing `baseUrl` also requires the scope `admin`, because requests with the key are sent there.",
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
      summary: "Delete a model provider of the workspace",
      description:
        "The workspace then uses the gateway's provider of that name, if there is one. Deleting a provider with a `baseUrl` also requires the scope `admin`.",
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

/** Warns about a missing secret. It is not an error, because the secret may be set after the provider. */
function warningsOf(provider: string, { name, hosts }: ProviderSecret): readonly Warning[] {
  if (hosts !== undefined) return [];
  const message = `the workspace has no secret ${name}: every model turn of ${provider} fails until you set it with \`yagate secret set ${name}\``;
  return [toWarning("UNKNOWN_SECRET", "apiKey", message)];
}
