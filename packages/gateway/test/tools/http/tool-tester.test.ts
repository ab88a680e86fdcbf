import type { CompleteToolDefinition } from "@yagate/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEgressGuard } from "../../../src/egress/guard.ts";
import { newId } from "../../../src/ids.ts";
import { createArgumentValidator } from "../../../src/tools/arguments/argument-validator.ts";
import { builtinTools } from "../../../src/tools/builtin/builtin-tools.ts";
import { createToolTester } from "../../../src/tools/tool-tester.ts";
import { createWorld } from "../../dispatch/support/dispatch-world.ts";
import { lookup, startService, TOKEN } from "./support/network-world.ts";

const service = await startService();

async function tester() {
  const { dispatcher } = await createWorld();
  const egress = createEgressGuard({ allowCidrs: ["127.0.0.0/8"], ports: "any", lookup });
  onTestFinished(() => egress.close());
  const secret = { value: TOKEN, hosts: ["api.shop.test"], auth: { type: "bearer" } } as const;
  return createToolTester({
    dispatcher,
    builtins: builtinTools(),
    argumentValidator: createArgumentValidator(),
    network: {
      egress,
      secrets: { open: async (_workspace, name) => (name === "SHOP" ? secret : undefined) },
      limits: { admit: async () => undefined, responseBytes: async () => 1_000, creditsPerCall: async () => 0.5 },
      integrations: { enabled: async () => [] },
      ports: [443],
      hasOpenedNetworks: true,
      now: Date.now,
    },
    now: Date.now,
    newId,
  });
}

const tool = {
  rest: {
    name: "get_order",
    description: "Reads an order.",
    method: "GET",
    url: service.url("/orders/{id}"),
    parameters: [{ name: "id", in: "path", type: "string" }],
    credential: "SHOP",
    approval: "always",
  },
} satisfies CompleteToolDefinition;

describe("a test of a tool", () => {
  it("makes a real call and tells what came of it", async () => {
    const { test } = await tester();
    const outcome = await test({ workspaceId: "ws_01", definition: tool, parameters: { id: "7" } });
    expect(outcome).toEqual({
      ok: true,
      httpStatus: 200,
      durationMs: expect.any(Number),
      result: { status: 200, contentType: "application/json", body: { ok: true } },
    });
    expect(service.requests.at(-1)).toMatchObject({ url: "/orders/7", headers: { authorization: `Bearer ${TOKEN}` } });
  });

  it("tells why it failed", async () => {
    const { test } = await tester();
    service.respond = (_request, response) => response.writeHead(404).end("gone");
    const outcome = await test({ workspaceId: "ws_01", definition: tool, parameters: { id: "7" } });
    expect(outcome).toMatchObject({
      ok: false,
      httpStatus: 404,
      error: { code: "HANDLER_ERROR", details: { body: "gone" } },
    });
    expect(await test({ workspaceId: "ws_01", definition: tool, parameters: {} })).toMatchObject({
      ok: false,
      error: { code: "INVALID_ARGUMENTS" },
    });
  });
});
