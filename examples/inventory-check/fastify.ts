import { toFastify } from "@yagate/handler/fastify";
import fastify from "fastify";
import { handler } from "./handler.ts";

const app = fastify();
app.register(toFastify(handler), { prefix: "/tools" });

const address = await app.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" });
console.log(`listening on ${address}`);
