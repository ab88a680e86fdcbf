import express, { type RequestHandler } from "express";
import { toExpress } from "../../../src/express.ts";
import type { CallHandler } from "../../../src/index.ts";
import type { Adapter, Mounted } from "../adapter.ts";
import { mountServer } from "../mount-server.ts";

/** Express with some middleware in front of the handler. */
export function expressWith(...middleware: RequestHandler[]) {
  return (handler: CallHandler): Promise<Mounted> => {
    const app = express();
    for (const each of middleware) app.use(each);
    app.all("/tools", toExpress(handler));
    app.use(express.json());
    return mountServer(app);
  };
}

/** A parser that keeps the bytes beside what it made of them. */
export function keepRawBody(): RequestHandler {
  return express.json({
    type: () => true,
    strict: false,
    inflate: false,
    verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }),
  });
}

export const expressAdapters: readonly Adapter[] = [
  { name: "Express, before a body parser", mount: expressWith() },
  { name: "Express, after express.raw()", mount: expressWith(express.raw({ type: () => true })) },
  {
    name: "Express, after a parser that does not touch calls",
    mount: expressWith(express.urlencoded(), express.json({ type: "text/json" })),
  },
  {
    name: "Express, as middleware of a path",
    mount: (handler) => mountServer(express().use("/tools", toExpress(handler))),
  },
];
