import type { GatewayConfig } from "@yagate/gateway";
import { expect } from "vitest";
import { calls, startRawService, toolAt } from "../../../../test/e2e/support/services.ts";
import type { World } from "../../../../test/e2e/support/world.ts";
import { openConsoleWorld } from "./open-console.ts";
import type { WorldIds } from "./page-registry.ts";

export interface FilledWorld {
  readonly world: World;
  readonly ids: WorldIds;
}

const REST_TOOL = {
  rest: {
    name: "lookup_invoice",
    description: "Look up an invoice.",
    method: "GET",
    url: "https://api.example.com/invoices/{invoiceId}",
    parameters: [{ name: "invoiceId", in: "path", type: "string", required: true }],
  },
};

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Orders", version: "1" },
  servers: [{ url: "https://api.example.com/v1" }],
  paths: {
    "/orders/{id}": {
      get: {
        operationId: "getOrder",
        summary: "Get an order",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "The order" } },
      },
    },
  },
};

/** Opens a world in which every page has something to show: one execution has completed, and one waits. */
export async function openFilledWorld(config: Partial<GatewayConfig> = {}): Promise<FilledWorld> {
  const world = await openConsoleWorld({ allowSelfApproval: true, ...config });
  const { client } = world;
  const create = (path: string, method: string, body: unknown) => send(world, path, method, body);
  const service = await startRawService((response) => void response.json({ result: { status: "packed" } }));
  const tool = (name: string, approval: "never" | "always") =>
    toolAt(service.url, { name, approval, sideEffect: approval === "always" ? "non_idempotent_write" : "read_only" });
  const agent = await world.createAgent([tool("lookup_order", "never"), tool("refund", "always")]);
  const done = { turns: [calls("lookup_order"), { text: "done" }] };
  await client.agents.execute(agent.id, { input: "Where is ORD-6?", script: done });
  const turns = [calls("lookup_order"), calls("refund"), { text: "done" }];
  const { id } = await client.agents.start(agent.id, { input: "Where is ORD-7?", script: { turns } });
  const waiting = async () => (await client.approvals.list({ status: "pending" }).page()).data.length;
  const measured = async () => (await client.metrics.series()).series.length;
  await expect.poll(waiting).toBe(1);
  await expect.poll(measured).toBeGreaterThan(0);
  await create("secrets/ORDERS_API_KEY", "PUT", { value: "0123456789abcdef", auth: { type: "bearer" } });
  const { id: toolId } = await create("tools", "POST", { definition: REST_TOOL });
  const { id: sourceId } = await create("tool-sources", "POST", {
    kind: "openapi",
    name: "orders",
    document: DOCUMENT,
  });
  const { data } = await client.executions.toolCalls(id).page();
  const [toolCallId = "", waitingCallId = ""] = data.map((call) => call.id);
  return { world, ids: { executionId: id, toolCallId, waitingCallId, agentId: agent.id, toolId, sourceId } };
}

async function send(
  { url, apiKey }: Pick<World, "url" | "apiKey">,
  path: string,
  method: string,
  body: unknown,
): Promise<{ readonly id: string }> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const response = await fetch(`${url}/v1/${path}`, { method, headers, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
  return (await response.json()) as { readonly id: string };
}
