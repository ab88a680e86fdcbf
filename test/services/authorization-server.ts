import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "./listen-on-loopback.ts";

/** A request as the server received it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  /** The query, or the form in the body. */
  readonly form: URLSearchParams;
  readonly body: string;
}

/** What a test changes about the server. */
export interface AuthorizationServerOptions {
  /** Changes the metadata. */
  readonly metadata?: (metadata: Record<string, unknown>) => object;
  /** Answers token requests instead of the server. Nothing is answered after it returns true. */
  readonly token?: (response: ServerResponse, request: SeenRequest) => boolean | Promise<boolean>;
  /** Changes the parameters of the redirect to the client. */
  readonly redirect?: (parameters: URLSearchParams) => void;
  /** Lifetime of access tokens in seconds; default 3600. */
  readonly lifetimeS?: number;
  /** The secret of the client `registered`; default: a public client. */
  readonly clientSecret?: string;
  /** The claims of the id token; default: none is given. */
  readonly idToken?: object;
  /** Makes the access tokens for a resource; default: opaque ones. */
  readonly accessToken?: (resource: string) => Promise<string>;
  /** Answers requests for the keys of the issuer, which `jwks_uri` names; default: there are none. */
  readonly keys?: (response: ServerResponse) => void;
}

/** An authorization server that rotates refresh tokens, checks PKCE, and binds tokens to a resource. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly requests: readonly SeenRequest[];
  /** The requests to the token endpoint. */
  tokenRequests(): readonly SeenRequest[];
  /** Consents like a person in a browser. @returns the URL at the client to which the browser is sent. */
  consent(authorizationUrl: string): Promise<URL>;
  /** Whether an access token is valid for a resource. */
  accepts(token: string | undefined, resource: string): boolean;
  /** Makes all access tokens invalid, as if they had expired early. */
  expireTokens(): void;
  /** Makes all refresh tokens invalid. */
  revokeGrants(): void;
  /** Every token and code that the server ever gave. */
  readonly secrets: readonly string[];
}

/** Starts the server for the current test. */
export async function startAuthorizationServer(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
  const requests: SeenRequest[] = [];
  const codes = new Map<string, URLSearchParams>();
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  const clients = new Set(["registered"]);
  const secrets: string[] = [];

  function secret(kind: string): string {
    const made = `${kind}_${randomUUID().replaceAll("-", "")}`;
    secrets.push(made);
    return made;
  }

  async function giveTokens(response: ServerResponse, resource: string, isRefreshable: boolean): Promise<void> {
    const accessToken = (await options.accessToken?.(resource)) ?? secret("access");
    access.set(accessToken, resource);
    const refreshToken = isRefreshable ? secret("refresh") : undefined;
    if (refreshToken !== undefined) refresh.set(refreshToken, resource);
    const claims = Buffer.from(JSON.stringify(options.idToken ?? {})).toString("base64url");
    sendJson(response, 200, {
      ...{ access_token: accessToken, token_type: "Bearer", expires_in: options.lifetimeS ?? 3_600 },
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      ...(options.idToken === undefined ? {} : { id_token: `e30.${claims}.` }),
    });
  }

  function isClientKnown({ form, headers }: SeenRequest): boolean {
    const [basicId, basicSecret] = Buffer.from((headers.authorization ?? "").replace("Basic ", ""), "base64")
      .toString()
      .split(":");
    const id = form.get("client_id") ?? basicId ?? "";
    if (id !== "registered") return clients.has(id) || id.startsWith("https://");
    return options.clientSecret === undefined || (form.get("client_secret") ?? basicSecret) === options.clientSecret;
  }

  function answerToken(request: SeenRequest, response: ServerResponse): void | Promise<void> {
    const { form } = request;
    if (!isClientKnown(request)) return sendJson(response, 401, { error: "invalid_client" });
    if (form.get("grant_type") === "client_credentials") return giveTokens(response, form.get("resource") ?? "", false);
    if (form.get("grant_type") === "refresh_token") {
      const resource = refresh.get(form.get("refresh_token") ?? "");
      refresh.delete(form.get("refresh_token") ?? "");
      if (resource === undefined || resource !== form.get("resource")) return refuseGrant(response);
      return giveTokens(response, resource, true);
    }
    const asked = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const isSame = ["redirect_uri", "resource"].every((name) => asked?.get(name) === form.get(name));
    if (asked?.get("code_challenge") !== challenge || !isSame) return refuseGrant(response);
    return giveTokens(response, asked.get("resource") ?? "", true);
  }

  function authorize({ form }: SeenRequest, response: ServerResponse): void {
    const code = secret("code");
    codes.set(code, form);
    const target = new URL(form.get("redirect_uri") ?? "");
    const parameters = new URLSearchParams({ code, state: form.get("state") ?? "", iss: issuer });
    options.redirect?.(parameters);
    target.search = parameters.toString();
    response.writeHead(302, { location: target.href }).end();
  }

  function answerMetadata(response: ServerResponse): void {
    const metadata = {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ registration_endpoint: `${issuer}/register`, response_types_supported: ["code"] },
      ...{ code_challenge_methods_supported: ["S256"], authorization_response_iss_parameter_supported: true },
      ...(options.keys === undefined ? {} : { jwks_uri: `${issuer}/keys` }),
    };
    sendJson(response, 200, options.metadata?.(metadata) ?? metadata);
  }

  const server = createServer(async (message, response) => {
    const url = new URL(message.url ?? "", "http://localhost");
    const body = await text(message);
    const form = message.method === "GET" ? url.searchParams : new URLSearchParams(body);
    const request = { path: url.pathname, headers: message.headers, form, body };
    requests.push(request);
    if (url.pathname === "/.well-known/oauth-authorization-server") return answerMetadata(response);
    if (url.pathname === "/keys" && options.keys !== undefined) return options.keys(response);
    if (url.pathname === "/authorize") return authorize(request, response);
    if (url.pathname === "/register") {
      const id = secret("client");
      clients.add(id);
      return sendJson(response, 201, { ...JSON.parse(body), client_id: id });
    }
    if (url.pathname !== "/token") return sendJson(response, 404, {});
    if ((await options.token?.(response, request)) === true) return;
    return answerToken(request, response);
  });
  const issuer = await listenOnLoopback(server);
  return {
    ...{ issuer, requests, secrets },
    tokenRequests: () => requests.filter(({ path }) => path === "/token"),
    async consent(authorizationUrl) {
      const { headers } = await fetch(authorizationUrl, { redirect: "manual" });
      return new URL(headers.get("location") ?? "");
    },
    accepts: (token, resource) => token !== undefined && access.get(token) === resource,
    expireTokens: () => access.clear(),
    revokeGrants: () => refresh.clear(),
  };
}

function refuseGrant(response: ServerResponse): void {
  sendJson(response, 400, { error: "invalid_grant", error_description: "the text of a stranger" });
}

/** Responds with JSON. */
export function sendJson(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
