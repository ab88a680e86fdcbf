import { createMemoryIdempotencyStore } from "@yagate/handler";
import { toolHandler } from "@yagate/handler/express";
import express from "express";
import { serve } from "./serve.ts";

const app = express();
app.post(
  "/tool",
  toolHandler({
    secrets: process.argv[2],
    name: "lookup_order",
    description: "Look up an order.",
    parameters: { type: "object" },
    idempotency: createMemoryIdempotencyStore(),
    execute: (parameters) => ({ echoed: Object.keys(parameters).length }),
  }),
);
await serve(app);
