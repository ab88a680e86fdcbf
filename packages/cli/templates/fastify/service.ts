import { toFastify } from "@yagate/handler/fastify";
import fastify from "fastify";
import { handler } from "./handler.ts";

const port = Number(process.env["PORT"] ?? 3000);
const app = fastify();
app.register(toFastify(handler), { prefix: "/tools" });
await app.listen({ port });
console.log(`the tools are at http://localhost:${port}/tools`);
