import {
  CALLBACK_TOKEN_PREFIX,
  executionIdSchema,
  toolCallIdSchema,
  workspaceIdSchema,
  YagateError,
} from "@yagate/protocol";
import type { EpochMs } from "@yagate/store/port";
import * as z from "zod";
import type { Keyring } from "./keyring.ts";
import { createSignedTokens } from "./signed-tokens.ts";

/** Maximum time in ms to wait for the result of a call: 30 days. */
export const MAX_CALLBACK_EXPIRY_MS = 2_592_000_000;

const PURPOSE = {
  prefix: CALLBACK_TOKEN_PREFIX,
  type: "yagate-callback+jwt",
  audience: "yagate-callback",
  keyInfo: "yagate callback token v1",
  claims: {
    sub: executionIdSchema,
    ws: workspaceIdSchema,
    /** The id of the tool call. The event log accepts one outcome per call. */
    jti: toolCallIdSchema,
    /** Number of times that the call had moved to another capability; absent if it had not. */
    mv: z.int().positive().optional(),
  },
  maxSeconds: MAX_CALLBACK_EXPIRY_MS / 1_000,
};

/** The tool call for which a token authorises a callback. */
export interface CallbackSubject {
  readonly workspaceId: string;
  readonly executionId: string;
  readonly toolCallId: string;
  /** Number of times that the call had moved to another capability when the token was created. */
  readonly moves: number;
}

/** Tokens for callbacks that deliver results later, one per tool call and capability that serves it. */
export interface CallbackTokens {
  /**
   * Creates the token of a call. It is deterministic, so all attempts of one capability have the same token.
   *
   * @param times - ms since the epoch: when the first attempt of the capability started, and until when a result is accepted.
   */
  create(subject: CallbackSubject, times: { readonly issuedAt: EpochMs; readonly expiresAt: EpochMs }): Promise<string>;
  /**
   * Reads a token.
   * @returns the tool call for which the token was created, even if the token has expired. After the expiry, the
   *   gateway accepts only a repetition of the outcome that it has recorded.
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
    create({ workspaceId, executionId, toolCallId, moves }, { issuedAt, expiresAt }) {
      const iat = Math.floor(issuedAt / 1_000);
      // Rounded up. The event log contains the exact time in ms and is authoritative.
      return tokens.sign({
        sub: executionId,
        ws: workspaceId,
        jti: toolCallId,
        ...(moves === 0 ? {} : { mv: moves }),
        iat,
        exp: Math.ceil(expiresAt / 1_000),
      });
    },
    async read(token) {
      const read = await tokens.read(token);
      if (read === undefined) {
        throw new YagateError("UNAUTHENTICATED", "expected the token that came with this call", {
          hint: "send the call's callback.token as Authorization: Bearer <token>",
        });
      }
      const { sub: executionId, ws: workspaceId, jti: toolCallId, mv: moves = 0 } = read.claims;
      return { executionId, workspaceId, toolCallId, moves };
    },
  };
}
