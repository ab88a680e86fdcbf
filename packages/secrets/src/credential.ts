import { createSecretKey, randomUUID } from "node:crypto";
import { maskOf } from "@yagate/lib/redaction/secret-mask";
import type { SecretAuth } from "@yagate/protocol";
import type { EpochMs } from "@yagate/store/port";
import { SignJWT } from "jose";

/** The parts of a request that a credential changes. */
export interface CredentialCarrier {
  /** Absolute URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A workspace secret that is used as a credential. */
export interface Credential {
  readonly name: string;
  /** How the secret is added to requests; null if not configured, which means `bearer`. */
  readonly auth: SecretAuth | null;
  readonly value: string;
}

/** A request that is ready to send. Do not store, log or hash it. */
export interface CredentialedRequest<Request> {
  readonly request: Request;
  /**
   * The text that was added to the request: the value of the credential, or a token. It must be redacted from the
   * response.
   */
  readonly sent: string;
  /** Parts of a token that are secret on their own: its claims and its signature. */
  readonly sentParts: readonly string[];
}

const AUTHORIZATION = "authorization";
const BEARER: SecretAuth = { type: "bearer" };
const TOKEN_ALGORITHM = "HS256";

/**
 * Adds a credential to a request. It replaces any value in the same header or parameter, such as a default of the
 * gateway. Call this last, after every decision about the request, and only for a host to which the secret is bound.
 *
 * - `bearer`: `authorization: Bearer <value>`
 * - `basic`: `authorization: Basic <value>`
 * - `header`: the value in the header with the given name
 * - `query_param`: the value in the parameter with the given name, at the end of the query; the rest of the query is
 *   unchanged
 * - `signed_token`: `authorization: Bearer <token>`, a JSON Web Token signed with the value (HS256), with `iat`, `exp`,
 *   a unique `jti`, and `iss`, `sub` and `aud` if the secret sets them
 *
 * @param now - returns ms since the epoch.
 * @returns a copy; the request itself is unchanged.
 */
export async function injectCredential<Request extends CredentialCarrier>(
  request: Request,
  { auth, value }: Credential,
  now: () => EpochMs,
): Promise<CredentialedRequest<Request>> {
  const place = auth ?? BEARER;
  const sent = place.type === "signed_token" ? await signToken(place, value, now()) : value;
  const sentParts = place.type === "signed_token" ? sent.split(".").slice(1) : [];
  return { request: withText(request, place, sent), sent, sentParts };
}

/**
 * Returns the request with `***NAME***` in place of the credential, for previews, approvals, hashes and records.
 */
export function maskCredential<Request extends CredentialCarrier>(
  request: Request,
  { name, auth }: Pick<Credential, "name" | "auth">,
): Request {
  return withText(request, auth ?? BEARER, maskOf(name));
}

/**
 * Returns the part of a request that conflicts with its credential, such as `header x-api-key`; undefined if there is
 * none.
 */
export function carriesAlready({ url, headers }: CredentialCarrier, auth: SecretAuth | null): string | undefined {
  const place = auth ?? BEARER;
  if (place.type === "query_param") {
    const isTaken = URL.parse(url)?.searchParams.has(place.name) === true;
    return isTaken ? `query parameter ${place.name}` : undefined;
  }
  const name = place.type === "header" ? place.name.toLowerCase() : AUTHORIZATION;
  return Object.keys(headers).some((other) => other.toLowerCase() === name) ? `header ${name}` : undefined;
}

function withText<Request extends CredentialCarrier>(request: Request, auth: SecretAuth, text: string): Request {
  switch (auth.type) {
    case "bearer":
    case "signed_token":
      return { ...request, headers: withHeader(request.headers, AUTHORIZATION, `Bearer ${text}`) };
    case "basic":
      return { ...request, headers: withHeader(request.headers, AUTHORIZATION, `Basic ${text}`) };
    case "header":
      return { ...request, headers: withHeader(request.headers, auth.name.toLowerCase(), text) };
    case "query_param":
      return { ...request, url: withParameter(request.url, auth.name, text) };
  }
}

function withHeader(headers: CredentialCarrier["headers"], name: string, value: string): Record<string, string> {
  const others = Object.entries(headers).filter(([other]) => other.toLowerCase() !== name);
  return Object.fromEntries([...others, [name, value]]);
}

/**
 * Adds a parameter to a URL and replaces parameters with the same name. Other parameters are kept byte for byte,
 * because a service may have signed them.
 */
function withParameter(text: string, name: string, value: string): string {
  const url = new URL(text);
  const others = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && ![...new URLSearchParams(pair).keys()].includes(name));
  url.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join("&");
  return url.href;
}

function signToken(auth: Extract<SecretAuth, { type: "signed_token" }>, value: string, now: EpochMs): Promise<string> {
  const issuedAt = Math.floor(now / 1_000);
  const token = new SignJWT()
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: "JWT" })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + auth.expiresInSeconds)
    .setJti(randomUUID());
  if (auth.issuer !== undefined) token.setIssuer(auth.issuer);
  if (auth.subject !== undefined) token.setSubject(auth.subject);
  if (auth.audience !== undefined) token.setAudience(auth.audience);
  return token.sign(createSecretKey(value, "utf8"));
}
