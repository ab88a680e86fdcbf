import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHandler } from "./create-handler.ts";
import { answerNodeRequest } from "./node-http/answer-node-request.ts";
import { type ParsedBody, readRawBody } from "./node-http/read-raw-body.ts";

/** A listener of `http.createServer`. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Gives a handler the form of `http.createServer(listener)`, which Koa, the pages router of Next.js and others built on
 * `node:http` can mount too. It answers every request, whatever its path, and must get the body unread.
 */
export function toNodeListener(handler: CallHandler): NodeListener {
  return (request, response) => answerNodeRequest(handler, request, response, readUnparsedBody);
}

function readUnparsedBody(request: IncomingMessage & ParsedBody, maxBodyBytes: number): Promise<Uint8Array> {
  return readRawBody(request, request, maxBodyBytes, "mount the handler before it, or switch it off for this path");
}

export type { CallHandler } from "./create-handler.ts";
