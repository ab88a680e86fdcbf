import { createHash, randomBytes } from "node:crypto";
import { YagateError } from "@yagate/protocol";
import type { ApiKeys } from "@yagate/secrets/api-keys";
import type { Principal } from "@yagate/secrets/principal";
import type { ConsoleSessionRow, ConsoleSessionStore, EpochMs } from "@yagate/store/port";

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;
/** How long a session lasts at most. */
export const SESSION_MS = 12 * 3_600_000;
/** How long a session lasts without use. */
export const IDLE_MS = 3_600_000;
/** How long a link can be used. */
const LINK_MS = 600_000;
/** Precision of the time of the last use. */
const USE_GRANULARITY_MS = 60_000;

/** What a browser signs in with. */
export type SignIn = { readonly apiKey: string } | { readonly link: string };

/** A session that a browser has just started. */
export interface StartedSession {
  /** Only this result contains the token, which is not stored. */
  readonly token: string;
  readonly principal: Principal;
}

/** Browsers that are signed in to the console. A session has the rights of the API key that started it. */
export interface ConsoleSessions {
  /**
   * Starts a session.
   * @param replaced - the token that the browser sent, whose session ends.
   * @throws YagateError `UNAUTHENTICATED` for a key or a link that is not valid.
   */
  start(signIn: SignIn, replaced: string | undefined): Promise<StartedSession>;
  /**
   * Returns the current rights of a session; undefined if it has ended, or its key is no longer valid.
   * @param isUse - whether this keeps the session from ending for lack of use.
   */
  principalOf(token: string, isUse: boolean): Promise<Principal | undefined>;
  end(token: string): Promise<void>;
  /** Returns the id of a session, from which no one can derive its token. */
  idOf(token: string): string;
  /** Creates the secret of a link that starts one session, within 10 minutes, with the rights of the bootstrap key. */
  createLink(): Promise<string>;
}

const digestOf = (secret: string) => createHash("sha256").update(secret, "utf8").digest("hex");
const newSecret = () => randomBytes(SECRET_BYTES).toString("base64url");

export function createConsoleSessions(parts: {
  readonly store: ConsoleSessionStore;
  readonly apiKeys: Pick<ApiKeys, "authenticate" | "principalOf" | "proofOf" | "principalOfProof">;
  readonly defaultWorkspaceId: string;
  readonly now: () => EpochMs;
}): ConsoleSessions {
  const { store, apiKeys, defaultWorkspaceId, now } = parts;

  async function admit(signIn: SignIn): Promise<{ readonly principal: Principal; readonly key?: string }> {
    if ("apiKey" in signIn) {
      const principal = await apiKeys.authenticate(signIn.apiKey);
      if (principal !== undefined) return { principal, key: signIn.apiKey };
      throw new YagateError("UNAUTHENTICATED", "expected a valid API key");
    }
    const isUsed = SECRET.test(signIn.link) && (await store.useLink(digestOf(signIn.link), now()));
    const principal = isUsed ? await apiKeys.principalOf(defaultWorkspaceId, null) : undefined;
    if (principal !== undefined) return { principal };
    throw new YagateError("UNAUTHENTICATED", "this link has expired or was already used", {
      hint: "restart yagate dev for a new link, or sign in with an API key",
    });
  }

  return {
    async start(signIn, replaced) {
      const { principal, key } = await admit(signIn);
      const token = newSecret();
      const { workspaceId, keyId } = principal;
      const times = { createdAt: now(), usedAt: now(), expiresAt: now() + SESSION_MS };
      const session = { tokenHash: digestOf(token), workspaceId, keyId, keyProof: apiKeys.proofOf(token, key) };
      await store.start({ ...session, ...times }, replaced === undefined ? undefined : digestOf(replaced));
      return { token, principal: endingWith(times, principal) };
    },
    async principalOf(token, isUse) {
      if (!SECRET.test(token)) return undefined;
      const at = now();
      const session = await store.find(digestOf(token));
      if (session === undefined || session.expiresAt <= at || session.usedAt + IDLE_MS <= at) return undefined;
      const principal = await apiKeys.principalOfProof(session, token);
      if (principal === undefined) return undefined;
      if (isUse && at - session.usedAt >= USE_GRANULARITY_MS) await store.markUsed(session.tokenHash, at);
      return endingWith(session, principal);
    },
    end: (token) => store.end(digestOf(token)),
    idOf: digestOf,
    async createLink() {
      const secret = newSecret();
      await store.addLink(digestOf(secret), now() + LINK_MS);
      return secret;
    },
  };
}

function endingWith({ expiresAt }: Pick<ConsoleSessionRow, "expiresAt">, principal: Principal): Principal {
  return { ...principal, expiresAt: Math.min(expiresAt, principal.expiresAt ?? expiresAt) };
}
