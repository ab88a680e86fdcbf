import { Yagate } from "@yagate/client";
import { expect, it } from "vitest";
import { KEYS } from "./support/command.ts";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

it("yagate executions lists by filters, shows, follows and cancels", async () => {
  const { url, env } = await startGateway();
  const run = (...args: string[]) => runWithInput(["executions", ...args], env);
  const client = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const { id: agent } = await client.agents.create({ name: "shop", model: "scripted/turns" });
  const { id: broken } = await client.agents.create({ name: "broken", model: "anthropic/claude-sonnet-4" });
  const script = { turns: [{ text: "It is packed." }] };
  const metadata = { orderId: "ORD-7", env: "prod" };
  const done = await client.agents.execute(agent, { input: "Where is\nORD-7?", script, metadata });
  const failed = await client.agents.execute(broken, { input: "Anyone?", metadata: { env: "prod" } });

  const idsOf = async (query: object) => (await client.executions.list(query).toArray()).map(({ id }) => id);
  expect(await idsOf({ metadata: { env: "prod" }, limit: 1 })).toEqual([failed.id, done.id]);
  expect(await idsOf({ metadata: { env: "prod", orderId: "ORD-7" }, agent, status: "completed" })).toEqual([done.id]);
  expect(await idsOf({ code: "NOT_CONFIGURED", since: done.createdAt, until: "2099-01-01T00:00:00Z" })).toEqual([
    failed.id,
  ]);
  const createdAt = new Date(failed.createdAt);
  expect(await idsOf({ since: createdAt, until: new Date(createdAt.getTime() + 1) })).toContain(failed.id);
  expect(await client.audit.list({ since: new Date("2099-01-01") }).toArray()).toEqual([]);
  expect(() => client.executions.list({ agentId: agent } as object)).toThrow(/agentId/);

  const list = await run("list", "--status", "completed", "--metadata", "orderId=ORD-7", "--since", "1h");
  expect(list).toMatchObject({ status: 0 });
  expect(list.output.trimEnd().split("\n")).toHaveLength(2);
  expect(list.output).toMatch(new RegExp(`${done.id}.* completed +final +${agent}@1 +Where is\\\\nORD-7\\?`));
  const json = await run("list", "--json", "--code", "NOT_CONFIGURED");
  expect(
    json.output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ id: failed.id }]);
  expect((await run("list", "--agent", "shop")).output).toContain(done.id);
  expect(await run("list", "--agent", "shops")).toMatchObject({
    status: 2,
    output: expect.stringContaining("no agent is named shops"),
  });
  const silent = await client.agents.execute(agent, { input: "Well?", script: { turns: [{ text: "" }] } });
  expect(await idsOf({ stopReason: "empty" })).toEqual([silent.id]);
  const stopped = await run("list", "--stop-reason", "empty");
  expect(stopped.output.trimEnd().split("\n")).toHaveLength(2);
  expect(stopped.output).toContain(silent.id);
  expect(await run("list", "--stop-reason", "max-tokens")).toMatchObject({
    status: 2,
    output: expect.stringContaining("expected --stop-reason to be one of final, refused, truncated"),
  });
  expect(await run("list", "--status", "done")).toMatchObject({ status: 2 });
  expect(await run("list", "--metadata", "env=prod", "--metadata", "env=test")).toMatchObject({ status: 2 });
  expect(JSON.parse((await run("show", done.id)).output)).toMatchObject({ id: done.id, metadata, toolCalls: [] });

  const followed = await run("follow", done.id);
  expect(followed).toMatchObject({ status: 0 });
  expect(followed.output).toMatch(/^1 \S+ execution\.started .*\n(?:.*\n)*\d+ \S+ execution\.completed /);
  const events = await run("follow", failed.id, "--json");
  expect(events.status).toBe(1);
  expect(JSON.parse(events.output.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ type: "execution.failed" });
  expect((await run("cancel", done.id)).output).toBe(`${done.id} has ended: completed.\n`);
  expect(JSON.parse((await run("cancel", done.id, "--json")).output)).toMatchObject({ status: "completed" });
});

it("yagate executions replay starts a new execution, and lists the tools that may write", async () => {
  const { url, env } = await startGateway();
  const run = (...args: string[]) => runWithInput(["executions", ...args], env);
  const client = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const { id: agent } = await client.agents.create({
    ...{ name: "shop", model: "scripted/turns", webhookUrls: ["https://shop.example/tools"] },
    tools: [
      {
        ...{ name: "refund", description: "Refunds an order.", parameters: { type: "object" } },
        ...{ handler: "https://shop.example/tools", sideEffect: "non_idempotent_write" },
      },
    ],
  });
  const script = { turns: [{ text: "It is packed." }] };
  const done = await client.agents.execute(agent, { input: "Where is ORD-7?", script });

  const replayed = JSON.parse((await run("replay", done.id, "--json")).output);
  expect(replayed).toMatchObject({ replayOf: done.id, agentId: agent });
  expect(await client.executions.events(replayed.id).result()).toMatchObject({ output: { text: "It is packed." } });
  const refused = await run("replay", done.id, "--live");
  expect(refused.status).toBe(2);
  expect(refused.output).toContain("a live replay may write again: add --confirm if that is intended\n");
  expect(refused.output).toContain("\nTry: add --confirm\n");
  expect(refused.output).not.toMatch(/confirm: |see errors/);
  expect(refused.output).toContain("refund may write (non_idempotent_write)");
  const live = await run("replay", done.id, "--live", "--confirm", "--from-turn", "1");
  expect(live).toMatchObject({
    status: 0,
    output: expect.stringMatching(
      new RegExp(`^(exec_\\w+) replays ${done.id}; its status is queued\\.\n[^\n]+ executions follow \\1\n$`),
    ),
  });
  expect(await run("replay", done.id, "--from-turn", "0")).toMatchObject({ status: 2 });
});
