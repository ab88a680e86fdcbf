import { createSecretKey, hkdfSync, type KeyObject, randomUUID } from "node:crypto";
import {
  EXECUTION_TOKEN_PREFIX,
  type ExecutionToken,
  executionIdSchema,
  MAX_EXECUTION_TOKEN_SECONDS,
  workspaceIdSchema,
  YagateError,
} from "@yagate/protocol";
import { errors, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { EpochMs } from "../journal/port.ts";
import type { Keyring, MasterKey } from "./keyring.ts";
import type { Principal } from "./principal.ts";

const ALGORITHM = "HS256";
/** Named in every token and in the derivation of its key: nothing else that the gateway signs can be taken for one. */
const TYPE = "yagate-execution+jwt";
const ISSUER = "yagate";
const AUDIENCE = "yagate-execution";
const KEY_INFO = "yagate execution token v1";
const KEY_BYTES = 32;
/** Several times a real one; what is longer is not looked at. */
const MAX_CHARACTERS = 2_048;
const SEGMENTS = 3;
/** How far the clock of the replica that made a token may be ahead. */
const MAX_CLOCK_SKEW_SECONDS = 60;

/** Exactly these: a header that names a key, an extension or a compression of its own is not ours. */
const headerSchema = z.strictObject({ alg: z.literal(ALGORITHM), typ: z.literal(TYPE), kid: z.string() });

const claimsSchema = z.strictObject({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  sub: executionIdSchema,
  /** The workspace. */
  ws: workspaceIdSchema,
  /** The API key that made it; null for the bootstrap key. */
  key: z.string().nullable(),
  iat: z.int(),
  exp: z.int(),
  jti: z.string(),
});

/** Short-lived tokens, each for one execution. They are signed, not stored, so that every replica knows them. */
export interface ExecutionTokens {
  /** @param token.keyId - the API key that makes it and whose rights it carries. */
  create(token: {
    readonly workspaceId: string;
    readonly executionId: string;
    readonly keyId: string | null;
    readonly expiresInSeconds: number;
  }): Promise<ExecutionToken>;
  /**
   * @param token - what followed `Bearer `.
   * @returns its maker, narrowed to one execution.
   * @throws YagateError `UNAUTHENTICATED`, also when the key that made it was deleted.
   */
  authenticate(token: string): Promise<Principal>;
}

export interface ExecutionTokensOptions {
  readonly keyring: Keyring;
  /** What an API key may do at this moment; undefined once it is deleted. */
  readonly principalOf: (workspaceId: string, keyId: string | null) => Promise<Principal | undefined>;
  readonly now: () => EpochMs;
}

/** Whether a bearer token is meant to be one of these. */
export function isExecutionToken(bearer: string): boolean {
  return bearer.startsWith(EXECUTION_TOKEN_PREFIX);
}

export function createExecutionTokens({ keyring, principalOf, now }: ExecutionTokensOptions): ExecutionTokens {
  const keys = new Map<string, KeyObject>();

  function keyOf(master: MasterKey): KeyObject {
    const known = keys.get(master.kid);
    if (known !== undefined) return known;
    const key = createSecretKey(Buffer.from(hkdfSync("sha256", master.key, "", KEY_INFO, KEY_BYTES)));
    keys.set(master.kid, key);
    return key;
  }

  async function claimsOf(token: string): Promise<z.infer<typeof claimsSchema> | undefined> {
    const jwt = token.slice(EXECUTION_TOKEN_PREFIX.length);
    const header = headerSchema.safeParse(headerOf(jwt));
    const master = header.success ? keyring.find(header.data.kid) : undefined;
    if (master === undefined) return undefined;
    const { payload } = await jwtVerify(jwt, keyOf(master), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["exp", "iat", "jti", "sub"],
      currentDate: new Date(now()),
    });
    const claims = claimsSchema.safeParse(payload).data;
    if (claims === undefined || claims.iat > now() / 1_000 + MAX_CLOCK_SKEW_SECONDS) return undefined;
    // Tokens last a second longer than asked for at most; more would not be one that this code made.
    return claims.exp - claims.iat <= MAX_EXECUTION_TOKEN_SECONDS + 1 ? claims : undefined;
  }

  return {
    async create({ workspaceId, executionId, keyId, expiresInSeconds }) {
      const { active } = keyring;
      const issuedAt = Math.floor(now() / 1_000);
      // Rounded up: a token must not be over before its time is.
      const expiresAt = Math.ceil(now() / 1_000 + expiresInSeconds);
      const jwt = await new SignJWT({ ws: workspaceId, key: keyId })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: active.kid })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(executionId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .setJti(randomUUID())
        .sign(keyOf(active));
      const expires = new Date(expiresAt * 1_000).toISOString();
      return { token: EXECUTION_TOKEN_PREFIX + jwt, executionId, expiresAt: expires };
    },
    async authenticate(token) {
      const claims = isCanonical(token) ? await claimsOf(token).catch(toRefusal) : undefined;
      if (claims === undefined) throw refused("expected a valid execution token");
      const maker = await principalOf(claims.ws, claims.key);
      if (maker === undefined) throw refused("expected an execution token whose API key was not deleted");
      return { ...maker, execution: { id: claims.sub, expiresAt: claims.exp * 1_000 } };
    },
  };
}

/** One text for one token: decoders are lenient with base64url, and would take many. */
function isCanonical(token: string): boolean {
  if (token.length > MAX_CHARACTERS || !isExecutionToken(token)) return false;
  const segments = token.slice(EXECUTION_TOKEN_PREFIX.length).split(".");
  return (
    segments.length === SEGMENTS &&
    segments.every((segment) => Buffer.from(segment, "base64url").toString("base64url") === segment)
  );
}

function headerOf(jwt: string): unknown {
  try {
    return JSON.parse(Buffer.from(jwt.slice(0, jwt.indexOf(".")), "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

// Only a token whose signature is ours gets as far as being too old.
function toRefusal(error: unknown): undefined {
  if (error instanceof errors.JWTExpired) throw refused("the execution token has expired");
  if (error instanceof errors.JOSEError) return undefined;
  throw error;
}

function refused(message: string): YagateError {
  return new YagateError("UNAUTHENTICATED", message, {
    hint: "ask whoever has the API key for a new one: POST /v1/executions/:id/tokens",
  });
}
