import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { ModelTurnError } from "./port.ts";
import { isProvidersOwn } from "./provider-urls.ts";

/** The key of a workspace, and the URL to which it would be sent. */
export interface KeyDestination {
  readonly provider: string;
  readonly secretName: string;
  /** The hosts that may receive the key; empty if the secret lists none. */
  readonly hosts: readonly string[];
  readonly url: string;
  /** Whether the workspace set the URL. Otherwise, the URL is the provider's own or the operator's. */
  readonly isWorkspaceUrl: boolean;
}

/**
 * Returns the reason why a key must not be sent to a URL; undefined if it may be sent. A secret with hosts is sent only
 * to these hosts. A secret without hosts is sent to the hosts of its provider and to the operator's base URL for that
 * provider, but never to a URL that the workspace set.
 */
export function keyDestinationProblem({ provider, secretName, hosts, url, isWorkspaceUrl }: KeyDestination) {
  const parsed = new URL(url);
  const host = hostNameOf(parsed);
  const isOwn = !isWorkspaceUrl || (parsed.protocol === "https:" && isProvidersOwn(provider, url));
  if (hosts.length === 0 ? isOwn : hostIsBound(host, hosts)) return undefined;
  // `--host` replaces the list, so the command repeats the existing hosts.
  const options = [...hosts, host].map((one) => ` --host ${one}`).join("");
  return (
    `the workspace secret ${secretName} may not be sent to ${host}; ` +
    `add the host to the secret with \`yagate secret set ${secretName}${options}\``
  );
}

/**
 * Wraps `fetch` so that it allows only requests under the base URL, whose host has been checked. Some SDKs put the
 * model's name into the path without escaping it, and the name may contain `..`.
 */
export function belowBaseUrl(fetch: typeof globalThis.fetch, baseUrl: string): typeof globalThis.fetch {
  const { origin, pathname } = new URL(baseUrl);
  const folder = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return async (input, init) => {
    const url = URL.parse(typeof input === "object" && "url" in input ? input.url : String(input));
    if (url?.origin === origin && url.pathname.startsWith(folder)) return fetch(input, init);
    throw new ModelTurnError(
      "MODEL_ERROR",
      "expected a model name that does not leave the path of the provider's base URL; the request was not sent",
    );
  };
}
