import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHandler } from "../create-handler.ts";
import { NodeCall, type ReadBody } from "./node-call.ts";

/**
 * Runs a handler for a request of `node:http` and writes its response. Never throws, and writes nothing if the client
 * has disconnected.
 */
export function answerNodeRequest<Incoming extends IncomingMessage>(
  handler: CallHandler,
  request: Incoming,
  response: ServerResponse,
  readBody: ReadBody<Incoming>,
): void {
  const call = new NodeCall(request, response, readBody);
  void handler.answerCall(call).then(({ status, headers, body, byteLength }) => {
    if (response.destroyed || response.headersSent) return;
    response.writeHead(status, { ...headers, "content-length": byteLength });
    // A string instead of bytes, so that Node writes the head and the body together.
    response.end(body);
  });
}
