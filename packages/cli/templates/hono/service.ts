import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { handler } from "./handler.ts";

const port = Number(process.env["PORT"] ?? 3000);
const app = new Hono();
app.post("/tools", (context) => handler(context.req.raw));
serve({ fetch: app.fetch, port }, () => console.log(`the tools are at http://localhost:${port}/tools`));
