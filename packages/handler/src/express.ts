import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHandler } from "./create-handler.ts";
import type { ParametersSchema } from "./define-tool.ts";
import { answerNodeRequest } from "./node-http/answer-node-request.ts";
import { readRawBody } from "./node-http/read-raw-body.ts";
import { createToolHandler, type ToolHandlerOptions } from "./tool-handler.ts";

/** A request in Express: a body is there when some parser has run. */
export interface ExpressRequest extends IncomingMessage {
  body?: unknown;
}

/** A request handler of Express 4 and 5, written down here so that the types of no version are needed. */
export type RequestHandler = (request: ExpressRequest, response: ServerResponse) => void;

/**
 * Makes an Express handler of one tool, to be mounted at the tool's own path: `app.post("/tools/lookup_order", …)`.
 * Mount it before any body parser; `express.raw({ type: () => true })` in front of it is fine too, and so is a parser
 * that keeps the bytes as `request.rawBody`.
 *
 * @throws {@link YagateError} `SECRET_INVALID`, `INVALID_REQUEST`.
 */
export function toolHandler<Schema extends ParametersSchema>(options: ToolHandlerOptions<Schema>): RequestHandler {
  return toExpress(createToolHandler(options));
}

/**
 * Gives a handler the form of Express, for many tools behind one URL: `app.post("/tools", toExpress(handler))`. Mount it
 * as {@link toolHandler} says.
 */
export function toExpress(handler: CallHandler): RequestHandler {
  return (request, response) => answerNodeRequest(handler, request, response, readExpressBody);
}

const ADVICE =
  "mount the handler before app.use(express.json()), or put express.raw({ type: () => true }) before that parser";

function readExpressBody(request: ExpressRequest, maxBodyBytes: number): Promise<Uint8Array> {
  return readRawBody(request, request, maxBodyBytes, ADVICE);
}

export type { CallHandler } from "./create-handler.ts";
export type { ToolHandlerOptions } from "./tool-handler.ts";
