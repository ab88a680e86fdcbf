import { DEFAULT_TOLERANCE_SECONDS, MAX_CALL_BODY_BYTES, YagateError } from "@yagate/protocol";
import { createDevelopmentAids, warnOfDefaultStore } from "#development";
import { answerCall } from "./answer-call.ts";
import { assertTool, type Tool } from "./define-tool.ts";
import { isDevelopmentProcess } from "./development-process.ts";
import { createMemoryIdempotencyStore } from "./idempotency/memory-store.ts";
import type { IdempotencyStore } from "./idempotency/store.ts";
import { assertKnownKeys } from "./known-keys.ts";
import { bindLogger, consoleLogger, type Logger } from "./logger.ts";
import type { RawAnswer, RawCall } from "./raw-call.ts";
import { readFetchBody } from "./read-fetch-body.ts";
import type { Settings } from "./settings.ts";
import { assertScheme, type SignatureScheme } from "./signature-scheme.ts";
import { type SigningSecrets, secretsOf, toSecretSource } from "./signing-secrets.ts";

/** Options of every handler. */
export interface HandlerOptions {
  /**
   * The signing secrets that calls are verified with and responses are signed with, newest first, 1 to 8. Default: the
   * environment variable `YAGATE_SIGNING_SECRET`.
   */
  readonly secrets?: SigningSecrets;
  /**
   * Which headers authenticate a call. Default `yagate`: X-YA-Signature. `standard-webhooks`: only webhook-id,
   * webhook-timestamp and webhook-signature.
   */
  readonly signatureScheme?: SignatureScheme | undefined;
  /**
   * The handler's URL as saved with its tools. Calls for another URL, or without one, are rejected. Default: not
   * compared.
   */
  readonly audience?: string | undefined;
  /** Maximum age of a call in seconds, in both directions. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Maximum size of a body in bytes. Default and maximum 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Remembers calls, so that each runs once. Default: a memory store of this handler, which suits one process. With
   * `NODE_ENV=production` the default logs a warning; pass a store to avoid it.
   */
  readonly idempotency?: IdempotencyStore | undefined;
  /** Default: warnings and errors go to the console. */
  readonly logger?: Logger | undefined;
  /** The clock for the age of calls, in ms since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /**
   * Development mode: the log explains why a signature may not match and warns when the gateway has saved another
   * schema, and results that JSON would change are errors. Default: whether `NODE_ENV` is anything but `production`. No
   * effect on edge runtimes, whose build does not contain this code.
   */
  readonly isDevelopment?: boolean | undefined;
}

/** Options of {@link createHandler}. */
export interface CreateHandlerOptions extends HandlerOptions {
  /** The tools behind this URL: at least one, with unique names. */
  readonly tools: readonly Tool[];
}

/** A handler in Fetch form, which the adapters of this package also accept. */
export interface CallHandler {
  /**
   * @throws {@link YagateError} `INVALID_REQUEST` if the argument is not a `Request`, for example one of Express or
   * Fastify.
   */
  (request: Request): Promise<Response>;
  /** Handles a call without the Fetch classes, for adapters. It never rejects. */
  answerCall(call: RawCall): Promise<RawAnswer>;
}

/** The names of the options of every handler. */
export const HANDLER_OPTION_KEYS = [
  "secrets",
  "signatureScheme",
  "audience",
  "toleranceSeconds",
  "maxBodyBytes",
  "idempotency",
  "logger",
  "now",
  "isDevelopment",
] as const;

/**
 * Creates a handler for signed tool calls. It verifies a call, runs its tool once and signs the response.
 *
 * It responds to every `Request` and never throws. Errors of the kit have the status of their code, a {@link ToolError}
 * has status 200, and any other failure of a tool is `INTERNAL` without its message.
 *
 * @throws {@link YagateError} `SECRET_INVALID` (no secret, or a malformed one), `INVALID_REQUEST` (another option is
 * invalid or unknown).
 */
export function createHandler(options: CreateHandlerOptions): CallHandler {
  assertKnownKeys("a handler", options, [...HANDLER_OPTION_KEYS, "tools"]);
  const settings = toSettings(options);
  const answer = async (request: Request): Promise<Response> => {
    const arrivedAtMs = performance.now();
    const { status, headers, body } = await answerCall(
      {
        method: request.method,
        headers: request.headers,
        arrivedAtMs,
        get signal() {
          return request.signal;
        },
        readBody: (maxBodyBytes) => readFetchBody(request, maxBodyBytes),
      },
      settings,
    );
    return new Response(body, { status, headers });
  };
  const handle = (request: Request): Promise<Response> => {
    // Thrown, not rejected: in Express 4, a request whose route rejects never gets a response.
    assertFetchRequest(request);
    return answer(request);
  };
  return Object.assign(handle, { answerCall: (call: RawCall) => answerCall(call, settings) });
}

/** Catches the arguments of another kind of router, which would otherwise wait forever for a response. */
function assertFetchRequest(request: Request): void {
  if (typeof request?.headers?.get === "function") return;
  const advice = "mount toExpress(handler), toFastify(handler), toNodeListener(handler) or toLambda(handler)";
  throw new YagateError("INVALID_REQUEST", `expected a Fetch Request: ${advice} instead of the handler itself`);
}

function toSettings(options: CreateHandlerOptions): Settings {
  const { audience, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, maxBodyBytes = MAX_CALL_BODY_BYTES } = options;
  const { signatureScheme = "yagate" } = options;
  assertScheme(signatureScheme);
  if (!(toleranceSeconds > 0 && toleranceSeconds < Number.POSITIVE_INFINITY)) {
    throw new YagateError("INVALID_REQUEST", "toleranceSeconds: expected a number above 0");
  }
  if (!Number.isSafeInteger(maxBodyBytes) || maxBodyBytes < 1 || maxBodyBytes > MAX_CALL_BODY_BYTES) {
    throw new YagateError("INVALID_REQUEST", `maxBodyBytes: expected a whole number, 1 to ${MAX_CALL_BODY_BYTES}`);
  }
  if (audience === "") throw new YagateError("INVALID_REQUEST", "audience: expected the handler's URL");
  const { logger: ownLogger = consoleLogger } = options;
  const logger = bindLogger(ownLogger);
  if (options.idempotency === undefined) warnOfDefaultStore(ownLogger);
  const isDevelopment = options.isDevelopment ?? isDevelopmentProcess();
  return {
    secrets: toSecretSource(secretsOf(options)),
    signatureScheme,
    tools: toToolMap(options.tools),
    store: options.idempotency ?? createMemoryIdempotencyStore(),
    audience,
    toleranceSeconds,
    maxBodyBytes,
    logger,
    now: options.now ?? Date.now,
    aids: isDevelopment ? createDevelopmentAids(logger) : undefined,
  };
}

function toToolMap(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  if (!Array.isArray(tools) || tools.length === 0) {
    throw new YagateError("INVALID_REQUEST", "tools: expected at least one tool");
  }
  const map = new Map<string, Tool>();
  for (const tool of tools) {
    assertTool(tool);
    if (map.has(tool.name)) throw new YagateError("INVALID_REQUEST", `tools: ${tool.name} occurs twice`);
    map.set(tool.name, tool);
  }
  return map;
}
