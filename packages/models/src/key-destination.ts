import { hostIsBound } from "@yagate/lib/hosts/destination-list";
import { hostNameOf } from "@yagate/lib/hosts/host-name";
import { ModelTurnError } from "./port.ts";
import { isProvidersOwn } from "./provider-urls.ts";

/** Where the key of a workspace is about to go. */
export interface KeyDestination {
  readonly provider: string;
  readonly secretName: string;
  /** Of the secret. */
  readonly hosts: readonly string[];
  readonly url: string;
  /** The workspace wrote the URL: it is neither the provider's own address nor the operator's. */
  readonly isWorkspaceUrl: boolean;
}

/**
 * Why a key may not go there; undefined: it may. A secret with hosts goes to those alone; one without goes to the hosts
 * of its provider, and to the base URL that the operator gave that provider, but to none that the workspace wrote.
 */
export function keyDestinationProblem({ provider, secretName, hosts, url, isWorkspaceUrl }: KeyDestination) {
  const parsed = new URL(url);
  const host = hostNameOf(parsed);
  const isOwn = !isWorkspaceUrl || (parsed.protocol === "https:" && isProvidersOwn(provider, url));
  if (hosts.length === 0 ? isOwn : hostIsBound(host, hosts)) return undefined;
  // The command replaces the list.
  const options = [...hosts, host].map((one) => ` --host ${one}`).join("");
  return (
    `the workspace secret ${secretName} may not be sent to ${host}; ` +
    `add the host to the secret with \`yagate secret set ${secretName}${options}\``
  );
}

/**
 * A `fetch` that lets requests pass below the base URL alone, which was judged before: the key goes along. Some SDKs write
 * the name of the model into the path as it is, and a name may hold `..`.
 */
export function belowBaseUrl(fetch: typeof globalThis.fetch, baseUrl: string): typeof globalThis.fetch {
  const { origin, pathname } = new URL(baseUrl);
  const folder = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return async (input, init) => {
    const url = URL.parse(typeof input === "object" && "url" in input ? input.url : String(input));
    if (url?.origin === origin && url.pathname.startsWith(folder)) return fetch(input, init);
    throw new ModelTurnError(
      "MODEL_ERROR",
      "expected the name of a model that stays below the provider's base URL; nothing was sent",
    );
  };
}
