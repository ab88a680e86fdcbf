import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Approval, Yagate } from "@yagate/client";
import { createGateway } from "@yagate/gateway";
import { generateSigningSecret, type Script } from "@yagate/protocol";
import { describe, expect, it, onTestFinished } from "vitest";
import { startRawService, toolAt } from "./support/services.ts";

const apiKey = "yk_e2e_0123456789abcdef0123456789abcdef";
const TWO_REFUNDS: Script["turns"] = [
  {
    toolCalls: [
      { name: "refund", parameters: { orderId: "ORD-1" } },
      { name: "refund", parameters: { orderId: "ORD-2" } },
    ],
  },
  { text: "Both are settled." },
];

/** The application's client, and that of whoever approves, of one run of the gateway. */
interface Clients {
  readonly app: Yagate;
  readonly lead: Yagate;
}

/** A gateway that can be stopped and started again over the same data, with an execution that asks twice. */
async function openShop() {
  const dataDir = await mkdtemp(join(tmpdir(), "yagate-e2e-"));
  const signingSecret = generateSigningSecret();
  let stop = async () => {};
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const service = await startRawService((response, { body }) => {
    response.json({ result: { refunded: JSON.parse(String(body)).parameters } });
  });

  async function start(leadKey?: string): Promise<Clients> {
    const options = { port: 0, dataDir, apiKey, signingSecret, drainMs: 0, logLevel: "silent" } as const;
    const gateway = createGateway({ ...options, allowCidrs: ["127.0.0.0/8"] });
    const { url: baseUrl } = await gateway.start();
    stop = () => gateway.stop();
    const app = new Yagate({ baseUrl, apiKey });
    const key = leadKey ?? (await app.apiKeys.create({ name: "lead", scopes: ["approvals"] })).key;
    lastKey = key;
    return { app, lead: new Yagate({ baseUrl, apiKey: key }) };
  }

  let lastKey: string | undefined;
  const clients = await start();
  const agent = await clients.app.agents.create({
    name: "Order desk",
    model: "scripted/turns",
    tools: [toolAt(service.url, { name: "refund", sideEffect: "destructive" })],
  });
  const { id } = await clients.app.agents.start(agent.id, { input: "Refund both.", script: { turns: TWO_REFUNDS } });
  for await (const { type } of clients.app.executions.events(id)) if (type === "execution.waiting") break;
  return { id, agent, dataDir, service, clients, stop: () => stop(), restart: () => start(lastKey) };
}

const pendingOf = async (lead: Yagate): Promise<readonly Approval[]> =>
  (await lead.approvals.list({ status: "pending" }).toArray()).toReversed();

it("a client that is told what its execution waits for can have it answered, and gets the end", async () => {
  const { agent, clients } = await openShop();
  const reported: string[] = [];
  const answered = new Set<string>();
  const { status, toolCalls } = await clients.app.agents.execute(agent.id, {
    input: "Refund both.",
    script: { turns: TWO_REFUNDS },
    maxWaitMs: 60_000,
    async onWaiting({ reason, calls }) {
      reported.push(reason, ...calls.map(({ toolName }) => toolName));
      for (const { approvalId } of calls) {
        if (approvalId === undefined || answered.has(approvalId)) continue;
        answered.add(approvalId);
        await clients.lead.approvals.approve(approvalId);
      }
    },
  });
  expect(reported.slice(0, 3)).toEqual(["approval", "refund", "refund"]);
  expect([status, ...toolCalls.map((call) => call.status)]).toEqual(["completed", "completed", "completed"]);
});

describe("approvals over a restart of the gateway", () => {
  it("are answered afterwards, in any order; each call is sent once, as it was shown", async () => {
    const shop = await openShop();
    const before = await pendingOf(shop.clients.lead);
    await shop.stop();
    const { app, lead } = await shop.restart();
    expect(await pendingOf(lead)).toEqual(before);
    expect((await app.executions.get(shop.id)).status).toBe("waiting");

    const [first, second] = before;
    await lead.approvals.approve(second?.id ?? "");
    await lead.approvals.approve(first?.id ?? "", { parameters: { orderId: "ORD-9" } });
    const result = await app.executions.events(shop.id).result();
    expect(result).toMatchObject({
      status: "completed",
      output: { text: "Both are settled." },
      toolCalls: [
        { parameters: { orderId: "ORD-9" }, result: { refunded: { orderId: "ORD-9" } } },
        { parameters: { orderId: "ORD-2" }, result: { refunded: { orderId: "ORD-2" } } },
      ],
    });
    expect(shop.service.calls).toHaveLength(2);
    await expect(lead.approvals.approve(first?.id ?? "")).rejects.toMatchObject({ status: 409 });
  });

  it("that were given right before it count after it", async () => {
    const shop = await openShop();
    const [first, second] = await pendingOf(shop.clients.lead);
    await shop.clients.lead.approvals.deny(first?.id ?? "", { reason: "not this one" });
    await shop.stop();
    const { app, lead } = await shop.restart();
    await lead.approvals.approve(second?.id ?? "");
    const { toolCalls } = await app.executions.events(shop.id).result();
    expect(toolCalls.map(({ status }) => status)).toEqual(["denied", "completed"]);
    expect(shop.service.calls).toHaveLength(1);
  });

  it("are for what was shown: a definition that was changed behind the gateway's back is not called", async () => {
    const shop = await openShop();
    await shop.stop();
    const other = await startRawService((response) => void response.json({ result: "stolen" }));
    const database = new DatabaseSync(join(shop.dataDir, "journal.db"));
    database
      .prepare("UPDATE agent_versions SET definition = replace(definition, ?, ?) WHERE agent_id = ?")
      .run(shop.service.url, other.url, shop.agent.id);
    database.close();
    const { app, lead } = await shop.restart();
    const [first, second] = await pendingOf(lead);
    await expect(lead.approvals.approve(first?.id ?? "")).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining("the request has changed since it was shown"),
    });
    await lead.approvals.deny(first?.id ?? "");
    await lead.approvals.deny(second?.id ?? "");
    expect(await app.executions.events(shop.id).result()).toMatchObject({ status: "completed" });
    expect([shop.service.calls.length, other.calls.length]).toEqual([0, 0]);
  });
});
