import { completeToolCall } from "@yagate/handler/callback";
import { expect, it } from "vitest";
import { startDeferringService } from "../e2e/support/deferring-service.ts";
import { calls, toolAt } from "../e2e/support/services.ts";
import { followToEnd } from "./applicant.ts";
import { GatewayProcess } from "./gateway-process.ts";

const TURNS = [calls("lookup_order", "lookup_order"), { text: "done" }];

it("results are brought to a gateway that was killed while it waited for them, and while it took them", {
  timeout: 60_000,
}, async () => {
  const gateway = await GatewayProcess.prepare();
  await gateway.start();
  const secrets = gateway.signingSecret;
  const service = await startDeferringService(secrets);
  const { client } = gateway;
  const tool = toolAt(service.url, { async: true, sideEffect: "non_idempotent_write" });
  const agent = await client.agents.create({ name: "Crash", model: "scripted/turns", tools: [tool] });
  const { id } = await client.agents.start(agent.id, { input: "go", script: { turns: TURNS } });
  for await (const { type } of client.executions.events(id)) if (type === "execution.waiting") break;
  const [first, second] = [await service.deferred(), await service.deferred()];

  await gateway.kill();
  const isDown = completeToolCall(first, { result: 1 }, { secrets, timeoutMs: 300 });
  await expect(isDown).rejects.toMatchObject({ code: "CONNECTION_FAILED" });

  // Brought until the gateway is there again; then it dies in the moment in which it has said that it took it.
  const brought = completeToolCall(first, { result: 1 }, { secrets, timeoutMs: 30_000 });
  await gateway.start();
  await brought;
  await gateway.kill();
  await gateway.start();
  await completeToolCall(first, { result: 1 }, { secrets });
  await expect(completeToolCall(first, { result: 2 }, { secrets })).rejects.toMatchObject({ code: "CONFLICT" });
  await completeToolCall(second, { result: 2 }, { secrets });

  const events = await followToEnd(gateway, id);
  const ends = events.filter(({ type }) => type === "tool_call.completed");
  const expected = [first, second].map(({ toolCallId }, index) => ({ toolCallId, result: index + 1, via: "callback" }));
  expect(ends).toMatchObject(expected);
  expect(events.filter(({ type }) => type === "callback.received")).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ type: "execution.completed" });
  expect(service.runs).toBe(2);
  expect(gateway.output).not.toMatch(/"level":50/);
});
