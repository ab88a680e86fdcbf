import { randomUUID } from "node:crypto";
import {
  EXECUTION_TOKEN_PREFIX,
  type ExecutionToken,
  executionIdSchema,
  MAX_EXECUTION_TOKEN_SECONDS,
  workspaceIdSchema,
  YagateError,
} from "@yagate/protocol";
import type { EpochMs } from "@yagate/store/port";
import * as z from "zod";
import type { Keyring } from "./keyring.ts";
import type { Principal } from "./principal.ts";
import { createSignedTokens } from "./signed-tokens.ts";

const PURPOSE = {
  prefix: EXECUTION_TOKEN_PREFIX,
  type: "yagate-execution+jwt",
  audience: "yagate-execution",
  keyInfo: "yagate execution token v1",
  claims: {
    sub: executionIdSchema,
    /** The id of the workspace. */
    ws: workspaceIdSchema,
    /** The id of the API key that created the token; null for the bootstrap key. */
    key: z.string().nullable(),
    jti: z.string(),
  },
  maxSeconds: MAX_EXECUTION_TOKEN_SECONDS,
};

/** Short-lived tokens, each for one execution. They are signed and not stored, so every replica accepts them. */
export interface ExecutionTokens {
  /**
   * Creates a token.
   * @param token.keyId - the API key that creates the token. The token has the rights of this key.
   */
  create(token: {
    readonly workspaceId: string;
    readonly executionId: string;
    readonly keyId: string | null;
    readonly expiresInSeconds: number;
  }): Promise<ExecutionToken>;
  /**
   * Checks a token.
   * @param token - the text after `Bearer `.
   * @returns the principal of the token's key, restricted to one execution.
   * @throws YagateError `UNAUTHENTICATED` for an invalid token, or if its key was deleted.
   */
  authenticate(token: string): Promise<Principal>;
}

export interface ExecutionTokensOptions {
  readonly keyring: Keyring;
  /** Returns the current rights of an API key; undefined if it was deleted. */
  readonly principalOf: (workspaceId: string, keyId: string | null) => Promise<Principal | undefined>;
  readonly now: () => EpochMs;
}

/** Checks whether a bearer token has the format of an execution token. */
export function isExecutionToken(bearer: string): boolean {
  return bearer.startsWith(EXECUTION_TOKEN_PREFIX);
}

export function createExecutionTokens({ keyring, principalOf, now }: ExecutionTokensOptions): ExecutionTokens {
  const tokens = createSignedTokens(PURPOSE, { keyring, now });
  return {
    async create({ workspaceId, executionId, keyId, expiresInSeconds }) {
      const iat = Math.floor(now() / 1_000);
      // Rounded up, because a token must not expire early.
      const exp = Math.ceil(now() / 1_000 + expiresInSeconds);
      const token = await tokens.sign({ sub: executionId, ws: workspaceId, key: keyId, jti: randomUUID(), iat, exp });
      return { token, executionId, expiresAt: new Date(exp * 1_000).toISOString() };
    },
    async authenticate(token) {
      const read = await tokens.read(token);
      if (read === undefined) throw refused("expected a valid execution token");
      if (read.isExpired) throw refused("the execution token has expired");
      const { claims } = read;
      const owner = await principalOf(claims.ws, claims.key);
      if (owner === undefined) throw refused("expected an execution token whose API key still exists");
      return { ...owner, execution: { id: claims.sub, expiresAt: claims.exp * 1_000 } };
    },
  };
}

function refused(message: string): YagateError {
  return new YagateError("UNAUTHENTICATED", message, {
    hint: "request a new one with the API key: POST /v1/executions/:id/tokens",
  });
}
