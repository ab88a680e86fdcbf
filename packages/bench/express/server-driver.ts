import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createMemoryIdempotencyStore } from "@yagate/handler";
import { toolHandler } from "@yagate/handler/express";
import express, { type RequestHandler } from "express";
import { reportCpu } from "../block-driver.ts";
import { createSynchronousVerifier } from "../verification/synchronous-verifier.ts";
import { createRememberingHandler } from "./remembering-handler.ts";

// Serves one tool and reports its CPU time whenever the parent asks.
const [side, secret] = process.argv.slice(2);
if (secret === undefined) throw new Error("expected a signing secret");

const readBytes = express.raw({ type: () => true, limit: "1mb" });
const handlers: Readonly<Record<string, () => RequestHandler[]>> = {
  kit: () => [
    toolHandler({
      secrets: secret,
      name: "lookup_order",
      description: "Look up an order.",
      parameters: { type: "object" },
      idempotency: createMemoryIdempotencyStore(),
      execute: (parameters) => ({ echoed: Object.keys(parameters).length }),
    }),
  ],
  verifying() {
    const verify = createSynchronousVerifier(secret, Date.now);
    return [
      readBytes,
      (request, response) => {
        const { parameters } = verify(request.get("x-ya-signature") ?? "", request.body);
        response.json({ result: { echoed: Object.keys(parameters as object).length } });
      },
    ];
  },
  remembering: () => [
    readBytes,
    createRememberingHandler(secret, async (parameters) => ({ echoed: Object.keys(parameters).length })),
  ],
};

const app = express();
app.post("/tool", ...(handlers[side ?? ""]?.() ?? []));
const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
reportCpu(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
