import * as z from "zod";
import { defineRoute, type Route } from "../route.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** A route that accepts OAuth access tokens, as its metadata describes it (RFC 9728). */
export interface ProtectedResource {
  /** The path of the route. */
  readonly path: string;
  /** The URL of the route as clients know it. Tokens have it as their audience. */
  readonly url: string;
  /** The authorization servers whose tokens the route accepts. */
  readonly issuers: readonly string[];
}

/**
 * Returns the URL of a resource's metadata. It follows a prefix in the path of the gateway's URL, as the route does.
 */
export function metadataUrlOf({ path, url }: ProtectedResource): string {
  return `${url.slice(0, -path.length)}${WELL_KNOWN}${path}`;
}

/**
 * Creates the routes of the metadata: at the path that RFC 9728 names, and without the resource's path, where some
 * clients look.
 */
export function protectedResourceRoutes({ path, url, issuers }: ProtectedResource): readonly Route[] {
  const body = {
    ...{ resource: url, resource_name: "Yagate" },
    ...{ authorization_servers: issuers, bearer_methods_supported: ["header"] },
  };
  const places = { getProtectedResource: `${WELL_KNOWN}${path}`, getOnlyProtectedResource: WELL_KNOWN };
  return Object.entries(places).map(([name, place]) =>
    defineRoute({
      ...{ name, method: "get", path: place, summary: "Get the metadata of the OAuth resource /mcp" },
      ...{ tag: "executions", scopes: null, isUndocumented: true, status: 200 },
      response: z.looseObject({ resource: z.string() }),
      handle: async () => ({ status: 200, body }),
    }),
  );
}
