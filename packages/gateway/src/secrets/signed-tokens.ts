import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { EpochMs } from "@yagate/store/port";
import { errors, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import type { Keyring, MasterKey } from "./keyring.ts";

const ALGORITHM = "HS256";
const ISSUER = "yagate";
const KEY_BYTES = 32;
/** Several times the length of a real token; longer ones are rejected unread. */
const MAX_CHARACTERS = 2_048;
const SEGMENTS = 3;
/** How far ahead the clock of the issuing replica may be. */
const MAX_CLOCK_SKEW_SECONDS = 60;

/** A kind of token. Each kind has its own type and key, so no other kind is accepted in its place. */
export interface TokenPurpose<Shape extends z.ZodRawShape> {
  /** Prefix of its text, for people and secret scanners. */
  readonly prefix: string;
  /** Its `typ`. */
  readonly type: string;
  readonly audience: string;
  /** Input to the derivation of its key from the master key. */
  readonly keyInfo: string;
  /** All claims except `iss`, `aud`, `iat` and `exp`. */
  readonly claims: Shape;
  readonly maxSeconds: number;
}

/** Claims of every token, in seconds since the epoch. */
export interface TokenTimes {
  readonly iat: number;
  readonly exp: number;
}

/** The claims of a valid token. */
export type ReadToken<Claims> = { readonly claims: Claims & TokenTimes; readonly isExpired: boolean };

/** Tokens of one kind: JWTs that are signed and not stored, so every replica accepts them. */
export interface SignedTokens<Claims> {
  /** Deterministic: the same claims give the same text as long as the active master key is the same. */
  sign(claims: Claims & TokenTimes): Promise<string>;
  /** @returns undefined for a token that this gateway did not issue; `isExpired` marks one that it did. */
  read(token: string): Promise<ReadToken<Claims> | undefined>;
}

export function createSignedTokens<Shape extends z.ZodRawShape>(
  purpose: TokenPurpose<Shape>,
  { keyring, now }: { readonly keyring: Keyring; readonly now: () => EpochMs },
): SignedTokens<z.output<z.ZodObject<Shape>>> {
  const { prefix, type, audience, keyInfo, maxSeconds } = purpose;
  const keys = new Map<string, KeyObject>();
  // Strict: a header with another key, extension or compression is not ours.
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
    // One text per token: decoders are lenient with base64url and would accept several.
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
      // Expiry is checked after the signature, so the token is ours.
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
      // Rounding adds at most one second; a longer token was not issued by this code.
      if (exp - iat > maxSeconds + 1) return undefined;
      return { claims: { ...own.data, iat, exp }, isExpired: found.isExpired };
    },
  };
}

function headerOf(jwt: string): unknown {
  return parseJsonOrUndefined(Buffer.from(jwt.slice(0, jwt.indexOf(".")), "base64url").toString("utf8"));
}
