import { createPublicKey } from "node:crypto";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { expect, it } from "vitest";
import { AUDIENCE, openAccess, WORKSPACE_ID } from "./support.ts";
import { startTokenIssuer, type TokenIssuer } from "./token-issuer.ts";

const SECOND = Math.floor(Date.now() / 1_000);
const claimsOf = ({ issuer }: TokenIssuer): JWTPayload => ({
  ...{ iss: issuer, sub: "alice", aud: AUDIENCE, iat: SECOND, exp: SECOND + 3_600 },
});

it.each(["RS256", "PS256", "ES256", "EdDSA"])("accepts a token that is signed with %s", async (algorithm) => {
  const issuer = await startTokenIssuer({ algorithm });
  const exp = SECOND + 600;
  const token = await issuer.sign(AUDIENCE, { claims: { exp } });
  expect(await openAccess(issuer).authenticate(token)).toEqual({
    workspaceId: WORKSPACE_ID,
    keyId: `oidc:${issuer.issuer}:alice`,
    scopes: new Set(["executions"]),
    expiresAt: (exp + 60) * 1_000,
  });
});

it.each<[string, (issuer: TokenIssuer) => Promise<string>]>([
  ["an audience in a list", (issuer) => issuer.sign(AUDIENCE, { claims: { aud: [AUDIENCE] } })],
  ["the type JWT", (issuer) => issuer.sign(AUDIENCE, { header: { typ: "JWT" } })],
  ["no type", (issuer) => issuer.sign(AUDIENCE, { header: { typ: undefined } })],
  ["no key id", (issuer) => issuer.sign(AUDIENCE, { header: { kid: undefined } })],
  ["no iat", (issuer) => issuer.sign(AUDIENCE, { claims: { iat: undefined } })],
  [
    "an issuer's clock that is slow",
    (issuer) => issuer.sign(AUDIENCE, { claims: { iat: SECOND - 99, exp: SECOND - 50 } }),
  ],
  [
    "an issuer's clock that is fast",
    (issuer) => issuer.sign(AUDIENCE, { claims: { iat: SECOND + 50, nbf: SECOND + 50 } }),
  ],
])("accepts a token with %s", async (_what, tokenOf) => {
  const issuer = await startTokenIssuer();
  expect(await openAccess(issuer).authenticate(await tokenOf(issuer))).toMatchObject({ workspaceId: WORKSPACE_ID });
});

const signed = (claims: Readonly<Record<string, unknown>>) => (issuer: TokenIssuer) =>
  issuer.sign(AUDIENCE, { claims });
const typed = (typ: string) => (issuer: TokenIssuer) => issuer.sign(AUDIENCE, { header: { typ } });
const INVALID = "a claim or the key is not valid";
const failed = (claim: string) => `ERR_JWT_CLAIM_VALIDATION_FAILED ${claim}`;

it.each<[string, (issuer: TokenIssuer) => Promise<string> | string, string]>([
  ["the audience without its path", signed({ aud: "https://yagate.example" }), failed("aud")],
  ["a longer audience", signed({ aud: `${AUDIENCE}/` }), failed("aud")],
  ["an audience in other case", signed({ aud: AUDIENCE.toUpperCase() }), failed("aud")],
  ["the audience among others", signed({ aud: [AUDIENCE, "https://other.example"] }), INVALID],
  ["no audience", signed({ aud: undefined }), failed("aud")],
  ["an end that has passed", signed({ iat: SECOND - 99, exp: SECOND - 61 }), "ERR_JWT_EXPIRED exp"],
  ["no end", signed({ exp: undefined }), failed("exp")],
  ["an end that is a text", signed({ exp: `${SECOND + 99}` }), failed("exp")],
  ["a start in the future", signed({ nbf: SECOND + 120 }), failed("nbf")],
  ["a date of issue in the future", signed({ iat: SECOND + 120 }), INVALID],
  ["an end before its date of issue", signed({ iat: SECOND + 30, exp: SECOND + 20 }), INVALID],
  ["no subject", signed({ sub: undefined }), failed("sub")],
  ["an empty subject", signed({ sub: "" }), INVALID],
  ["a subject with a line break", signed({ sub: "alice\nbob" }), INVALID],
  ["a subject that is too long", signed({ sub: "a".repeat(256) }), INVALID],
  ["the type of a logout token", typed("logout+jwt"), INVALID],
  ["a binding to a key of its sender", signed({ cnf: { jkt: "thumbprint" } }), INVALID],
  ["the algorithm none", async (issuer) => new UnsecuredJWT(claimsOf(issuer)).encode(), "ERR_JOSE_ALG_NOT_ALLOWED"],
  [
    "HS256 with the public key as the secret",
    async (issuer) => {
      const { kid, ...jwk } = await issuer.publicJwk();
      const pem = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" });
      return new SignJWT(claimsOf(issuer))
        .setProtectedHeader({ alg: "HS256", kid: String(kid) })
        .sign(new TextEncoder().encode(String(pem)));
    },
    "ERR_JOSE_ALG_NOT_ALLOWED",
  ],
  ["an unknown key", (issuer) => issuer.sign(AUDIENCE, { header: { kid: "../keys" } }), "ERR_JWKS_NO_MATCHING_KEY"],
  [
    "a key of another issuer, and its key in the header",
    async (issuer) => {
      const other = await startTokenIssuer();
      const { kid } = await issuer.publicJwk();
      const header = { kid: String(kid), jwk: await other.publicJwk() };
      return other.sign(AUDIENCE, { claims: claimsOf(issuer), header });
    },
    "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  ],
  [
    "an extension that is not supported",
    async (issuer) => {
      const [, ...rest] = (await issuer.sign(AUDIENCE)).split(".");
      const { kid } = await issuer.publicJwk();
      const header = { alg: "ES256", kid, crit: ["urn:unknown"], "urn:unknown": true };
      return [Buffer.from(JSON.stringify(header)).toString("base64url"), ...rest].join(".");
    },
    "ERR_JOSE_NOT_SUPPORTED",
  ],
  [
    "changed claims",
    async (issuer) => {
      const [header, , signature] = (await issuer.sign(AUDIENCE)).split(".");
      const claims = { ...claimsOf(issuer), sub: "root" };
      return [header, Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
    },
    "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
  ],
])("rejects a token with %s", async (_what, tokenOf, reason) => {
  const issuer = await startTokenIssuer();
  const access = openAccess(issuer);
  expect(await access.authenticate(await tokenOf(issuer))).toBeUndefined();
  expect(access.reasons).toEqual([reason]);
});

it.each<[string, (issuer: TokenIssuer) => Promise<string> | string]>([
  ["a token of another issuer", (issuer) => issuer.sign(AUDIENCE, { claims: { iss: "https://other.example" } })],
  ["the issuer with a slash", (issuer) => issuer.sign(AUDIENCE, { claims: { iss: `${issuer.issuer}/` } })],
  ["a token without an issuer", (issuer) => issuer.sign(AUDIENCE, { claims: { iss: undefined } })],
  ["a huge token", (issuer) => issuer.sign(AUDIENCE, { claims: { pad: "x".repeat(8_192) } })],
  ["an API key", () => `yk_${"a".repeat(43)}`],
  ["half a token", async (issuer) => (await issuer.sign(AUDIENCE)).slice(0, 20)],
])("does not read keys for %s", async (_what, tokenOf) => {
  const issuer = await startTokenIssuer();
  const access = openAccess(issuer);
  expect(await access.authenticate(await tokenOf(issuer))).toBeUndefined();
  expect(issuer.requests).toEqual([]);
});
