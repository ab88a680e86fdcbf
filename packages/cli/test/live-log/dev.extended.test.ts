import { Yagate } from "@yagate/client";
import { describe, expect, it } from "vitest";
import { startCommand, startListening } from "../support/command.ts";
import { makeFolder } from "../support/folder.ts";

const API_KEY = "yk_0123456789abcdef0123456789abcdef";

const CALCULATOR = { builtin: "calculator" } as const;
/** An agent whose only handler cannot be reached. */
const OWN_AGENT = {
  name: "Desk",
  model: "scripted/keyword",
  tools: [
    {
      name: "lookup_order",
      description: "Look up an order.",
      parameters: { type: "object", properties: {} },
      handler: "http://127.0.0.1:9/tools",
    },
  ],
};

async function startDev(args: readonly string[], cwd: string) {
  const dev = await startListening(["dev", "--port", "0", ...args], { cwd, env: { YAGATE_API_KEY: API_KEY } });
  return { ...dev, client: new Yagate({ baseUrl: dev.url, apiKey: API_KEY }) };
}

describe("the live log of yagate dev", () => {
  it("shows the demo agent's execution in a new data directory: a retry, a failure with its cause, and the end", async () => {
    const cwd = await makeFolder();
    const dev = await startDev([], cwd);
    const [, id = ""] = await dev.until(/^\d\d:\d\d:\d\d (exec_\w{26}) ✓ completed in .+, 2 tool calls$/m);
    const lines = dev.output().split("\n");
    const steps = lines.filter((line) => line.includes(id)).map((line) => line.slice(`hh:mm:ss ${id} `.length));
    expect(steps[0]).toMatch(/^ {2}Demo starts: "Where is order ORD-12345, /);
    expect(steps[1]).toMatch(/^ {2}scripted\/keyword → calls lookup_order, shipping_quote, \d+ tokens, /);
    expect(steps).toContainEqual(expect.stringMatching(/^✕ lookup_order → 200 DATABASE_BUSY .+ \(attempt 1, next /));
    expect(steps).toContainEqual(expect.stringMatching(/^✕ CARRIER_DOWN shipping_quote: the carrier's price service/));
    expect(steps).toContainEqual(expect.stringMatching(/^ {2}lookup_order → 200 \d+ ms$/));
    expect(dev.output()).not.toContain("\u001b");
    expect(await dev.stop("SIGINT")).toBe(0);

    const again = await startDev([], cwd);
    const [agent, ...others] = await again.client.agents.list().toArray();
    expect(others).toEqual([]);
    if (agent === undefined) throw new Error("expected the demo agent");
    const { status, toolCalls } = await again.client.agents.execute(agent.id, { input: "Where is ORD-67890?" });
    expect(status).toBe("completed");
    expect(toolCalls).toMatchObject([{ name: "lookup_order", status: "completed" }]);
    expect(await again.client.executions.list().toArray()).toHaveLength(2);
  });

  it("names a handler that cannot be reached, and what to do", async () => {
    const dev = await startDev(["--no-demo"], await makeFolder());
    expect(await dev.client.agents.list().toArray()).toEqual([]);
    const { id } = await dev.client.agents.create(OWN_AGENT);
    await dev.client.agents.execute(id, { input: "Look up an order" });
    await dev.until(/✕ NETWORK_ERROR lookup_order: .+\n(?: {4}cause: .+\n)? {4}Try: check that the handler is running/);
    await dev.until(/errors\.md#NETWORK_ERROR$/m);
  });

  it("leaves a workspace alone whose agents only resemble the demo agent", async () => {
    const cwd = await makeFolder();
    const dev = await startDev(["--no-demo"], cwd);
    const own = await dev.client.agents.create({ ...OWN_AGENT, name: "Demo" });
    await dev.stop();
    const again = await startDev([], cwd);
    expect(await again.client.agents.list().toArray()).toEqual([expect.objectContaining({ id: own.id, version: 1 })]);
    expect(await again.client.executions.list().toArray()).toEqual([]);
  });

  it("connects the demo agent again and keeps what was changed in it", async () => {
    const cwd = await makeFolder();
    const dev = await startDev([], cwd);
    await dev.until(/ ✓ completed in /);
    const [demo] = await dev.client.agents.list().toArray();
    if (demo === undefined) throw new Error("expected the demo agent");
    // As if an earlier start had found another port.
    const tools = demo.tools.map((tool) =>
      "handler" in tool ? { ...tool, handler: "http://127.0.0.1:4999/yagate-demo/tools" } : tool,
    );
    await dev.client.agents.update(demo.id, { name: "Renamed", tools: [...tools, CALCULATOR] });
    await dev.stop();
    const again = await startDev([], cwd);
    const connected = async () => (await again.client.agents.get(demo.id)).version;
    await expect.poll(connected, { timeout: 10_000 }).toBe(3);
    expect(await again.client.agents.get(demo.id)).toMatchObject({
      name: "Renamed",
      tools: [...demo.tools, CALCULATOR],
    });
  });

  it("prints each event as an object with --json, and nothing else on standard output", async () => {
    const dev = startCommand(["dev", "--port", "0", "--json"], { cwd: await makeFolder() });
    await dev.until(/"type":"execution\.completed".*\n/);
    const [listening, ...events] = dev
      .output()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(listening).toMatchObject({ type: "listening", url: expect.stringMatching(/^http:/) });
    expect(events.map(({ type }) => type)).toEqual(events.map(() => "event"));
    expect(events.map(({ event }) => event.seq)).toEqual(events.map((_, index) => index + 1));
  });

  it("is silent with --quiet", async () => {
    const dev = await startDev(["--quiet", "--no-demo"], await makeFolder());
    const { id } = await dev.client.agents.create({ name: "Own", model: "scripted/keyword" });
    await dev.client.agents.execute(id, { input: "Hello" });
    await dev.stop();
    expect(dev.output()).not.toContain("exec_");
  });
});
