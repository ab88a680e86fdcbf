import { setTimeout as sleep } from "node:timers/promises";
import { assertUnchanged, discoverOAuth, isForResource } from "@yagate/mcp/oauth/discover";
import { OAuthFailure, refused } from "@yagate/mcp/oauth/oauth-failure";
import type { OAuthServer, OAuthTarget, OAuthTokens } from "@yagate/mcp/oauth/port";
import { refreshTokens, requestClientTokens } from "@yagate/mcp/oauth/tokens";
import type { OAuthGrantStore } from "@yagate/store/port";
import type { OAuthReach, OAuthSource } from "./oauth-source.ts";
import type { OpenedGrant, StoredGrants } from "./stored-grants.ts";

/** A token for requests to an MCP server. It must not be logged. */
export interface AccessToken {
  readonly token: string;
  /** Identifies the tokens. Increases with each renewal. */
  readonly revision: number;
}

/** The access tokens of all MCP sources. Methods throw OAuthFailure if there is no token. */
export interface AccessTokens {
  /** Returns a token that has not expired. Renews it first if necessary. */
  current(source: OAuthSource): Promise<AccessToken>;
  /**
   * Returns a token that is newer than the one that the server has rejected.
   * @param rejected - the revision of the rejected token.
   */
  renewed(source: OAuthSource, rejected: number): Promise<AccessToken>;
}

export interface AccessTokensOptions {
  readonly store: OAuthGrantStore;
  readonly grants: StoredGrants;
  readonly reach: OAuthReach;
  readonly now: () => number;
  readonly newRenewalId: () => string;
  /** Waits between two checks of another process's renewal. Tests replace it. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** A token that expires within this time is renewed before it is sent, in ms. */
const EXPIRY_MARGIN_MS = 30_000;
/** Maximum duration of a renewal in ms. */
const RENEWAL_MS = 25_000;
/** How long other processes leave a renewal to the process that started it, in ms. */
const RIGHT_MS = 30_000;
const LOOK_EVERY_MS = 100;
const MAX_LOOKS = 350;

const SIGN_IN = "sign in with yagate sources login, or POST /v1/tool-sources/:id/login";

export function createAccessTokens(options: AccessTokensOptions): AccessTokens {
  const { store, grants, reach, now, newRenewalId, pause = (ms) => sleep(ms) } = options;
  /** Renewals of this process: requests that need one at the same time share it. */
  const renewals = new Map<string, Promise<AccessToken>>();

  async function find(source: OAuthSource): Promise<OpenedGrant | undefined> {
    const grant = await grants.find(source, source.oauth.issuer);
    if (grant === undefined) return undefined;
    // A definition that was accepted for another URL must not carry this token there.
    if (!isForResource(source.url, grant.server)) return undefined;
    return grant;
  }

  /** Creates the grant of a source that signs in by itself. */
  async function begin(source: OAuthSource): Promise<OpenedGrant> {
    const { issuer, grant, clientId } = source.oauth;
    if (grant !== "client_credentials" || clientId === undefined) throw signedOut();
    const server = await discoverOAuth(reach.targetOf(source, AbortSignal.timeout(RENEWAL_MS)));
    await store.create(await grants.toRow(source, issuer, { client: { id: clientId }, server, tokens: null }));
    const created = await find(source);
    if (created === undefined) throw refused("the tool source was changed or deleted in the meantime");
    return created;
  }

  function renew(source: OAuthSource, revision: number): Promise<AccessToken> {
    const key = `${source.sourceId} ${revision}`;
    const known = renewals.get(key);
    if (known !== undefined) return known;
    const renewal = renewAlone(source, revision).finally(() => renewals.delete(key));
    renewals.set(key, renewal);
    return renewal;
  }

  /** Renews the tokens of a revision, unless another process does. */
  async function renewAlone(source: OAuthSource, revision: number): Promise<AccessToken> {
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      const grant = await find(source);
      if (grant === undefined) throw signedOut();
      if (grant.revision !== revision) return toToken(grant);
      if (!isRenewable(source, grant)) throw signedOut();
      const right = { sourceId: source.sourceId, revision, renewal: newRenewalId() };
      const at = now();
      if (await store.startRenewal(right, { now: at, until: at + RIGHT_MS })) return request(source, grant, right);
      await pause(LOOK_EVERY_MS);
    }
    throw new OAuthFailure("SOURCE_UNREACHABLE", "another process has been renewing the tokens for too long");
  }

  async function request(
    source: OAuthSource,
    grant: OpenedGrant,
    right: Parameters<OAuthGrantStore["cancelRenewal"]>[0],
  ): Promise<AccessToken> {
    const { issuer } = source.oauth;
    const { client, server: pinned } = grant;
    try {
      const target = reach.targetOf(source, AbortSignal.timeout(RENEWAL_MS));
      const server = await discoverOAuth(target);
      // A client's own secret is bound to the hosts that may get it. A refresh token is bound to those of the sign-in.
      if (source.oauth.grant === "authorization_code") assertUnchanged(pinned, server);
      const tokens = await requestTokens(source, target, server, grant);
      const row = await grants.toRow(source, issuer, { client, server, tokens });
      if (!(await store.finishRenewal(right, row))) {
        throw refused("the tool source was changed, or signed in again, in the meantime", "try again");
      }
      return { token: tokens.accessToken, revision: right.revision + 1 };
    } catch (error) {
      if (error instanceof OAuthFailure && error.isGrantInvalid && source.oauth.grant === "authorization_code") {
        await store.finishRenewal(right, await grants.toRow(source, issuer, { client, server: pinned, tokens: null }));
      } else {
        await store.cancelRenewal(right);
      }
      throw error;
    }
  }

  async function requestTokens(
    source: OAuthSource,
    target: OAuthTarget,
    server: OAuthServer,
    grant: OpenedGrant,
  ): Promise<OAuthTokens> {
    const client = await reach.withSecret(source, server, grant.client);
    const { id, secret } = client;
    if (source.oauth.grant === "client_credentials") {
      if (secret === undefined) throw refused("the client has no secret", "set auth.oauth.clientSecret");
      return requestClientTokens(target, server, { client: { id, secret }, scopes: source.oauth.scopes });
    }
    const { tokens } = grant;
    if (tokens?.refreshToken === undefined) throw signedOut();
    return refreshTokens(target, server, { client, tokens: { ...tokens, refreshToken: tokens.refreshToken } });
  }

  return {
    async current(source) {
      const grant = (await find(source)) ?? (await begin(source));
      const { tokens, revision } = grant;
      const isLive = tokens !== null && (tokens.expiresAt ?? Infinity) - EXPIRY_MARGIN_MS > now();
      return isLive ? toToken(grant) : renew(source, revision);
    },
    renewed: (source, rejected) => renew(source, rejected),
  };
}

function isRenewable({ oauth }: OAuthSource, { tokens }: OpenedGrant): boolean {
  return oauth.grant === "client_credentials" || tokens?.refreshToken !== undefined;
}

function toToken({ tokens, revision }: OpenedGrant): AccessToken {
  if (tokens === null) throw signedOut();
  return { token: tokens.accessToken, revision };
}

function signedOut(): OAuthFailure {
  return refused("the tool source is not signed in to its MCP server", SIGN_IN);
}
