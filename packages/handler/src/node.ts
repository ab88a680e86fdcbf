import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHandler } from "./create-handler.ts";
import { answerNodeRequest } from "./node-http/answer-node-request.ts";
import { readNodeBody } from "./node-http/read-node-body.ts";

/** A listener of `http.createServer`. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Gives a handler the form of `http.createServer(listener)`. It answers every request, whatever its path. */
export function toNodeListener(handler: CallHandler): NodeListener {
  return (request, response) => answerNodeRequest(handler, request, response, readNodeBody);
}

export type { CallHandler } from "./create-handler.ts";
