import type { EpochMs } from "@yagate/store/port";
import { type JWTVerifyGetKey, jwtVerify } from "jose";
import * as z from "zod";

/** The signature algorithms with a public key. Neither `none` nor a shared secret is among them. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
/** Maximum difference in seconds between the clocks of the issuer and the gateway. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** The types of access tokens: that of RFC 9068, and those of issuers that follow an earlier practice. */
const TYPES: ReadonlySet<string> = new Set(["at+jwt", "application/at+jwt", "jwt"]);

const headerSchema = z.looseObject({
  typ: z
    .string()
    .refine((type) => TYPES.has(type.toLowerCase()))
    .optional(),
});
const claimsSchema = z.looseObject({
  sub: z.string().regex(/^[\x20-\x7e]{1,255}$/),
  exp: z.number(),
  iat: z.number().optional(),
  aud: z.union([z.string(), z.array(z.string()).length(1)]),
  // The token works only with a proof of another key, which the gateway does not check.
  cnf: z.undefined().optional(),
});

/** The issuer and the audience that a valid token has. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  readonly keyOf: JWTVerifyGetKey;
}

export interface VerifiedToken {
  readonly subject: string;
  /** When the token stops being valid, in ms since the epoch. */
  readonly expiresAt: EpochMs;
}

/**
 * Verifies an access token (RFC 7519, RFC 9068).
 *
 * @throws an error of `jose` or zod, which must not be logged as a whole because it contains claims, if the token is not
 *   valid; an error of `keyOf` if there is no key.
 */
export async function verifyToken(
  token: string,
  { issuer, audience, keyOf }: TokenRules,
  now: EpochMs,
): Promise<VerifiedToken> {
  const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
    ...{ algorithms: ALGORITHMS, issuer, audience, requiredClaims: ["exp", "sub"] },
    ...{ clockTolerance: CLOCK_TOLERANCE_SECONDS, currentDate: new Date(now) },
  });
  headerSchema.parse(protectedHeader);
  const { sub, exp, iat = 0 } = claimsSchema.parse(payload);
  if (iat > Math.min(exp, now / 1_000 + CLOCK_TOLERANCE_SECONDS)) throw new RangeError("iat is in the future");
  return { subject: sub, expiresAt: (exp + CLOCK_TOLERANCE_SECONDS) * 1_000 };
}
