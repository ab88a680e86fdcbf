import type { IncomingMessage, ServerResponse } from "node:http";
import { type Scope, type ToolCallRecord, YagateError } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { ConsoleAccess } from "../../console/console-access.ts";
import type { Route } from "../route.ts";

/** An authenticated request. */
interface Admission {
  readonly principal: Principal;
  /** What may be checked again while the request is in flight. */
  readonly credential: string;
  /** The console session of the request; absent for other credentials. */
  readonly sessionId?: string;
}

interface AdmissionParts {
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

/**
 * Rejects a request with an execution token that does not give access to the route or the execution. A route accepts
 * such tokens only if it declares this.
 *
 * @throws YagateError `FORBIDDEN` for the route; `NOT_FOUND` for another execution, the same as for one that does not
 *   exist.
 */
export function assertTokenOpens(
  route: Pick<Route, "token">,
  { execution }: Principal,
  params: Readonly<Record<string, string>>,
): void {
  if (execution === undefined) return;
  if (route.token === undefined) {
    throw new YagateError("FORBIDDEN", "expected an API key, not an execution token", {
      hint: "an execution token gives access to the record, events, tool calls and fallbacks of its execution",
    });
  }
  if (route.token === "execution" && params["id"] !== execution.id) {
    throw new YagateError("NOT_FOUND", "no execution with this id in this workspace");
  }
}

/**
 * Rejects a request with an execution token for a tool call of another execution. Call it once the tool call's
 * execution is known.
 *
 * @throws YagateError `NOT_FOUND`, the same as for a call that does not exist.
 */
export function assertTokenOpensCall({ execution }: Principal, call: Pick<ToolCallRecord, "executionId">): void {
  if (execution === undefined || call.executionId === execution.id) return;
  throw new YagateError("NOT_FOUND", "no tool call with this id in this workspace");
}

/** Returns the bearer token in an `Authorization` header; undefined if there is none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
}
