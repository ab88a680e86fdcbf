import type { IncomingMessage, ServerResponse } from "node:http";
import { type Scope, YagateError } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { ConsoleAccess } from "../../console/console-access.ts";
import type { Route } from "../route.ts";
import { bearerOf } from "./bearer.ts";

/** An authenticated request. */
export interface Admission {
  readonly principal: Principal;
  /** What may be checked again while the request is in flight. */
  readonly credential: string;
  /** The console session of the request; absent for other credentials. */
  readonly sessionId?: string;
}

export interface AdmissionParts {
  /** Returns the principal of a bearer token; undefined if the token is not valid. */
  readonly authenticate: (bearer: string) => Promise<Principal | undefined>;
  /** The sessions of the console. Default: only bearer tokens count. */
  readonly consoleAccess?: Pick<ConsoleAccess, "admit"> | undefined;
}

// The principal on routes that need no key.
const ANONYMOUS: Principal = { workspaceId: "", keyId: null, scopes: new Set() };

/**
 * Authenticates a request: by its bearer token or, on the API, by a session of the console.
 * @throws YagateError `UNAUTHENTICATED`; `FORBIDDEN` without a scope of the route.
 */
export async function admit(
  request: IncomingMessage,
  response: ServerResponse,
  route: Pick<Route, "scopes" | "path" | "accessTokens" | "knowsSessions">,
  { authenticate, consoleAccess }: AdmissionParts,
): Promise<Admission> {
  const { scopes, path, accessTokens, knowsSessions = scopes !== null && path.startsWith("/v1/") } = route;
  const bearer = bearerOf(request.headers.authorization);
  const visit = bearer === undefined && knowsSessions ? await consoleAccess?.admit(request) : undefined;
  if (visit !== undefined) {
    response.appendHeader("Vary", "Cookie");
    if (scopes !== null) assertScope(visit.principal, scopes);
    return visit;
  }
  if (scopes === null) return { principal: ANONYMOUS, credential: bearer ?? "" };
  const orToken = accessTokens === undefined ? "" : " or access token";
  if (bearer === undefined) {
    throw new YagateError("UNAUTHENTICATED", `expected the header Authorization: Bearer <API key${orToken}>`);
  }
  const principal = (await accessTokens?.authenticate(bearer)) ?? (await authenticate(bearer));
  if (principal === undefined) throw new YagateError("UNAUTHENTICATED", `expected a valid API key${orToken}`);
  assertScope(principal, scopes);
  return { principal, credential: bearer };
}

function assertScope(principal: Principal, scopes: readonly Scope[]): void {
  if (scopes.some((scope) => principal.scopes.has(scope))) return;
  throw new YagateError("FORBIDDEN", `expected a key with the scope ${scopes.join(" or ")}`);
}
