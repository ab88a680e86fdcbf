import { tokenSubjectOf } from "@yagate/lib/ids/token-subject";
import { type Scope, YagateError } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { EpochMs } from "@yagate/store/port";
import { decodeJwt, errors, type JWTVerifyGetKey } from "jose";
import { verifyToken } from "./verify-token.ts";

/** Several times the length of a token with many claims. Longer ones are rejected without being parsed. */
const MAX_CHARACTERS = 8_192;

/** An issuer whose tokens are accepted, and what they give access to. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly workspaceId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly keyOf: JWTVerifyGetKey;
}

/** The OAuth access tokens of MCP hosts. */
export interface TokenAccess {
  /**
   * Returns the principal of an access token.
   * @param bearer - the text after `Bearer `.
   * @returns undefined if it is not a valid token of a trusted issuer.
   * @throws YagateError `UNAVAILABLE` if the issuer's keys cannot be read.
   */
  authenticate(bearer: string): Promise<Principal | undefined>;
}

export interface TokenAccessOptions {
  readonly issuers: readonly TrustedIssuer[];
  readonly now: () => EpochMs;
  /** Called with the reason why a token of a trusted issuer was rejected. It contains no part of the token. */
  readonly onRejected: (issuer: string, reason: string) => void;
}

export function createTokenAccess({ issuers, now, onRejected }: TokenAccessOptions): TokenAccess {
  const byName = new Map(issuers.map((one) => [one.issuer, one]));
  return {
    async authenticate(bearer) {
      const trusted = byName.get(unverifiedIssuerOf(bearer) ?? "");
      if (trusted === undefined) return undefined;
      const { issuer, workspaceId, scopes } = trusted;
      try {
        const { subject, expiresAt } = await verifyToken(bearer, trusted, now());
        return { workspaceId, keyId: tokenSubjectOf(issuer, subject), scopes, expiresAt };
      } catch (error) {
        if (YagateError.is(error)) throw error;
        onRejected(issuer, reasonOf(error));
        return undefined;
      }
    },
  };
}

/** Returns the issuer that a token names, which selects the keys for its verification. */
function unverifiedIssuerOf(bearer: string): string | undefined {
  if (bearer.length > MAX_CHARACTERS) return undefined;
  try {
    return decodeJwt(bearer).iss;
  } catch {
    // An API key is not a token.
    return undefined;
  }
}

/** The message of another error could quote claims. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired) {
    return `${error.code} ${error.claim}`;
  }
  return error instanceof errors.JOSEError ? error.code : "a claim or the key is not valid";
}
