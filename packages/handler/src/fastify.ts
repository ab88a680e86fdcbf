import type { IncomingMessage, ServerResponse } from "node:http";
import { YagateError } from "@yagate/protocol";
import type { CallHandler } from "./create-handler.ts";
import type { ParametersSchema } from "./define-tool.ts";
import { NodeCall } from "./node-http/node-call.ts";
import { readRawBody } from "./node-http/read-raw-body.ts";
import { createToolHandler, type ToolHandlerOptions } from "./tool-handler.ts";

/** What this adapter uses of a request of Fastify 5; written down here so that the types of no version are needed. */
export interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly body?: unknown;
}

/** What this adapter uses of a reply. */
export interface FastifyReply {
  readonly raw: ServerResponse;
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(payload: string): unknown;
}

/** What this adapter uses of an instance. */
export interface FastifyInstance {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    parser: (request: FastifyRequest, payload: unknown, done: (error: null) => void) => void,
  ): void;
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void): unknown;
}

/** A plugin of Fastify 5. */
export type FastifyPlugin = (instance: FastifyInstance, options: unknown, done: () => void) => void;

/**
 * Makes a Fastify plugin of one tool, to be registered at the tool's own path:
 * `app.register(toolHandler({ … }), { prefix: "/tools/lookup-order" })`.
 *
 * @throws {@link YagateError} `SECRET_INVALID`, `INVALID_REQUEST`.
 */
export function toolHandler<Schema extends ParametersSchema>(options: ToolHandlerOptions<Schema>): FastifyPlugin {
  return toFastify(createToolHandler(options));
}

/**
 * Gives a handler the form of a Fastify plugin, for many tools behind one URL:
 * `app.register(toFastify(handler), { prefix: "/tools" })`. The plugin's own context leaves bodies unparsed, so it does
 * not matter which parsers the application has.
 */
export function toFastify(handler: CallHandler): FastifyPlugin {
  return (instance, _options, done) => {
    if (typeof instance?.removeAllContentTypeParsers !== "function") throw notAnInstance();
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser("*", (_request, _payload, parsed) => parsed(null));
    instance.all("/", (request, reply) => answer(handler, request, reply));
    done();
  };
}

/** What happens when the plugin is passed to `app.post`: it is called with a request in place of an instance. */
function notAnInstance(): YagateError {
  const advice = "register it with app.register(toFastify(handler), { prefix })";
  return new YagateError("INVALID_REQUEST", `this is a Fastify plugin, not a route handler: ${advice}`);
}

function answer(handler: CallHandler, request: FastifyRequest, reply: FastifyReply): void {
  const call = new NodeCall(request.raw, reply.raw, (raw, maxBodyBytes) =>
    readRawBody(raw, request, maxBodyBytes, "leave the stream of this route alone in preParsing hooks"),
  );
  void handler.answerCall(call).then(({ status, headers, body, byteLength }) => {
    if (reply.raw.headersSent || reply.raw.destroyed) return;
    reply.code(status);
    reply.headers({ ...headers, "content-length": String(byteLength) });
    reply.send(body);
  });
}

export type { CallHandler } from "./create-handler.ts";
export type { ToolHandlerOptions } from "./tool-handler.ts";
