import type { ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  sendJson,
  startAuthorizationServer,
} from "../../../../test/services/authorization-server.ts";

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>> & { readonly kid: string };

/** What a test changes about a token. A claim or a header parameter that is undefined is left out. */
export interface TokenChange {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** An authorization server whose access tokens are signed JWTs. */
export interface TokenIssuer extends AuthorizationServer {
  /** Signs a token for an audience, with the current key. It is valid for an hour. */
  sign(audience: string, change?: TokenChange): Promise<string>;
  /** Signs with a new key from now on. @param keepsOld - whether the previous keys stay published. */
  rotate(keepsOld: boolean): Promise<void>;
  /** The public part of the current key. */
  publicJwk(): Promise<Record<string, unknown>>;
  /** The number of requests for the keys. */
  keyRequests(): number;
}

/** Starts the issuer for the current test. @param options.subject - the `sub` of its tokens; default `alice`. */
export async function startTokenIssuer(
  options: AuthorizationServerOptions & { readonly algorithm?: string; readonly subject?: string } = {},
): Promise<TokenIssuer> {
  const { algorithm = "ES256", subject = "alice" } = options;
  const pairs: KeyPair[] = [];
  let requests = 0;

  async function addKey(): Promise<void> {
    const kid = `key-${crypto.randomUUID()}`;
    pairs.unshift({ ...(await generateKeyPair(algorithm, { extractable: true })), kid });
  }

  async function jwkOf({ publicKey, kid }: KeyPair) {
    return { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: "sig" };
  }

  function current(): KeyPair {
    const [pair] = pairs;
    if (pair === undefined) throw new Error("the issuer has no key");
    return pair;
  }

  async function sign(audience: string, { claims = {}, header = {} }: TokenChange = {}): Promise<string> {
    const iat = Math.floor(Date.now() / 1_000);
    const payload = { iss: server.issuer, sub: subject, aud: audience, iat, exp: iat + 3_600, ...claims };
    return new SignJWT(JSON.parse(JSON.stringify(payload)))
      .setProtectedHeader(JSON.parse(JSON.stringify({ alg: algorithm, kid: current().kid, typ: "at+jwt", ...header })))
      .sign(current().privateKey);
  }

  async function answerKeys(response: ServerResponse): Promise<void> {
    sendJson(response, 200, { keys: await Promise.all(pairs.map(jwkOf)) });
  }

  await addKey();
  const server = await startAuthorizationServer({
    accessToken: (resource) => sign(resource),
    ...options,
    keys: (response) => {
      requests += 1;
      return (options.keys ?? answerKeys)(response);
    },
  });
  return {
    ...server,
    sign,
    async rotate(keepsOld) {
      if (!keepsOld) pairs.length = 0;
      await addKey();
    },
    publicJwk: () => jwkOf(current()),
    keyRequests: () => requests,
  };
}
