import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Yagate } from "@yagate/client";
import { expect, it, onTestFinished } from "vitest";
import { KEYS } from "./support/command.ts";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

const CALL = { name: "lookup_order", parameters: { orderId: "ORD-7" } };

async function openDesk() {
  const { url, env } = await startGateway({ allowCidrs: ["127.0.0.0/8"] });
  // As a handler that holds another signing secret.
  const refusal = { code: "SIGNATURE_MISMATCH", message: "SIGNATURE_MISMATCH", retryable: false };
  const service = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(401).end(JSON.stringify({ error: refusal })));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void service.close());
  const handler = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
  const app = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const parameters = { type: "object", properties: { orderId: { type: "string" } } } as const;
  const tool = { ...CALL, description: "Looks up an order.", parameters, handler, sideEffect: "read_only" } as const;
  await app.agents.create({ name: "Desk", model: "scripted/turns", tools: [tool] });
  const run = (args: readonly string[], turns: readonly object[] = []) =>
    runWithInput(args, env, JSON.stringify({ turns }));
  return { app, run };
}

const EXEC = ["exec", "Desk", "Where?", "--script", "-"];

it("yagate exec says why an execution ended, unless it came to its own end, and what it cost", async () => {
  const { run } = await openDesk();
  const turns = [{ text: "I look.", toolCalls: [CALL] }, { text: "It is packed." }];
  for (const mode of [[], ["--follow"]]) {
    const stopped = await run([...EXEC, ...mode, "--max-tokens", "5"], turns);
    expect(stopped.status).toBe(0);
    expect(stopped.output).toMatch(/\nexec_\w+ completed: maxTotalTokens\n/);
    expect(stopped.output).not.toContain("USD");
  }
  expect((await run(EXEC, [{ text: "" }])).output).toMatch(/\nexec_\w+ completed: empty\n/);
  const whole = await run([...EXEC, "--max-cost", "0.5"], [{ text: "It is packed." }]);
  expect(whole.output).toMatch(/\nexec_\w+ cost 0 USD\n/);
  expect(whole.output).not.toContain("completed:");
  const wrong = await run([...EXEC, "--max-cost", "much", "--max-tokens", "0"], [{ text: "It is packed." }]);
  expect(wrong).toMatchObject({ status: 2 });
  expect(wrong.output).toMatch(
    /^✕ \w+ {2}--max-cost: expected number.*\n {2}--max-tokens: expected .*\nTry: yagate exec --help\n/,
  );
});

it("yagate exec says what to do about a call that failed, and executions show has it", async () => {
  const { app, run } = await openDesk();
  const advice = /HTTP 401: check that both sides use the same signing secret/;
  for (const mode of [[], ["--follow"]]) {
    const { output } = await run([...EXEC, ...mode], [{ toolCalls: [CALL] }, { text: "It failed." }]);
    expect(output).toMatch(
      new RegExp(`lookup_order {"orderId":"ORD-7"}: failed SIGNATURE_MISMATCH: .* configuration\n  ${advice.source}`),
    );
  }
  const [execution] = (await app.executions.list().page()).data;
  const shown = await run(["executions", "show", execution?.id ?? ""]);
  expect(JSON.parse(shown.output)).toMatchObject({
    id: execution?.id,
    toolCalls: [{ name: "lookup_order", error: { developerMessage: expect.stringMatching(advice) } }],
  });
});

it("yagate exec reads its input, stores metadata, and leaves an execution to itself with --detach", async () => {
  const { url, env } = await startGateway();
  const app = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  await app.agents.create({ name: "Desk", model: "scripted/keyword" });
  const given = ["--detach", "--metadata", "orderId=ORD-7", "--metadata", "shop=Lisbon=2"];
  const started = await runWithInput(["exec", "Desk", "-", ...given], env, "Where is\nORD-7?\n");
  const [, id = ""] = /^(exec_\w+)\nyagate executions follow \1\n$/.exec(started.output) ?? [];
  expect(started.status).toBe(0);
  await expect.poll(async () => (await app.executions.get(id)).status).toBe("completed");
  expect(await app.executions.get(id)).toMatchObject({
    ...{ input: "Where is\nORD-7?", metadata: { orderId: "ORD-7", shop: "Lisbon=2" } },
  });
  const found = await runWithInput(["executions", "list", "--metadata", "orderId=ORD-7", "--json"], env);
  expect(JSON.parse(found.output)).toMatchObject({ id });
  for (const [metadata, message] of [
    ["orderId", /expected --metadata name=value/],
    ["=ORD-7", /expected --metadata name=value/],
  ] as const) {
    const refused = await runWithInput(["exec", "Desk", "Where?", "--metadata", metadata], env);
    expect(refused).toEqual({ status: 2, output: expect.stringMatching(message) });
  }
});
