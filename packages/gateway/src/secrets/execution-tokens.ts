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
    /** The workspace. */
    ws: workspaceIdSchema,
    /** The API key that made it; null for the bootstrap key. */
    key: z.string().nullable(),
    jti: z.string(),
  },
  maxSeconds: MAX_EXECUTION_TOKEN_SECONDS,
};

/** Short-lived tokens, each for one execution. They are signed, not stored, so that every replica knows them. */
export interface ExecutionTokens {
  /** @param token.keyId - the API key that makes it and whose rights it carries. */
  create(token: {
    readonly workspaceId: string;
    readonly executionId: string;
    readonly keyId: string | null;
    readonly expiresInSeconds: number;
  }): Promise<ExecutionToken>;
  /**
   * @param token - what followed `Bearer `.
   * @returns its maker, narrowed to one execution.
   * @throws YagateError `UNAUTHENTICATED`, also when the key that made it was deleted.
   */
  authenticate(token: string): Promise<Principal>;
}

export interface ExecutionTokensOptions {
  readonly keyring: Keyring;
  /** What an API key may do at this moment; undefined once it is deleted. */
  readonly principalOf: (workspaceId: string, keyId: string | null) => Promise<Principal | undefined>;
  readonly now: () => EpochMs;
}

/** Whether a bearer token is meant to be one of these. */
export function isExecutionToken(bearer: string): boolean {
  return bearer.startsWith(EXECUTION_TOKEN_PREFIX);
}

export function createExecutionTokens({ keyring, principalOf, now }: ExecutionTokensOptions): ExecutionTokens {
  const tokens = createSignedTokens(PURPOSE, { keyring, now });
  return {
    async create({ workspaceId, executionId, keyId, expiresInSeconds }) {
      const iat = Math.floor(now() / 1_000);
      // Rounded up: a token must not be over before its time is.
      const exp = Math.ceil(now() / 1_000 + expiresInSeconds);
      const token = await tokens.sign({ sub: executionId, ws: workspaceId, key: keyId, jti: randomUUID(), iat, exp });
      return { token, executionId, expiresAt: new Date(exp * 1_000).toISOString() };
    },
    async authenticate(token) {
      const read = await tokens.read(token);
      if (read === undefined) throw refused("expected a valid execution token");
      if (read.isExpired) throw refused("the execution token has expired");
      const { claims } = read;
      const maker = await principalOf(claims.ws, claims.key);
      if (maker === undefined) throw refused("expected an execution token whose API key was not deleted");
      return { ...maker, execution: { id: claims.sub, expiresAt: claims.exp * 1_000 } };
    },
  };
}

function refused(message: string): YagateError {
  return new YagateError("UNAUTHENTICATED", message, {
    hint: "request a new one with the API key: POST /v1/executions/:id/tokens",
  });
}
