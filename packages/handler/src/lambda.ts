import { YagateError } from "@yagate/protocol";
import type { CallHandler } from "./create-handler.ts";
import type { ParametersSchema } from "./define-tool.ts";
import type { RawAnswer } from "./raw-call.ts";
import { createToolHandler, type ToolHandlerOptions } from "./tool-handler.ts";

/**
 * What this adapter uses of the events of API Gateway (REST API, HTTP API with payload format 1.0 or 2.0), of an
 * Application Load Balancer, and of a function URL; written down here so that their types are not needed.
 */
export interface LambdaEvent {
  /** All but format 2.0. */
  readonly httpMethod?: string | undefined;
  /** Its `http` is there in format 2.0; the other names are for the compiler, which would refuse an event without `http`. */
  readonly requestContext?:
    | { readonly http?: { readonly method: string } | undefined; readonly requestId?: unknown; readonly elb?: unknown }
    | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  /** Format 1.0, and load balancers whose target group has multi-value headers switched on. */
  readonly multiValueHeaders?: Readonly<Record<string, string[] | undefined>> | null | undefined;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
}

/** An answer that all of them take. */
export interface LambdaResult {
  statusCode: number;
  headers?: Record<string, string>;
  /** In place of `headers` where the event has them: a load balancer that sends them reads no others. */
  multiValueHeaders?: Record<string, string[]>;
  body: string;
  isBase64Encoded: false;
}

/** A handler of AWS Lambda. */
export type LambdaHandler = (event: LambdaEvent) => Promise<LambdaResult>;

/**
 * Makes a Lambda handler of one tool: `export const handler = toolHandler({ … })`.
 *
 * @throws {@link YagateError} `SECRET_INVALID`, `INVALID_REQUEST`.
 */
export function toolHandler<Schema extends ParametersSchema>(options: ToolHandlerOptions<Schema>): LambdaHandler {
  return toLambda(createToolHandler(options));
}

/**
 * Gives a handler the form of AWS Lambda, for many tools behind one function: `export const handler = toLambda(…)`. An
 * event that is no HTTP request makes the invocation fail with `INVALID_REQUEST`.
 */
export function toLambda(handler: CallHandler): LambdaHandler {
  return async (event) => {
    const arrivedAtMs = performance.now();
    const method = event.httpMethod ?? event.requestContext?.http?.method;
    if (method === undefined) {
      const sources = "API Gateway, an Application Load Balancer or a function URL";
      throw new YagateError("INVALID_REQUEST", `the event: expected an HTTP request from ${sources}`, {
        hint: `invoke this function through ${sources}; a test event must have the form of one of them`,
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

/** Some events have a map of lists that nobody filled. */
function listsOf({ multiValueHeaders }: LambdaEvent) {
  return multiValueHeaders != null && Object.keys(multiValueHeaders).length > 0 ? multiValueHeaders : undefined;
}

function bodyOf({ body, isBase64Encoded }: LambdaEvent): Buffer {
  const text: unknown = body ?? "";
  if (typeof text === "string") return Buffer.from(text, isBase64Encoded === true ? "base64" : "utf8");
  // Of a mapping template, or of a test that was written by hand: the bytes that were signed are gone.
  throw new YagateError("PAYLOAD_INVALID", "the event's body: expected the text as it came, not JSON made of it");
}

function toResult({ status, headers, body }: RawAnswer, event: LambdaEvent): LambdaResult {
  const result = { statusCode: status, body, isBase64Encoded: false } as const;
  if (listsOf(event) === undefined) return { ...result, headers: { ...headers } };
  const lists = Object.entries(headers).map(([name, value]) => [name, [value]]);
  return { ...result, multiValueHeaders: Object.fromEntries(lists) };
}

export type { CallHandler } from "./create-handler.ts";
export type { ToolHandlerOptions } from "./tool-handler.ts";
