import type { IncomingMessage, ServerResponse } from "node:http";
import { isTokenSubject } from "@yagate/lib/ids/token-subject";
import { withMeantFields } from "@yagate/lib/json-schema/meant-fields";
import type { Logger } from "@yagate/lib/logging/logger";
import { type AuditEntry, type QuotaName, toFieldErrors, YagateError } from "@yagate/protocol";
import type { Principal } from "@yagate/secrets/principal";
import type { ChangeRecorder } from "@yagate/store/port";
import { QuotaExceededError } from "@yagate/store/quotas/quota-exceeded";
import type { ChangeOrigin } from "@yagate/store/tables/change-recorder";
import { loggedIds } from "@yagate/telemetry/logged-ids";
import { loggedPath } from "@yagate/telemetry/logged-path";
import type { AnsweredRequest } from "@yagate/telemetry/metrics/http-metrics";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type * as z from "zod";
import type { FailedRequest } from "../config/development-config.ts";
import type { ConsoleAccess } from "../console/console-access.ts";
import { InvalidRequestError, NotReadyError } from "../errors/request-errors.ts";
import { discardBody } from "./quotas/discard-body.ts";
import type { AdmittedRequest } from "./quotas/request-admission.ts";
import { ActiveRequests, type KeyRecheck, recheckKeys } from "./requests/active-requests.ts";
import { admit, assertTokenOpens, bearerOf } from "./requests/admission.ts";
import type { ClientAddress } from "./requests/client-address.ts";
import { type Cors, createCors, isPreflight } from "./requests/cors.ts";
import { hostOf } from "./requests/host-check.ts";
import { ClientGoneError, readJsonBody } from "./requests/read-json-body.ts";
import { CONSOLE_PATH, type ConsolePages, sendConsoleResponse } from "./responses/console-pages.ts";
import { LargeReads } from "./responses/large-reads.ts";
import { sendProblem, toProblem } from "./responses/problem.ts";
import { DEFAULT_MAX_BODY_BYTES, type Route, type RouteResponse } from "./route.ts";

export interface AppOptions {
  readonly routes: readonly Route[];
  /** Returns the principal of a bearer token; undefined if the token is not valid. */
  readonly authenticate: (bearer: string) => Promise<Principal | undefined>;
  /** The sessions and the pages of the console. Default: no console. */
  readonly console?: { readonly access: ConsoleAccess; readonly pages: ConsolePages } | undefined;
  /**
   * Checks the `Host` header of a request.
   * @throws YagateError `FORBIDDEN` for a host that is not this gateway's.
   */
  readonly checkHost: (host: string | undefined) => void;
  /** Origins whose pages may read responses; default none. */
  readonly corsOrigins?: readonly string[];
  /** The URL of the published documentation. Default: problems contain no link to it. */
  readonly docsUrl?: string | undefined;
  readonly newRequestId: () => string;
  /**
   * Counts a request against the quotas of its workspace. It is not called for open or unmetered routes. Default: every
   * request is admitted.
   * @throws QuotaExceededError if the request would exceed a quota.
   */
  readonly admitRequest?: (workspaceId: string) => Promise<AdmittedRequest>;
  /** Called for each request that is rejected because of a quota. */
  readonly onQuotaExceeded?: (quota: QuotaName) => void;
  readonly clientAddress: ClientAddress;
  /** Creates the recorder for the audit log entries of a request's changes. */
  readonly recorderOf: (origin: ChangeOrigin) => ChangeRecorder;
  /** Called for each request when its response is complete or its client has disconnected. */
  readonly onAnswered?: (request: AnsweredRequest) => void;
  /** Called for each request that fails. */
  readonly onFailed?: ((request: FailedRequest) => void) | undefined;
  readonly logger: Logger;
  /** Registers a listener for deleted API keys, so that the streams of a deleted key end. */
  readonly onKeyDeleted?: (listener: (keyId: string) => void) => void;
  /**
   * The periodic check that ends requests with keys that another process deleted, changed or rotated. Default: no
   * check.
   */
  readonly keyRecheck?: KeyRecheck;
  /** Aborted when the server shuts down: waiting requests then respond, and streams end. */
  readonly closing?: AbortSignal;
}

interface AppState extends AppOptions {
  readonly cors: Cors;
  readonly open: ActiveRequests;
  readonly largeReads: LargeReads;
}

/** Creates the Express application that serves these routes. */
export function createApp(options: AppOptions): Express {
  const cors = createCors(options.corsOrigins ?? []);
  const state: AppState = { ...options, cors, open: new ActiveRequests(), largeReads: new LargeReads() };
  options.closing?.addEventListener("abort", () => state.open.endAll());
  options.onKeyDeleted?.((keyId) => state.open.endOf(keyId));
  if (options.keyRecheck !== undefined) recheckKeys(state.open, options.keyRecheck, options.closing);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  for (const { path, routes } of byPath(options.routes)) {
    for (const route of routes) {
      app[route.method](path, (request, response) => serve(route, request, response, state));
    }
    const allow = allowedMethods(routes);
    app.all(path, (request, response, next) => {
      options.checkHost(hostOf(request));
      if (isPreflight(request)) return next();
      response.setHeader("Allow", allow);
      throw new YagateError(
        "METHOD_NOT_ALLOWED",
        `${path} does not support the method ${request.method}; expected ${allow}`,
      );
    });
  }
  const { pages } = options.console ?? {};
  if (pages !== undefined) {
    app.get([CONSOLE_PATH, `${CONSOLE_PATH}/*path`], async (request, response) => {
      options.checkHost(hostOf(request));
      const page = await pages.respond(request, request.path);
      if (page === undefined) throw noSuchRoute(request);
      begin(request, response, state);
      sendConsoleResponse(request, response, page);
    });
  }
  app.use((request: Request, response: Response) => {
    options.checkHost(hostOf(request));
    if (!isPreflight(request)) throw noSuchRoute(request);
    begin(request, response, state);
    state.cors.answerPreflight(request, response);
  });
  // Also handles errors that Express itself raises, such as a path that cannot be decoded. Express would respond with
  // HTML by default.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const reason = error instanceof URIError ? noSuchRoute(request) : error;
    refuse(reason, request, response, { requestId: begin(request, response, state) }, options);
  });
  return app;
}

interface RoutesOfPath {
  readonly path: string;
  readonly routes: readonly Route[];
}

/**
 * Groups the routes by path. Literal segments come before parameters, so `/v1/tools/import` is never mistaken for the
 * tool with the id "import".
 */
function byPath(routes: readonly Route[]): readonly RoutesOfPath[] {
  const groups = Map.groupBy(routes, ({ path }) => path);
  const sortKey = (path: string) => path.replaceAll(/:\w+/g, "~");
  return [...groups]
    .map(([path, ofPath]) => ({ path, routes: ofPath }))
    .sort((left, right) => (sortKey(left.path) < sortKey(right.path) ? -1 : 1));
}

function allowedMethods(routes: readonly Route[]): string {
  const methods = routes.map(({ method }) => method.toUpperCase());
  return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))].join(", ");
}

function noSuchRoute({ method, path }: Request): YagateError {
  return new YagateError("NOT_FOUND", `no route ${method} ${path}`, { hint: "GET /openapi.json lists the routes" });
}

async function serve(route: Route, request: Request, response: Response, state: AppState): Promise<void> {
  const requestId = begin(request, response, state, route);
  const startedAt = performance.now();
  const over = new AbortController();
  let noted: Readonly<Record<string, string>> = {};
  let admitted: AdmittedRequest | undefined;
  state.open.add(over);
  response.once("close", () => {
    state.open.delete(over);
    if (!response.writableFinished) state.open.end(over);
  });
  try {
    state.checkHost(hostOf(request));
    const params = toParams(request.params);
    const { authenticate, console } = state;
    const { principal, credential, sessionId } = await admit(request, response, route, {
      authenticate,
      consoleAccess: console?.access,
    });
    state.open.admit(over, principal, credential);
    assertTokenOpens(route, principal, params);
    assertCanExist(route, params);
    const isMetered = route.scopes !== null && route.isUnmetered !== true;
    if (isMetered) admitted = await state.admitRequest?.(principal.workspaceId);
    const query = route.query === undefined ? undefined : parse(route.query, { ...request.query });
    const body = route.body === undefined ? undefined : await parseBody(route.body, route, request, admitted);
    const { signal } = over;
    const origin = { actor: actorOf(principal), address: state.clientAddress(request), requestId };
    const recorder = state.recorderOf(origin);
    const note = (fields: Readonly<Record<string, string>>) => {
      noted = { ...noted, ...fields };
    };
    const { headers } = request;
    const endRequestsOf = (ended: string) => state.open.endOfCredential(ended);
    const given = {
      principal,
      sessionId,
      recorder,
      params,
      body,
      query,
      headers,
      signal,
      response,
      note,
      endRequestsOf,
    };
    const read = () => route.handle(given);
    const subject = { workspaceId: principal.workspaceId, executionId: params["id"] ?? "" };
    if (route.isLargeRead !== true) send(response, await read());
    else await state.largeReads.run(subject, response, { read, send: (content) => send(response, content) });
    // Logged at level debug if the route needs no key: probes call such routes every few seconds.
    const level = route.scopes === null ? "debug" : "info";
    state.logger[level](
      {
        requestId,
        method: request.method,
        route: route.path,
        status: response.statusCode,
        ...loggedParams(params),
        ...loggedIds(Object.values(params)),
        ...noted,
        ms: elapsed(startedAt),
      },
      "served",
    );
  } catch (error) {
    if (error instanceof ClientGoneError) state.logger.debug({ requestId, error }, "the client disconnected");
    else {
      if (error instanceof QuotaExceededError) await refuseQuota(error, route, request, response, state);
      refuse(error, request, response, { requestId, route }, state);
    }
  } finally {
    admitted?.end();
  }
}

async function refuseQuota(
  { quota, retryAfterSeconds }: QuotaExceededError,
  { maxBodyBytes }: Route,
  request: IncomingMessage,
  response: ServerResponse,
  { onQuotaExceeded }: AppState,
): Promise<void> {
  onQuotaExceeded?.(quota);
  if (response.headersSent) return;
  if (retryAfterSeconds !== undefined) response.setHeader("Retry-After", String(retryAfterSeconds));
  const isRead = await discardBody(request, maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES);
  if (!isRead) response.setHeader("Connection", "close");
}

function begin(request: IncomingMessage, response: ServerResponse, state: AppState, route?: Route): string {
  const requestId = state.newRequestId();
  const startedAt = performance.now();
  response.once("close", () => {
    state.onAnswered?.({
      method: request.method ?? "",
      route: route?.path,
      status: response.statusCode,
      durationMs: performance.now() - startedAt,
      isStream: String(response.getHeader("content-type")).startsWith("text/event-stream"),
    });
  });
  state.cors.admit(request, response);
  response.setHeader("X-Request-Id", requestId);
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Cache-Control", "no-store");
  return requestId;
}

function actorOf({ keyId, keyName, workspaceId }: Principal): AuditEntry["actor"] {
  const type = keyId === null ? "bootstrap" : isTokenSubject(keyId) ? "oidc" : "api_key";
  return { type, keyId, keyName: keyName ?? null, workspaceId };
}

async function parseBody(
  schema: z.ZodType,
  { maxBodyBytes }: Route,
  request: IncomingMessage,
  admitted: AdmittedRequest | undefined,
): Promise<unknown> {
  const body = await readJsonBody(request, maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES, admitted);
  if (body !== undefined) return parse(schema, body);
  const parsed = schema.safeParse(undefined);
  if (parsed.success) return parsed.data;
  throw new YagateError("INVALID_REQUEST", "expected a JSON body", { hint: "GET /openapi.json describes it" });
}

function parse(schema: z.ZodType, value: unknown): unknown {
  const parsed = safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(withMeantFields(toFieldErrors(parsed.error), schema));
}

function safeParse(schema: z.ZodType, value: unknown) {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The body has more invalid elements than the validator can list.
    const message = "expected fewer invalid elements; send a smaller request to see them listed";
    throw new InvalidRequestError([{ path: "", code: "TOO_MANY_ERRORS", message }]);
  }
}

/**
 * Rejects parameters that contain U+0000. PostgreSQL does not accept it in text, so no id or name contains it. A `PUT`
 * validates its name itself.
 */
function assertCanExist({ method }: Route, params: Readonly<Record<string, string>>): void {
  if (method === "put" || !Object.values(params).some((value) => value.includes("\u0000"))) return;
  throw new YagateError("NOT_FOUND", "no name or id contains U+0000");
}

function toParams(params: Request["params"]): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}

function loggedParams(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, loggedPath(value)]));
}

function send(response: ServerResponse, content: RouteResponse): void {
  if (content === "streamed") return;
  const headers: Record<string, string | number> = { ...content.headers };
  if (content.body === undefined && content.text === undefined) {
    response.writeHead(content.status, headers);
    response.end();
    return;
  }
  // Sent as a string, so that Node writes head and body in one write.
  const text = content.text ?? JSON.stringify(content.body);
  headers["Content-Type"] ??= content.text === undefined ? "application/json" : "text/plain; charset=utf-8";
  headers["Content-Length"] = Buffer.byteLength(text);
  response.writeHead(content.status, headers);
  response.end(text);
}

/** A rejected request. `route` is undefined if no route matches. */
interface RefusedRequest {
  readonly requestId: string;
  readonly route?: Route;
}

function refuse(
  error: unknown,
  request: Request,
  response: Response,
  { requestId, route }: RefusedRequest,
  { logger, docsUrl, onFailed }: AppOptions,
): void {
  const problem = toProblem(error, requestId, docsUrl);
  const { status, code } = problem;
  const ids = loggedIds(request.path.split("/"));
  const entry = {
    requestId,
    method: request.method,
    route: route?.path,
    path: loggedPath(request.path),
    status,
    code,
    ...ids,
  };
  if (error instanceof NotReadyError) {
    // Logged at level debug during a shutdown: every shutdown starts with this state, and load balancers poll the
    // route.
    logger[error.isDraining ? "debug" : "warn"]({ ...entry, reasons: error.reasons }, "not ready");
  } else if (status === 502) {
    // Another server failed, so the stack of this one explains nothing.
    logger.warn({ ...entry, reason: problem.detail }, "failed");
  } else if (status >= 500) logger.error({ ...entry, error }, "failed");
  else logger.info(entry, "refused");
  sendProblem(response, problem, challengeOf(request, route));
  const { method, path } = entry;
  const at = new Date().toISOString();
  const userAgent = request.get("User-Agent");
  onFailed?.({ at, requestId, method, path, status, code, message: problem.detail, userAgent });
}

/** Returns the challenge of a response with 401 (RFC 6750, RFC 9728). */
function challengeOf({ headers }: IncomingMessage, route: Route | undefined): string {
  const parameters = ['realm="yagate"'];
  if (route?.accessTokens !== undefined) {
    if (bearerOf(headers.authorization) !== undefined) parameters.push('error="invalid_token"');
    parameters.push(`resource_metadata="${route.accessTokens.metadataUrl}"`);
  }
  return `Bearer ${parameters.join(", ")}`;
}

function elapsed(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
