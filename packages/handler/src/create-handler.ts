import { DEFAULT_TOLERANCE_SECONDS, MAX_CALL_BODY_BYTES, YagateError } from "@yagate/protocol/calls";
import { createDevelopmentAids, warnOfDefaultStore } from "#development";
import { answerCall } from "./answer-call.ts";
import { assertTool } from "./define-tool.ts";
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
import type { Tool } from "./tool.ts";

/** Options that all handlers have. */
export interface HandlerOptions {
  /**
   * The signing secrets for verifying calls and signing responses, newest first, 1 to 8. Default: the environment
   * variable `YAGATE_SIGNING_SECRET`.
   */
  readonly secrets?: SigningSecrets;
  /**
   * Which headers authenticate a call. `yagate` (default): X-YA-Signature. `standard-webhooks`: webhook-id,
   * webhook-timestamp and webhook-signature.
   */
  readonly signatureScheme?: SignatureScheme | undefined;
  /**
   * The handler's URL, exactly as it is saved in the tools. Calls for another URL, and calls without a URL, are
   * rejected. Default: calls for any URL are accepted.
   */
  readonly audience?: string | undefined;
  /** How far a call's timestamp may be in the past or in the future, in seconds. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /**
   * Whether the handler responds to describe requests, with which a gateway reads the names, descriptions, parameters
   * and call options of the tools. Only requests that are signed with one of the secrets get this response. Default
   * true; with false, describe requests are rejected like forged calls.
   */
  readonly describe?: boolean | undefined;
  /** Maximum size of a request body in bytes. Default and maximum: 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * The store that remembers calls, so that each call runs only once. Default: a store in the memory of this process,
   * which is sufficient for a service that runs as one process. With `NODE_ENV=production`, the default logs a warning;
   * to avoid the warning, pass a store.
   */
  readonly idempotency?: IdempotencyStore | undefined;
  /** Where to log. Default: warnings and errors go to the console. */
  readonly logger?: Logger | undefined;
  /** The clock that determines the age of calls, in ms since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /**
   * Whether development mode is on. In this mode, the log explains why a signature may not match, and warns if the
   * gateway has saved a different schema for a tool. Results that JSON would change are errors. Default: true unless
   * `NODE_ENV` is `production`. Has no effect on edge runtimes, whose build does not contain this code.
   */
  readonly isDevelopment?: boolean | undefined;
}

/** Options for {@link createHandler}. */
export interface CreateHandlerOptions extends HandlerOptions {
  /** The tools of this handler: at least one, with unique names. */
  readonly tools: readonly Tool[];
}

/**
 * A Fetch handler: a function from `Request` to `Promise<Response>`. The adapters of this package accept it as well.
 */
export interface CallHandler {
  /**
   * @throws {@link YagateError} `INVALID_REQUEST` if the argument is not a Fetch `Request` but, for example, a request
   *   of Express or Fastify.
   */
  (request: Request): Promise<Response>;
  /** Handles a call without the Fetch classes, for adapters. Never rejects. */
  answerCall(call: RawCall): Promise<RawAnswer>;
}

/** The names of the options that every handler has. */
export const HANDLER_OPTION_KEYS = [
  "secrets",
  "signatureScheme",
  "audience",
  "toleranceSeconds",
  "describe",
  "maxBodyBytes",
  "idempotency",
  "logger",
  "now",
  "isDevelopment",
] as const;

/**
 * Creates a handler for signed tool calls. The handler verifies a call, runs its tool once and signs the response.
 *
 * The handler responds to every `Request`, and no error in a call makes it throw. If the kit itself rejects a call, the
 * code determines the status of the response. The response for a {@link ToolError} has status 200. Any other error of a
 * tool becomes `INTERNAL`, without its message.
 *
 * @throws {@link YagateError} `SECRET_INVALID` if a secret is missing or malformed; `INVALID_REQUEST` if another option
 *   is invalid or unknown.
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
    // Thrown synchronously, because in Express 4, a request whose route rejects never gets a response.
    assertFetchRequest(request);
    return answer(request);
  };
  return Object.assign(handle, { answerCall: (call: RawCall) => answerCall(call, settings) });
}

/** Rejects the arguments that other kinds of routers pass, because those routers would wait for a response forever. */
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
    isDescribed: options.describe ?? true,
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
