import type { OAuthTokens as SdkTokens } from "@modelcontextprotocol/client";
import { isJsonObject } from "@yagate/lib/json/json-object";
import { defined } from "@yagate/lib/objects/defined";
import { cutText } from "@yagate/lib/text/cut-text";
import { removeInvisible } from "@yagate/protocol";
import { inStep, OAuthFailure } from "./oauth-failure.ts";
import { createOAuthRequests } from "./oauth-fetch.ts";
import type { OAuthClient, OAuthServer, OAuthTarget, OAuthTokens } from "./port.ts";

/** Maximum length of a token in characters. */
const MAX_TOKEN_LENGTH = 16_384;
/** A lifetime that is longer says nothing: 366 days, in seconds. */
const MAX_LIFETIME_S = 31_622_400;
const ACCOUNT_CLAIMS = ["email", "preferred_username", "name", "sub"] as const;
const MAX_ACCOUNT_LENGTH = 200;

/**
 * Exchanges a refresh token for new tokens.
 *
 * @throws OAuthFailure; `isGrantInvalid` if the refresh token no longer works.
 */
export async function refreshTokens(
  target: OAuthTarget,
  { metadata, resource }: OAuthServer,
  {
    client,
    tokens,
  }: { readonly client: OAuthClient; readonly tokens: OAuthTokens & { readonly refreshToken: string } },
): Promise<OAuthTokens> {
  const sdk = await import("@modelcontextprotocol/client");
  return inStep("the token renewal", async () => {
    const renewed = await sdk.refreshAuthorization(metadata.issuer, {
      ...{ metadata, refreshToken: tokens.refreshToken, resource },
      clientInformation: { client_id: client.id, ...defined({ client_secret: client.secret }) },
      fetchFn: createOAuthRequests(target).fetch,
    });
    const { account, scopes } = tokens;
    const next = toTokens(renewed, target.now());
    return { ...next, account: next.account ?? account, scopes: next.scopes ?? scopes };
  });
}

/** Requests tokens with the client's own credentials. */
export async function requestClientTokens(
  target: OAuthTarget,
  { metadata, resource }: OAuthServer,
  {
    client,
    scopes,
  }: { readonly client: Required<Pick<OAuthClient, "id" | "secret">>; readonly scopes: readonly string[] | undefined },
): Promise<OAuthTokens> {
  const sdk = await import("@modelcontextprotocol/client");
  const { id: clientId, secret: clientSecret } = client;
  const provider = new sdk.ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: metadata.issuer });
  return inStep("the token request", async () => {
    const tokens = await sdk.fetchToken(provider, metadata.issuer, {
      ...{ metadata, resource, fetchFn: createOAuthRequests(target).fetch },
      ...defined({ scope: scopes?.join(" ") }),
    });
    const { refreshToken: _unneeded, ...rest } = toTokens(tokens, target.now());
    return rest;
  });
}

/**
 * Checks the tokens of a response.
 *
 * @throws OAuthFailure if the gateway cannot use them.
 */
export function toTokens(response: SdkTokens, now: number): OAuthTokens {
  const { access_token: accessToken, refresh_token, token_type, expires_in, scope, id_token } = response;
  if (token_type.toLowerCase() !== "bearer") throw unusable("expected tokens of the type Bearer");
  const refreshToken = refresh_token === "" ? undefined : refresh_token;
  for (const token of [accessToken, ...(refreshToken === undefined ? [] : [refreshToken])]) {
    if (token.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(token)) continue;
    throw unusable(`expected tokens of 1 to ${MAX_TOKEN_LENGTH} visible ASCII characters`);
  }
  const hasLifetime = expires_in !== undefined && expires_in >= 0 && expires_in <= MAX_LIFETIME_S;
  return {
    ...{ accessToken, ...defined({ refreshToken }) },
    expiresAt: hasLifetime ? now + Math.floor(expires_in * 1_000) : null,
    scopes: scope === undefined ? null : scope.split(" ").filter((one) => one !== ""),
    account: accountOf(id_token),
  };
}

function unusable(expected: string): OAuthFailure {
  return new OAuthFailure("SOURCE_UNREACHABLE", `the issuer's tokens: ${expected}`);
}

/**
 * Reads the account from an id token. It came directly from the issuer, and the account decides nothing, so the
 * signature is not checked (OpenID Connect Core, section 3.1.3.7).
 */
function accountOf(idToken: string | undefined): string | null {
  const [, payload = ""] = idToken?.split(".") ?? [];
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    const named = isJsonObject(claims) ? ACCOUNT_CLAIMS.map((claim) => claims[claim]) : [];
    const account = named.find((claim) => typeof claim === "string" && claim !== "");
    return typeof account === "string" ? cutText(removeInvisible(account), MAX_ACCOUNT_LENGTH) : null;
  } catch {
    return null;
  }
}
