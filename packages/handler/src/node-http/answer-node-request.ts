import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallHandler } from "../create-handler.ts";
import { NodeCall, type ReadBody } from "./node-call.ts";

/**
 * Runs a handler for a request of `node:http` and writes its response. It never throws, and writes nothing if the
 * client has disconnected.
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
    // As text, not bytes: Node then writes the head and the body in one piece.
    response.end(body);
  });
}
