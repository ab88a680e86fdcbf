import { buffer } from "node:stream/consumers";
import { All, Controller, Module, Req, Res } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import express from "express";
import { afterEach, describe, expect, it } from "vitest";
import { type ExpressRequest, toExpress } from "../../src/express.ts";
import { toFastify } from "../../src/fastify.ts";
import type { CallHandler } from "../../src/index.ts";
import { toNodeListener } from "../../src/node.ts";
import type { Adapter, Mounted } from "./adapter.ts";
import { mountServer } from "./mount-server.ts";
import { expressWith, keepRawBody } from "./mounts/express.ts";
import { fastifyWith } from "./mounts/fastify.ts";
import { honoWith } from "./mounts/hono.ts";
import { koaWith } from "./mounts/koa.ts";
import { listen, nestModule } from "./mounts/nest.ts";
import { ask } from "./suite-client.ts";
import { createSuiteHandler } from "./suite-handler.ts";

const takes: readonly Adapter[] = [
  { name: "Express, with a parser that keeps the bytes", mount: expressWith(keepRawBody()) },
  {
    name: "Fastify, with a hook that keeps the bytes",
    mount: fastifyWith((app) =>
      app.addHook("preParsing", async (request, _reply, payload) => {
        Object.assign(request, { rawBody: await buffer(payload) });
        return payload;
      }),
    ),
  },
  {
    name: "Hono, with middleware that reads a copy",
    mount: honoWith(async (context, next) => {
      await context.req.raw.clone().json();
      await next();
    }),
  },
  {
    name: "Express, with middleware that takes its time",
    mount: expressWith((_request, _response, next) => {
      setTimeout(next, 20);
    }),
  },
  { name: "NestJS on Express, in a controller, with rawBody", mount: nestController },
  { name: "NestJS on Fastify, beside a parser of its own", mount: nestOnFastifyWithParser },
];

const refuses: readonly Adapter[] = [
  { name: "Express", mount: expressWith(express.json()) },
  {
    name: "Fastify, in a hook",
    mount: fastifyWith((app) =>
      app.addHook("preParsing", async (_request, _reply, payload) => {
        await buffer(payload);
        return payload;
      }),
    ),
  },
  {
    name: "Hono",
    mount: honoWith(async (context, next) => {
      if (context.req.method === "POST") await context.req.json();
      await next();
    }),
  },
  {
    name: "Koa",
    mount: koaWith(async (context, next) => {
      await buffer(context.req);
      await next();
    }),
  },
  { name: "NestJS on Express", mount: nestOnExpressWithParser },
  {
    name: "node:http",
    mount: (handler) => {
      const listener = toNodeListener(handler);
      return mountServer(async (request, response) => {
        await buffer(request);
        listener(request, response);
      });
    },
  },
];

const closing: Mounted[] = [];

afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});

async function mounted(mount: Adapter["mount"]): Promise<Mounted> {
  const server = await mount(createSuiteHandler());
  closing.push(server);
  return server;
}

describe("a parser that runs before the handler", () => {
  it.each(takes)("does no harm: $name", async ({ mount }) => {
    const server = await mounted(mount);
    expect(await ask(server)).toMatchObject({ status: 200, isSigned: true, result: { orderId: "ORD-12345" } });
  });

  it.each(refuses)("is found out, and said: $name", async ({ mount }) => {
    const { status, isSigned, error } = await ask(await mounted(mount));
    expect({ status, isSigned, code: error.code }).toEqual({
      status: 500,
      isSigned: false,
      code: "BODY_ALREADY_PARSED",
    });
  });
});

async function nestController(handler: CallHandler): Promise<Mounted> {
  const run = toExpress(handler);
  class ToolsController {
    call(request: ExpressRequest, response: Parameters<typeof run>[1]): void {
      run(request, response);
    }
  }
  const { prototype } = ToolsController;
  Controller("tools")(ToolsController);
  All()(prototype, "call", Object.getOwnPropertyDescriptor(prototype, "call") ?? {});
  Req()(prototype, "call", 0);
  Res()(prototype, "call", 1);
  class AppModule {}
  Module({ controllers: [ToolsController] })(AppModule);
  return listen(await NestFactory.create<NestExpressApplication>(AppModule, { logger: false, rawBody: true }));
}

async function nestOnExpressWithParser(handler: CallHandler): Promise<Mounted> {
  const app = await NestFactory.create<NestExpressApplication>(nestModule(), { logger: false });
  app.useBodyParser("json");
  app.use("/tools", toExpress(handler));
  return listen(app);
}

async function nestOnFastifyWithParser(handler: CallHandler): Promise<Mounted> {
  const app = await NestFactory.create<NestFastifyApplication>(nestModule(), new FastifyAdapter(), { logger: false });
  app.useBodyParser("application/json");
  await app.register(toFastify(handler), { prefix: "/tools" });
  return listen(app);
}
