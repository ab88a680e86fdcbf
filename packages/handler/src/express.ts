import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHandler } from "./create-handler.ts";
import { answerNodeRequest } from "./node-http/answer-node-request.ts";
import { readRawBody } from "./node-http/read-raw-body.ts";
import type { ParametersSchema } from "./tool.ts";
import { createToolHandler, type ToolHandlerOptions } from "./tool-handler.ts";

/** An Express request. `body` is present if a body parser has run. */
export interface ExpressRequest extends IncomingMessage {
  body?: unknown;
}

/**
 * A request handler for Express 4 and 5, declared here so that the package does not depend on the types of a particular
 * version.
 */
export type RequestHandler = (request: ExpressRequest, response: ServerResponse) => void;

/**
 * Creates an Express handler for one tool. Mount it at the tool's own path, `app.post("/tools/lookup_order", …)`,
 * before any body parser. It also works after `express.raw({ type: () => true })`, and after a parser that keeps the
 * bytes as `request.rawBody`.
 *
 * @throws {@link YagateError} `SECRET_INVALID`, `INVALID_REQUEST`.
 */
export function toolHandler<Schema extends ParametersSchema>(options: ToolHandlerOptions<Schema>): RequestHandler {
  return toExpress(createToolHandler(options));
}

/**
 * Converts a handler for several tools at one URL to an Express handler: `app.post("/tools", toExpress(handler))`.
 * Mount it like {@link toolHandler}.
 */
export function toExpress(handler: CallHandler): RequestHandler {
  return (request, response) => answerNodeRequest(handler, request, response, readExpressBody);
}

const ADVICE =
  "mount the handler before app.use(express.json()), or put express.raw({ type: () => true }) before that parser";

function readExpressBody(request: ExpressRequest, maxBodyBytes: number): Uint8Array | Promise<Uint8Array> {
  return readRawBody(request, request, maxBodyBytes, ADVICE);
}

export type { CallHandler } from "./create-handler.ts";
export type { ToolHandlerOptions } from "./tool-handler.ts";
