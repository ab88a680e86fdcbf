import type { AuthorizationServerMetadata } from "@modelcontextprotocol/client";

/** An MCP server and the issuer that a person named for it. */
export interface OAuthTarget {
  /** The URL of the MCP server. */
  readonly url: string;
  /** The issuer as a person wrote it. No other issuer gets a request. */
  readonly issuer: string;
  /** The `fetch` for the origins of `url` and `issuer`, which may use allowlisted networks. */
  readonly fetch: typeof globalThis.fetch;
  /** The `fetch` for all other places, which servers name: it allows no private network. */
  readonly publicFetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Returns the current time in ms since the epoch. */
  readonly now: () => number;
}

/** What the MCP server and the issuer publish about their authorization. It is JSON. */
export interface OAuthServer {
  /** The resource that tokens are requested for (RFC 8707). It covers the URL of the MCP server. */
  readonly resource: string;
  readonly metadata: AuthorizationServerMetadata;
  /** The scopes that the MCP server asks for; undefined if it names none. */
  readonly scopes?: readonly string[];
}

/** A client as the issuer knows it. It is JSON. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** The redirect URI with which the client was registered dynamically; absent for other clients. */
  readonly registeredFor?: string;
}

/** Tokens of an issuer. It is JSON. */
export interface OAuthTokens {
  readonly accessToken: string;
  /** Absent if the issuer gave none. */
  readonly refreshToken?: string;
  /** When the access token expires, in ms since the epoch; null if the issuer does not say. */
  readonly expiresAt: number | null;
  /** The granted scopes; null if the issuer does not say, because they are the requested ones. */
  readonly scopes: readonly string[] | null;
  /** The account that gave the tokens, as the issuer names it; null if the issuer does not say. Only a label. */
  readonly account: string | null;
}
