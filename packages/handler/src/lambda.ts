import { YagateError } from "@yagate/protocol/calls";
import type { CallHandler } from "./create-handler.ts";
import type { RawAnswer } from "./raw-call.ts";
import type { ParametersSchema } from "./tool.ts";
import { createToolHandler, type ToolHandlerOptions } from "./tool-handler.ts";

/**
 * The part of an event that this adapter uses: from API Gateway (REST API, or HTTP API with payload format 1.0 or 2.0),
 * an Application Load Balancer or a function URL. Declared here so that the package does not depend on other types.
 */
export interface LambdaEvent {
  /** Present in all formats except 2.0. */
  readonly httpMethod?: string | undefined;
  /** Contains `http` in format 2.0. The other names only make the type accept events without `http`. */
  readonly requestContext?:
    | { readonly http?: { readonly method: string } | undefined; readonly requestId?: unknown; readonly elb?: unknown }
    | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  /** Present in format 1.0, and in events from load balancers whose target group has multi-value headers enabled. */
  readonly multiValueHeaders?: Readonly<Record<string, string[] | undefined>> | null | undefined;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
}

/** A response that all these event sources accept. */
export interface LambdaResult {
  statusCode: number;
  headers?: Record<string, string>;
  /**
   * Used instead of `headers` if the event contains `multiValueHeaders`: a load balancer that sends multi-value headers
   * reads no others.
   */
  multiValueHeaders?: Record<string, string[]>;
  body: string;
  isBase64Encoded: false;
}

/** A handler for AWS Lambda. */
export type LambdaHandler = (event: LambdaEvent) => Promise<LambdaResult>;

/**
 * Creates a Lambda handler for one tool: `export const handler = toolHandler({ … })`.
 *
 * @throws {@link YagateError} `SECRET_INVALID`, `INVALID_REQUEST`.
 */
export function toolHandler<Schema extends ParametersSchema>(options: ToolHandlerOptions<Schema>): LambdaHandler {
  return toLambda(createToolHandler(options));
}

/**
 * Converts a handler for several tools to a Lambda handler: `export const handler = toLambda(…)`. If an event is not an
 * HTTP request, the invocation fails with `INVALID_REQUEST`.
 */
export function toLambda(handler: CallHandler): LambdaHandler {
  return async (event) => {
    const arrivedAtMs = performance.now();
    const method = event.httpMethod ?? event.requestContext?.http?.method;
    if (method === undefined) {
      const sources = "API Gateway, an Application Load Balancer or a function URL";
      throw new YagateError("INVALID_REQUEST", `the event: expected an HTTP request from ${sources}`, {
        hint: `invoke this function through ${sources}; a test event must have the same format as their events`,
      });
    }
    const answer = await handler.answerCall({
      method,
      headers: listsOf(event) ?? event.headers ?? {},
      arrivedAtMs,
      readBody: async () => bodyOf(event),
    });
    return toResult(answer, event);
  };
}

/** Returns the lists in a multi-value map. In some events, the map exists but contains no lists. */
function listsOf({ multiValueHeaders }: LambdaEvent) {
  return multiValueHeaders != null && Object.keys(multiValueHeaders).length > 0 ? multiValueHeaders : undefined;
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): Buffer {
  const text: unknown = body ?? "";
  if (typeof text === "string") return Buffer.from(text, isBase64Encoded === true ? "base64" : "utf8");
  // The event comes from a mapping template or was written by hand, so the signed bytes are lost.
  throw new YagateError(
    "PAYLOAD_INVALID",
    "the event's body: expected the text as received, not a value parsed from it",
  );
}

function toResult({ status, headers, body }: RawAnswer, event: LambdaEvent): LambdaResult {
  const result = { statusCode: status, body, isBase64Encoded: false } as const;
  if (listsOf(event) === undefined) return { ...result, headers: { ...headers } };
  const lists = Object.entries(headers).map(([name, value]) => [name, [value]]);
  return { ...result, multiValueHeaders: Object.fromEntries(lists) };
}

export type { CallHandler } from "./create-handler.ts";
export type { ToolHandlerOptions } from "./tool-handler.ts";
