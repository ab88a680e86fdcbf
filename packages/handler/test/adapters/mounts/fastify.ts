import fastify, { type FastifyInstance } from "fastify";
import { toFastify } from "../../../src/fastify.ts";
import type { CallHandler } from "../../../src/index.ts";
import type { Adapter, Mounted } from "../adapter.ts";
import { connectTo } from "../connect.ts";
import { portOf } from "../mount-server.ts";

/** Fastify as it comes, with its own JSON parser, and what a test adds before the handler. */
export function fastifyWith(prepare: (app: FastifyInstance) => unknown = () => {}) {
  return async (handler: CallHandler): Promise<Mounted> => {
    const app = fastify({ forceCloseConnections: true });
    await prepare(app);
    app.register(toFastify(handler), { prefix: "/tools" });
    app.post("/other", async (request) => ({ parsed: request.body }));
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { ...connectTo({ port: portOf(app.server.address()), path: "/tools" }), close: () => app.close() };
  };
}

export const fastifyAdapters: readonly Adapter[] = [
  { name: "Fastify, beside its JSON parser", mount: fastifyWith() },
  {
    name: "Fastify, under a parser for every type and with hooks",
    mount: fastifyWith((app) => {
      app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
      app.addHook("onSend", async (_request, reply) => {
        reply.header("x-frame-options", "DENY");
      });
    }),
  },
];
