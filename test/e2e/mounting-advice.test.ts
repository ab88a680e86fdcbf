import { createHandler, defineTool } from "@yagate/handler";
import { toExpress } from "@yagate/handler/express";
import { generateSigningSecret } from "@yagate/protocol";
import express, { type RequestHandler } from "express";
import { expect, it } from "vitest";
import { openHostileWorld, toldLast } from "./support/hostile-world.ts";
import { listen, toolAt } from "./support/services.ts";

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const TURNS = [
  { calls: [{ id: "call_1", name: "lookup_order", arguments: '{"orderId":"ORD-1"}' }] },
  { text: "I could not look it up." },
];

interface Misplaced {
  readonly before?: RequestHandler;
  readonly secret?: string;
  readonly audience?: string;
}

it.each<[string, Misplaced, string, RegExp]>([
  ["behind a body parser", { before: express.json() }, "BODY_ALREADY_PARSED", /app\.use\(express\.json\(\)\)/],
  ["for another URL", { audience: "https://orders.example.com/tools" }, "PAYLOAD_INVALID", /audience/],
  ["with another secret", { secret: generateSigningSecret() }, "SIGNATURE_MISMATCH", /^HTTP 401/],
])(
  "a handler that is mounted %s: its developers learn how to mount it, and the model does not",
  async (_name, options, code, advice) => {
    const { before = (_request, _response, next) => next(), audience } = options;
    const world = await openHostileWorld(TURNS);
    const tool = defineTool({
      name: "lookup_order",
      description: "Looks up an order.",
      parameters: { type: "object" },
      execute: () => "shipped",
    });
    const secrets = options.secret ?? world.secret;
    const handler = createHandler({ secrets, audience, tools: [tool], logger: SILENT });
    const app = express().use(before).post("/tools", toExpress(handler));
    const { toolCalls } = await world.ask({}, { tools: [toolAt(`${await listen(app)}/tools`)] });

    expect(toolCalls).toMatchObject([
      { status: "failed", error: { code, source: "handler", developerMessage: expect.stringMatching(advice) } },
    ]);
    expect(JSON.parse(toldLast(world.model)[0] ?? "")).toEqual({
      error: {
        code,
        message: "the tool's service rejected the call because of its configuration",
        hint: "continue without this tool: only its operator can change that",
        retryable: false,
        outcome: "none",
      },
    });
  },
);
