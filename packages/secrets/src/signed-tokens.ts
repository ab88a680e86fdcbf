import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { EpochMs } from "@yagate/store/port";
import { errors, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import type { Keyring, MasterKey } from "./keyring.ts";

const ALGORITHM = "HS256";
const ISSUER = "yagate";
const KEY_BYTES = 32;
/** Several times the length of a real token. Longer tokens are rejected without being parsed. */
const MAX_CHARACTERS = 2_048;
const SEGMENTS = 3;
/** Maximum seconds by which the clock of the issuing replica may be ahead. */
const MAX_CLOCK_SKEW_SECONDS = 60;

/** A kind of token. Each kind has a separate type and key, so a token of one kind is never accepted as another. */
export interface TokenPurpose<Shape extends z.ZodRawShape> {
  /** Prefix of the token's text, by which people and secret scanners recognise it. */
  readonly prefix: string;
  /** The `typ` in the header. */
  readonly type: string;
  readonly audience: string;
  /** Input for the derivation of the token key from the master key. */
  readonly keyInfo: string;
  /** All claims except `iss`, `aud`, `iat` and `exp`. */
  readonly claims: Shape;
  readonly maxSeconds: number;
}

/** The times in the claims of every token, in seconds since the epoch. */
export interface TokenTimes {
  readonly iat: number;
  readonly exp: number;
}

/** The claims of a token that this gateway issued, and whether the token has expired. */
export type ReadToken<Claims> = { readonly claims: Claims & TokenTimes; readonly isExpired: boolean };

/** Tokens of one kind. They are signed JWTs that are not stored, so every replica accepts them. */
export interface SignedTokens<Claims> {
  /**
   * Signs a token. It is deterministic: the same claims result in the same text as long as the active master key stays
   * the same.
   */
  sign(claims: Claims & TokenTimes): Promise<string>;
  /**
   * Reads a token.
   * @returns undefined for a token that this gateway did not issue. For an expired token, `isExpired` is true.
   */
  read(token: string): Promise<ReadToken<Claims> | undefined>;
}

export function createSignedTokens<Shape extends z.ZodRawShape>(
  purpose: TokenPurpose<Shape>,
  { keyring, now }: { readonly keyring: Keyring; readonly now: () => EpochMs },
): SignedTokens<z.output<z.ZodObject<Shape>>> {
  const { prefix, type, audience, keyInfo, maxSeconds } = purpose;
  const keys = new Map<string, KeyObject>();
  // Strict: this gateway does not issue headers with another key, an extension or compression.
  const headerSchema = z.strictObject({ alg: z.literal(ALGORITHM), typ: z.literal(type), kid: z.string() });
  const ownSchema = z.strictObject(purpose.claims);
  const commonSchema = z.looseObject({
    iss: z.literal(ISSUER),
    aud: z.literal(audience),
    iat: z.int(),
    exp: z.int(),
  });

  function keyOf(master: MasterKey): KeyObject {
    const known = keys.get(master.kid);
    if (known !== undefined) return known;
    const key = createSecretKey(Buffer.from(hkdfSync("sha256", master.key, "", keyInfo, KEY_BYTES)));
    keys.set(master.kid, key);
    return key;
  }

  function isCanonical(token: string): boolean {
    if (token.length > MAX_CHARACTERS || !token.startsWith(prefix)) return false;
    // Only the canonical text is accepted, because lenient base64url decoders accept several texts for one token.
    const segments = token.slice(prefix.length).split(".");
    return (
      segments.length === SEGMENTS &&
      segments.every((segment) => Buffer.from(segment, "base64url").toString("base64url") === segment)
    );
  }

  async function verified(jwt: string, key: KeyObject): Promise<{ payload: unknown; isExpired: boolean } | undefined> {
    try {
      const { payload } = await jwtVerify(jwt, key, {
        algorithms: [ALGORITHM],
        typ: type,
        issuer: ISSUER,
        audience,
        requiredClaims: ["exp", "iat", "jti", "sub"],
        currentDate: new Date(now()),
      });
      return { payload, isExpired: false };
    } catch (error) {
      // The signature is verified before the expiry, so this gateway issued the token.
      if (error instanceof errors.JWTExpired) return { payload: error.payload, isExpired: true };
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  return {
    sign(claims) {
      const { active } = keyring;
      return new SignJWT({ iss: ISSUER, aud: audience, ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: type, kid: active.kid })
        .sign(keyOf(active))
        .then((jwt) => prefix + jwt);
    },
    async read(token) {
      if (!isCanonical(token)) return undefined;
      const jwt = token.slice(prefix.length);
      const header = headerSchema.safeParse(headerOf(jwt));
      const master = header.success ? keyring.find(header.data.kid) : undefined;
      const found = master === undefined ? undefined : await verified(jwt, keyOf(master));
      const common = commonSchema.safeParse(found?.payload);
      if (found === undefined || !common.success) return undefined;
      const { iss: _issuer, aud: _audience, iat, exp, ...rest } = common.data;
      const own = ownSchema.safeParse(rest);
      if (!own.success || iat > now() / 1_000 + MAX_CLOCK_SKEW_SECONDS) return undefined;
      // Rounding adds at most one second. A token with a longer lifetime was not issued by this code.
      if (exp - iat > maxSeconds + 1) return undefined;
      return { claims: { ...own.data, iat, exp }, isExpired: found.isExpired };
    },
  };
}

function headerOf(jwt: string): unknown {
  return parseJsonOrUndefined(Buffer.from(jwt.slice(0, jwt.indexOf(".")), "base64url").toString("utf8"));
}
