import type { IncomingMessage, ServerResponse } from "node:http";
import { YagateError } from "@yagate/protocol/calls";
import type { CallHandler } from "./create-handler.ts";
import { NodeCall } from "./node-http/node-call.ts";
import { readRawBody } from "./node-http/read-raw-body.ts";
import type { ParametersSchema } from "./tool.ts";
import { createToolHandler, type ToolHandlerOptions } from "./tool-handler.ts";

/**
 * The part of a Fastify 5 request that this adapter uses, declared here so that the package does not depend on the
 * types of a particular version.
 */
export interface FastifyRequest {
  readonly raw: IncomingMessage;
  readonly body?: unknown;
}

/** The part of a Fastify reply that this adapter uses. */
export interface FastifyReply {
  readonly raw: ServerResponse;
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(payload: string): unknown;
}

/** The part of a Fastify instance that this adapter uses. */
export interface FastifyInstance {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    parser: (request: FastifyRequest, payload: unknown, done: (error: null) => void) => void,
  ): void;
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => void): unknown;
}

/** A plugin for Fastify 5. */
export type FastifyPlugin = (instance: FastifyInstance, options: unknown, done: () => void) => void;

/**
 * Creates a Fastify plugin for one tool. Register it at the tool's own path: `app.register(toolHandler({ … }), {
 * prefix: "/tools/lookup-order" })`.
 *
 * @throws {@link YagateError} `SECRET_INVALID`, `INVALID_REQUEST`.
 */
export function toolHandler<Schema extends ParametersSchema>(options: ToolHandlerOptions<Schema>): FastifyPlugin {
  return toFastify(createToolHandler(options));
}

/**
 * Converts a handler for several tools at one URL to a Fastify plugin: `app.register(toFastify(handler), { prefix:
 * "/tools" })`. Fastify does not parse bodies inside the plugin, so the application's parsers do not affect it.
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

/**
 * Creates the error for a plugin that was passed to `app.post`, which then calls it with a request instead of an
 * instance.
 */
function notAnInstance(): YagateError {
  const advice = "register it with app.register(toFastify(handler), { prefix })";
  return new YagateError("INVALID_REQUEST", `this is a Fastify plugin, not a route handler: ${advice}`);
}

function answer(handler: CallHandler, request: FastifyRequest, reply: FastifyReply): void {
  const call = new NodeCall(request.raw, reply.raw, (raw, maxBodyBytes) =>
    readRawBody(raw, request, maxBodyBytes, "exclude this route's stream from preParsing hooks"),
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
