import "reflect-metadata";
import { type INestApplication, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { toExpress } from "../../../src/express.ts";
import { toFastify } from "../../../src/fastify.ts";
import type { CallHandler } from "../../../src/index.ts";
import type { Adapter, Mounted } from "../adapter.ts";
import { connectTo } from "../connect.ts";
import { portOf } from "../mount-server.ts";

/** A module with nothing in it; written as calls, since type stripping leaves decorators where they are. */
export function nestModule() {
  class AppModule {}
  Module({})(AppModule);
  return AppModule;
}

async function nestOnExpress(handler: CallHandler): Promise<Mounted> {
  const app = await NestFactory.create<NestExpressApplication>(nestModule(), {
    logger: false,
    forceCloseConnections: true,
  });
  app.use("/tools", toExpress(handler));
  return listen(app);
}

async function nestOnFastify(handler: CallHandler): Promise<Mounted> {
  const adapter = new FastifyAdapter({ forceCloseConnections: true });
  const app = await NestFactory.create<NestFastifyApplication>(nestModule(), adapter, { logger: false });
  await app.register(toFastify(handler), { prefix: "/tools" });
  return listen(app);
}

/** Serves an application on a free port of this machine. */
export async function listen(app: INestApplication): Promise<Mounted> {
  await app.listen(0, "127.0.0.1");
  return { ...connectTo({ port: portOf(app.getHttpServer().address()), path: "/tools" }), close: () => app.close() };
}

export const nestAdapters: readonly Adapter[] = [
  { name: "NestJS on Express, beside its body parser", mount: nestOnExpress },
  { name: "NestJS on Fastify, beside its body parser", mount: nestOnFastify },
];
