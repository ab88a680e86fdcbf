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

/** What every handler can be told. */
export interface HandlerOptions {
  /**
   * The signing secrets that are accepted and that sign the answers, newest first, 1 to 8. Default: the variable
   * `YAGATE_SIGNING_SECRET`.
   */
  readonly secrets?: SigningSecrets;
  /**
   * Which headers prove that a call is genuine. Default `yagate`: X-YA-Signature. `standard-webhooks`: webhook-id,
   * webhook-timestamp and webhook-signature, and nothing else.
   */
  readonly signatureScheme?: SignatureScheme | undefined;
  /** The handler's URL as saved with its tools; calls for another one, or for none, are refused. Default: not compared. */
  readonly audience?: string | undefined;
  /** Bound of a call's age in seconds, in both directions. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Largest body in bytes. Default and maximum 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Remembers calls, so that each runs once. Default: a memory store of this handler's own, which is right for one
   * process; with `NODE_ENV=production` a warning says so, unless the store was given here.
   */
  readonly idempotency?: IdempotencyStore | undefined;
  /** Default: warnings and errors on the console. */
  readonly logger?: Logger | undefined;
  /** The clock that a call's age is judged by, in milliseconds since the epoch. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /**
   * Whether the log says why a signature may not match and when the gateway has saved another schema, and results that
   * JSON would change are refused. Default: whether `NODE_ENV` is anything but `production`. Without effect on edge
   * runtimes, whose build lacks that code.
   */
  readonly isDevelopment?: boolean | undefined;
}

/** Options of {@link createHandler}. */
export interface CreateHandlerOptions extends HandlerOptions {
  /** The tools behind this URL, at least one, each name once. */
  readonly tools: readonly Tool[];
}

/** A handler in Fetch form, which the adapters of this package take too. */
export interface CallHandler {
  /** @throws {@link YagateError} `INVALID_REQUEST` for what is no `Request`, as of Express and Fastify. */
  (request: Request): Promise<Response>;
  /** The same without Fetch's classes, for adapters. It never rejects. */
  answerCall(call: RawCall): Promise<RawAnswer>;
}

/** The names of the options that every handler has. */
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
 * Makes a handler of signed tool calls: it verifies a call, runs its tool once, and signs the answer.
 *
 * It answers every `Request` and never throws: errors of the kit by the table of codes, a {@link ToolError} with status
 * 200, any other failure of a tool as `INTERNAL` without its text.
 *
 * @throws {@link YagateError} `SECRET_INVALID` (none, or one that is not well formed), `INVALID_REQUEST` (another
 * option is wrong or unknown).
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
    // Thrown, not rejected: Express 4 leaves requests without an answer whose route rejects.
    assertFetchRequest(request);
    return answer(request);
  };
  return Object.assign(handle, { answerCall: (call: RawCall) => answerCall(call, settings) });
}

/** What a router of another kind passes when the handler is mounted as its route: it waits for ever for an answer. */
function assertFetchRequest(request: Request): void {
  if (typeof request?.headers?.get === "function") return;
  const advice = "mount toExpress(handler), toFastify(handler), toNodeListener(handler) or toLambda(handler)";
  throw new YagateError("INVALID_REQUEST", `expected a Request of Fetch: ${advice} instead of the handler itself`);
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
    if (map.has(tool.name)) throw new YagateError("INVALID_REQUEST", `tools: ${tool.name} is there twice`);
    map.set(tool.name, tool);
  }
  return map;
}
