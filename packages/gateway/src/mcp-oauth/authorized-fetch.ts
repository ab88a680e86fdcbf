import type { AccessToken } from "./access-tokens.ts";

/** The tokens of one connection. */
export interface ConnectionTokens {
  readonly first: AccessToken;
  /**
   * Returns a newer token than the rejected one; undefined if there is none.
   * @param rejected - the revision of the rejected token.
   */
  readonly renewed: (rejected: number) => Promise<AccessToken | undefined>;
}

type Fetch<Rest extends readonly unknown[]> = (
  input: string | URL,
  init?: RequestInit,
  ...rest: Rest
) => Promise<Response>;

const UNAUTHORIZED = 401;

/**
 * Adds an access token to each request of one connection. If the server rejects the token, the request is sent once
 * more with a newer one: a server does nothing before it has accepted the token.
 */
export function createAuthorizedFetch<Rest extends readonly unknown[]>(
  fetch: Fetch<Rest>,
  { first, renewed }: ConnectionTokens,
): Fetch<Rest> {
  let latest = first;
  return async (input, init = {}, ...rest) => {
    const send = ({ token }: AccessToken) => {
      const headers = new Headers(init.headers);
      headers.set("authorization", `Bearer ${token}`);
      return fetch(input, { ...init, headers }, ...rest);
    };
    const used = latest;
    const response = await send(used);
    if (response.status !== UNAUTHORIZED) return response;
    const next = latest === used ? await renewed(used.revision) : latest;
    if (next === undefined) return response;
    latest = next;
    await response.body?.cancel();
    return send(next);
  };
}
