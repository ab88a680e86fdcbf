import { YagateError } from "@yagate/protocol";
import type { EpochMs } from "@yagate/store/port";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";

/** Time in ms after which keys are read again, so that a key that the issuer removed stops working. */
const MAX_AGE_MS = 300_000;
/** Minimum time in ms between two reads because of a token with an unknown key, which anyone can send. */
const UNKNOWN_KEY_MS = 60_000;
/** Minimum time in ms between two reads if there are no keys, because reading them fails. */
const RETRY_MS = 5_000;

export interface IssuerKeysOptions {
  /** Reads the keys that the issuer publishes. */
  readonly read: () => Promise<JSONWebKeySet>;
  readonly now: () => EpochMs;
  /** Logs why the keys cannot be read. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Creates the function that finds the key of a token. It caches the keys of the issuer, and reads them again after five
 * minutes, or if a token names an unknown key, but then at most once a minute.
 *
 * It throws YagateError `UNAVAILABLE` if there are no current keys.
 */
export function createIssuerKeys({ read, now, onFailure }: IssuerKeysOptions): JWTVerifyGetKey {
  let known: { readonly keyOf: JWTVerifyGetKey; readonly readAt: EpochMs } | undefined;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<JWTVerifyGetKey> | undefined;

  async function readKeys(): Promise<JWTVerifyGetKey> {
    attemptedAt = now();
    try {
      const keyOf = createLocalJWKSet(await read());
      known = { keyOf, readAt: attemptedAt };
      return keyOf;
    } catch (error) {
      onFailure(error);
      throw unavailable();
    } finally {
      reading = undefined;
    }
  }

  /** All requests that need the keys at the same time share one read. */
  function readAgain(): Promise<JWTVerifyGetKey> {
    reading ??= readKeys();
    return reading;
  }

  async function currentKeys(): Promise<JWTVerifyGetKey> {
    if (known !== undefined && now() - known.readAt < MAX_AGE_MS) return known.keyOf;
    if (reading === undefined && now() - attemptedAt < RETRY_MS) throw unavailable();
    return readAgain();
  }

  return async (header, token) => {
    const keyOf = await currentKeys();
    try {
      return await keyOf(header, token);
    } catch (error) {
      const isUnknown = error instanceof errors.JWKSNoMatchingKey;
      if (!isUnknown || now() - attemptedAt < UNKNOWN_KEY_MS) throw error;
      return (await readAgain())(header, token);
    }
  };
}

function unavailable(): YagateError {
  return new YagateError("UNAVAILABLE", "the keys of the access token's issuer cannot be read at the moment", {
    hint: "repeat the request later; the gateway's log has the reason",
  });
}
