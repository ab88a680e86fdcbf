import { createHash, randomBytes } from "node:crypto";
import { defined } from "@yagate/lib/objects/defined";
import { chooseClient, clientMetadata } from "@yagate/mcp/oauth/client-identity";
import { discoverOAuth } from "@yagate/mcp/oauth/discover";
import type { OAuthClient, OAuthServer, OAuthTokens } from "@yagate/mcp/oauth/port";
import { type AuthorizationResponse, createAuthorizationRequest, redeemCode } from "@yagate/mcp/oauth/sign-in";
import { type StartedLogin, YagateError } from "@yagate/protocol";
import type { SealContext, Sealer } from "@yagate/secrets/seal";
import type { AuditSubject, ChangeRecorder, OAuthGrantRow, OAuthSignInRow, OAuthSignInStore } from "@yagate/store/port";
import { InvalidRequestError } from "../errors/request-errors.ts";
import type { OAuthReach, OAuthSource } from "./oauth-source.ts";
import { isSameCode, newSignInCode } from "./sign-in-code.ts";
import type { StoredGrants } from "./stored-grants.ts";

/** What the browser shows after the issuer has sent it back. */
export type CallbackOutcome =
  | { readonly kind: "code"; readonly code: string }
  /** The browser's session started the sign-in, so no code has to connect the two: it can be confirmed at once. */
  | { readonly kind: "proven"; readonly workspaceId: string; readonly sourceId: string; readonly code: string }
  /** The state is unknown, was used, or has expired. */
  | { readonly kind: "expired" }
  | { readonly kind: "failed" };

/** Who starts a sign-in. */
export interface SignInStarter {
  /** The API key of the request. Only this key can confirm the sign-in. */
  readonly keyId: string | null;
  /** The console session of the request. The issuer's response is then accepted only from this session. */
  readonly sessionId?: string | undefined;
}

/** Sign-ins to the MCP servers of tool sources, with a person's account. */
export interface SignIns {
  /**
   * Starts a sign-in, which replaces an earlier one of the source.
   * @throws OAuthFailure; YagateError `NOT_CONFIGURED` if browsers cannot reach the gateway.
   */
  start(source: OAuthSource, starter: SignInStarter, signal: AbortSignal): Promise<StartedLogin>;
  /** Returns the document that identifies the gateway to issuers; undefined if they cannot reach the gateway. */
  clientDocument(): Promise<Readonly<Record<string, unknown>> | undefined>;
  /**
   * Handles the issuer's response, which a browser brings. A state works once.
   * @param browser - `sessionId`: the console session of the browser; undefined if it has none.
   */
  receive(state: string, response: AuthorizationResponse, browser: ResponseBringer): Promise<CallbackOutcome>;
  /**
   * Confirms that the person in the browser started the sign-in, and stores the tokens.
   * @throws InvalidRequestError for another code; YagateError `CONFLICT` if no sign-in waits for a code.
   */
  confirm(
    source: Pick<OAuthSource, "workspaceId" | "sourceId"> & { readonly name: string },
    confirmation: { readonly keyId: string | null; readonly code: string; readonly recorder: ChangeRecorder },
  ): Promise<void>;
}

/** The browser that brings an issuer's response. */
export interface ResponseBringer {
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal;
}

export interface SignInsOptions {
  readonly store: OAuthSignInStore;
  readonly grants: StoredGrants;
  readonly reach: OAuthReach;
  readonly sealer: Sealer;
  /** Returns the base URL at which browsers and issuers reach the gateway; undefined if there is none. */
  readonly baseUrl: () => Promise<string | undefined>;
  readonly now: () => number;
  /** Called with the reason why the issuer's response was rejected. */
  readonly onFailure: (error: unknown, sourceId: string) => void;
}

/** How long a sign-in may take, in ms. */
const LIFETIME_MS = 600_000;
/** Maximum number of codes that may be tried. */
const MAX_ATTEMPTS = 5;
/** Maximum duration of the requests of one step, in ms. */
const STEP_MS = 30_000;
const STATE_BYTES = 32;

/** What a sign-in keeps until the issuer responds. */
interface Requested {
  readonly source: OAuthSource;
  readonly client: OAuthClient;
  readonly server: OAuthServer;
  readonly redirectUri: string;
  readonly verifier: string;
  /** The console session that started the sign-in; absent if a program did. */
  readonly sessionId?: string;
}

/** What a sign-in keeps until it is confirmed. */
interface Received {
  readonly code: string;
  readonly client: OAuthClient;
  readonly server: OAuthServer;
  readonly tokens: OAuthTokens;
}

/** The beginning of states that belong to a console session. Other states contain no such character. */
const SESSION_STATE = "session.";

/** Returns whether only the console session that started the sign-in may bring a state. */
export function isOfSession(state: string): boolean {
  return state.startsWith(SESSION_STATE);
}

/** The path to which issuers send browsers. */
export const CALLBACK_PATH = "/oauth/callback";
/** The path of the gateway's client metadata document. */
export const CLIENT_DOCUMENT_PATH = "/oauth/client.json";

export function createSignIns(options: SignInsOptions): SignIns {
  const { store, grants, reach, sealer, baseUrl, now, onFailure } = options;

  async function requireBaseUrl(): Promise<string> {
    const base = await baseUrl();
    if (base !== undefined) return base;
    throw new YagateError("NOT_CONFIGURED", "the gateway has no public URL, so no issuer can send a browser back", {
      hint: "set YAGATE_PUBLIC_URL",
    });
  }

  /** Takes what waits for a code. */
  async function takeAttempt(workspaceId: string, sourceId: string, keyId: string | null): Promise<OAuthSignInRow> {
    const row = await store.attempt({ workspaceId, sourceId }, { now: now(), maxAttempts: MAX_ATTEMPTS });
    if (row !== undefined && row.keyId === keyId) return row;
    throw new YagateError("CONFLICT", "no sign-in that this API key started is waiting for a code", {
      hint: "start the sign-in, and confirm it with the same API key within 10 minutes",
    });
  }

  async function openRequested(row: OAuthSignInRow): Promise<Requested> {
    // This module wrote the content.
    return JSON.parse(await sealer.open(row.sealed, contextOf(row)));
  }

  async function redeem(
    row: OAuthSignInRow,
    requested: Requested,
    response: AuthorizationResponse,
    caller: AbortSignal,
  ): Promise<string> {
    const { stateHash } = row;
    const { source, client, server, redirectUri, verifier } = requested;
    const signal = AbortSignal.any([caller, AbortSignal.timeout(STEP_MS)]);
    const opened = await reach.withSecret(source, server, client);
    const request = { client: opened, redirectUri, verifier };
    const tokens = await redeemCode(reach.targetOf(source, signal), server, response, request);
    const received: Received = { code: newSignInCode(), client, server, tokens };
    const sealed = await sealer.seal(JSON.stringify(received), contextOf(row));
    if (await store.hold({ stateHash, sealed })) return received.code;
    throw new YagateError("CONFLICT", "the tool source was changed, or another sign-in was started, in the meantime");
  }

  return {
    async start(source, { keyId, sessionId }, caller) {
      const { workspaceId, sourceId, oauth } = source;
      const base = await requireBaseUrl();
      const redirectUri = base + CALLBACK_PATH;
      const target = reach.targetOf(source, AbortSignal.any([caller, AbortSignal.timeout(STEP_MS)]));
      const server = await discoverOAuth(target);
      const { clientId, allowRegistration, scopes } = oauth;
      const client = await chooseClient(target, server, {
        ...{ documentUrl: base + CLIENT_DOCUMENT_PATH, redirectUri, allowRegistration },
        registered: clientId === undefined ? undefined : { id: clientId },
        earlier: (await grants.find(source, oauth.issuer))?.client,
      });
      // Before a person signs in, because the code could not be redeemed afterwards.
      await reach.withSecret(source, server, client);
      const random = randomBytes(STATE_BYTES).toString("base64url");
      const state = sessionId === undefined ? random : SESSION_STATE + random;
      const request = { client, redirectUri, state, scopes };
      const { authorizationUrl, verifier } = await createAuthorizationRequest(server, request);
      const owner = { workspaceId, sourceId, stateHash: hashOf(state) };
      const requested: Requested = { source, client, server, redirectUri, verifier, ...defined({ sessionId }) };
      const sealed = await sealer.seal(JSON.stringify(requested), contextOf(owner));
      const at = now();
      const expiresAt = at + LIFETIME_MS;
      const place = { issuer: oauth.issuer, resource: server.resource };
      const isStarted = await store.start({ ...owner, ...place, keyId, sealed, expiresAt }, at);
      if (!isStarted) throw new YagateError("NOT_FOUND", "no tool source with this id in this workspace");
      return { authorizationUrl, expiresAt: new Date(expiresAt).toISOString() };
    },
    async clientDocument() {
      const base = await baseUrl();
      if (base === undefined) return undefined;
      return { client_id: base + CLIENT_DOCUMENT_PATH, ...clientMetadata(base + CALLBACK_PATH) };
    },
    async receive(state, response, { sessionId, signal }) {
      const row = await store.use(hashOf(state), now());
      if (row === undefined) return { kind: "expired" };
      try {
        const requested = await openRequested(row);
        const isBound = requested.sessionId !== undefined;
        if (isBound && requested.sessionId !== sessionId)
          throw new Error("the response came from a browser without the console session that started the sign-in");
        const code = await redeem(row, requested, response, signal);
        const { workspaceId, sourceId } = row;
        return isBound ? { kind: "proven", workspaceId, sourceId, code } : { kind: "code", code };
      } catch (error) {
        await store.abandon(row.stateHash);
        onFailure(error, row.sourceId);
        return { kind: "failed" };
      }
    },
    async confirm({ workspaceId, sourceId, name }, { keyId, code, recorder }) {
      const row = await takeAttempt(workspaceId, sourceId, keyId);
      const received: Received = JSON.parse(await sealer.open(row.sealed, contextOf(row)));
      if (!isSameCode(received.code, code)) {
        const message = "expected the code that the browser showed";
        throw new InvalidRequestError([{ path: "code", code: "WRONG_CODE", message }]);
      }
      const { client, server, tokens } = received;
      const grant = await grants.toRow({ workspaceId, sourceId }, row.issuer, { client, server, tokens });
      const { account, scopes } = tokens;
      const audit = recorder.of(workspaceId, "tool_source.signed_in", signInSubject({ name, account, scopes }));
      if (await store.finish(row, grant, audit)) return;
      throw new YagateError("CONFLICT", "the tool source was changed, or another sign-in was started, in the meantime");
    },
  };
}

function hashOf(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}

function contextOf({
  workspaceId,
  sourceId,
  stateHash,
}: Pick<OAuthSignInRow, "workspaceId" | "sourceId" | "stateHash">): SealContext {
  return ["oauth-sign-in", workspaceId, sourceId, stateHash];
}

/** How a sign-in appears in the audit log. */
function signInSubject(signedIn: {
  readonly name: string;
  readonly account: string | null;
  readonly scopes: readonly string[] | null;
}): AuditSubject<Omit<OAuthGrantRow, "revision">> {
  const { name, account, scopes } = signedIn;
  return {
    type: "tool_source",
    idOf: ({ sourceId }) => sourceId,
    nameOf: () => name,
    show: ({ issuer, resource }) => ({ issuer, resource, account, scopes }),
    isAlwaysChanged: true,
  };
}
