import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { parseJsonOrUndefined } from "@yagate/lib/json/parse-json";
import type { EpochMs } from "@yagate/store/port";
import { errors, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import type { Keyring, MasterKey } from "./keyring.ts";

const ALGORITHM = "HS256";
const ISSUER = "yagate";
const KEY_BYTES = 32;
/** Several times a real one; what is longer is not looked at. */
const MAX_CHARACTERS = 2_048;
const SEGMENTS = 3;
/** How far the clock of the replica that made a token may be ahead. */
const MAX_CLOCK_SKEW_SECONDS = 60;

/** What a kind of token is for. Its type and its key are its own: no token of another kind can be taken for one. */
export interface TokenPurpose<Shape extends z.ZodRawShape> {
  /** What its text begins with, so that people and secret scanners can tell it. */
  readonly prefix: string;
  /** Its `typ`. */
  readonly type: string;
  readonly audience: string;
  /** Goes into the derivation of its key from the master key. */
  readonly keyInfo: string;
  /** Its claims beside `iss`, `aud`, `iat` and `exp`; exactly these. */
  readonly claims: Shape;
  readonly maxSeconds: number;
}

/** Claims that every token has; times in seconds since the epoch. */
export interface TokenTimes {
  readonly iat: number;
  readonly exp: number;
}

/** What a token says, once its signature and its claims were found right. */
export type ReadToken<Claims> = { readonly claims: Claims & TokenTimes; readonly isExpired: boolean };

/** Tokens of one kind: JWTs that are signed and not stored, so that every replica knows them. */
export interface SignedTokens<Claims> {
  /** The same claims have the same text as long as the same master key is the active one. */
  sign(claims: Claims & TokenTimes): Promise<string>;
  /** @returns nothing for whatever this gateway has not made; a token whose time is over is told from that. */
  read(token: string): Promise<ReadToken<Claims> | undefined>;
}

export function createSignedTokens<Shape extends z.ZodRawShape>(
  purpose: TokenPurpose<Shape>,
  { keyring, now }: { readonly keyring: Keyring; readonly now: () => EpochMs },
): SignedTokens<z.output<z.ZodObject<Shape>>> {
  const { prefix, type, audience, keyInfo, maxSeconds } = purpose;
  const keys = new Map<string, KeyObject>();
  // Exactly these: a header that names a key, an extension or a compression of its own is not ours.
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
    // One text for one token: decoders are lenient with base64url, and would take many.
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
      // Only a token whose signature is ours gets as far as being too old.
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
      // Tokens last a second longer than asked for at most; more would not be one that this code made.
      if (exp - iat > maxSeconds + 1) return undefined;
      return { claims: { ...own.data, iat, exp }, isExpired: found.isExpired };
    },
  };
}

function headerOf(jwt: string): unknown {
  return parseJsonOrUndefined(Buffer.from(jwt.slice(0, jwt.indexOf(".")), "base64url").toString("utf8"));
}
