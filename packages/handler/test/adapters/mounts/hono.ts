import { once } from "node:events";
import { type Http2Bindings, type HttpBindings, serve } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import type { CallHandler } from "../../../src/index.ts";
import type { Adapter, Mounted } from "../adapter.ts";
import { connectTo } from "../connect.ts";
import { portOf } from "../mount-server.ts";

/** Hono on Node, with some middleware in front of the handler. */
export function honoWith(...middleware: MiddlewareHandler[]) {
  return async (handler: CallHandler): Promise<Mounted> => {
    const app = new Hono<{ Bindings: HttpBindings | Http2Bindings }>();
    for (const each of middleware) app.use(each);
    app.all("/tools", (context) => handler(context.req.raw));
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    await once(server, "listening");
    return {
      ...connectTo({ port: portOf(server.address()), path: "/tools" }),
      async close() {
        const closed = once(server, "close");
        server.close();
        if ("closeAllConnections" in server) server.closeAllConnections();
        await closed;
      },
    };
  };
}

export const honoAdapters: readonly Adapter[] = [{ name: "Hono", mount: honoWith() }];
