import Koa, { type Middleware } from "koa";
import type { CallHandler } from "../../../src/index.ts";
import { toNodeListener } from "../../../src/node.ts";
import type { Adapter, Mounted } from "../adapter.ts";
import { mountServer } from "../mount-server.ts";

/** Koa with some middleware in front of the handler. */
export function koaWith(...middleware: Middleware[]) {
  return (handler: CallHandler): Promise<Mounted> => {
    const app = new Koa();
    // Else it prints an error for each client that leaves.
    app.silent = true;
    const listener = toNodeListener(handler);
    for (const each of middleware) app.use(each);
    app.use((context, next) => {
      if (context.path !== "/tools") return next();
      context.respond = false;
      listener(context.req, context.res);
      return undefined;
    });
    return mountServer(app.callback());
  };
}

export const koaAdapters: readonly Adapter[] = [{ name: "Koa", mount: koaWith() }];
