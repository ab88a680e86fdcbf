import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { handler } from "./handler.ts";

const app = new Hono();
app.post("/tools", (context) => handler(context.req.raw));

serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000), hostname: "127.0.0.1" }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});
