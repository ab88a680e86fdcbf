import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHandler } from "./create-handler.ts";
import { answerNodeRequest } from "./node-http/answer-node-request.ts";
import { type ParsedBody, readRawBody } from "./node-http/read-raw-body.ts";

/** A listener of `http.createServer`. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Converts a handler to a listener for `http.createServer(listener)`, and for frameworks that are built on `node:http`,
 * such as Koa and the pages router of Next.js. The listener responds to every request, whatever its path. No other code
 * may read the body first.
 */
export function toNodeListener(handler: CallHandler): NodeListener {
  return (request, response) => answerNodeRequest(handler, request, response, readUnparsedBody);
}

function readUnparsedBody(
  request: IncomingMessage & ParsedBody,
  maxBodyBytes: number,
): Uint8Array | Promise<Uint8Array> {
  return readRawBody(request, request, maxBodyBytes, "mount the handler before it, or disable it for this path");
}

export type { CallHandler } from "./create-handler.ts";
