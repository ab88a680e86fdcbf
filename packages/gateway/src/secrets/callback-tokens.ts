import {
  CALLBACK_TOKEN_PREFIX,
  executionIdSchema,
  toolCallIdSchema,
  workspaceIdSchema,
  YagateError,
} from "@yagate/protocol";
import type { EpochMs } from "@yagate/store/port";
import type { Keyring } from "./keyring.ts";
import { createSignedTokens } from "./signed-tokens.ts";

/** The longest that a call may wait for its result, in ms: 30 days. */
export const MAX_CALLBACK_EXPIRY_MS = 2_592_000_000;

const PURPOSE = {
  prefix: CALLBACK_TOKEN_PREFIX,
  type: "yagate-callback+jwt",
  audience: "yagate-callback",
  keyInfo: "yagate callback token v1",
  claims: {
    sub: executionIdSchema,
    ws: workspaceIdSchema,
    /** The call: what makes the token one a call, and its use one. The log takes one outcome under it. */
    jti: toolCallIdSchema,
  },
  maxSeconds: MAX_CALLBACK_EXPIRY_MS / 1_000,
};

/** The one call that a token opens. */
export interface CallbackSubject {
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
}

/** Tokens with which the results of calls are brought later, one a call. */
export interface CallbackTokens {
  /**
   * The same for all attempts of a call, since nothing of it is chance.
   *
   * @param times - ms since the epoch: when the first attempt was begun, and until when a result is taken.
   */
  create(subject: CallbackSubject, times: { readonly issuedAt: EpochMs; readonly expiresAt: EpochMs }): Promise<string>;
  /**
   * @returns the call that it is for, also when its time is over: then nothing new may be done with it.
   * @throws YagateError `UNAUTHENTICATED`.
   */
  read(token: string): Promise<CallbackSubject>;
}

export interface CallbackTokensOptions {
  readonly keyring: Keyring;
  readonly now: () => EpochMs;
}

export function createCallbackTokens(options: CallbackTokensOptions): CallbackTokens {
  const tokens = createSignedTokens(PURPOSE, options);
  return {
    create({ workspaceId, executionId, toolCallId }, { issuedAt, expiresAt }) {
      const iat = Math.floor(issuedAt / 1_000);
      // Rounded up: the log knows the moment to the millisecond, and it is the one that decides.
      return tokens.sign({
        sub: executionId,
        ws: workspaceId,
        jti: toolCallId,
        iat,
        exp: Math.ceil(expiresAt / 1_000),
      });
    },
    async read(token) {
      const read = await tokens.read(token);
      if (read === undefined) {
        throw new YagateError("UNAUTHENTICATED", "expected the token that came with this call", {
          hint: "send callback.token of the call as Authorization: Bearer",
        });
      }
      const { sub: executionId, ws: workspaceId, jti: toolCallId } = read.claims;
      return { executionId, workspaceId, toolCallId };
    },
  };
}
