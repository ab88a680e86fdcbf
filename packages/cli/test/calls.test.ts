import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Yagate } from "@yagate/client";
import { generateSigningSecret, verifySignature } from "@yagate/protocol";
import { expect, it, onTestFinished } from "vitest";
import { KEYS } from "./support/command.ts";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

it("yagate calls lists by filters, and shows a call with its attempts", async () => {
  const { url, env } = await startGateway();
  const run = (...args: string[]) => runWithInput(["calls", ...args], env);
  const client = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const { id: agent } = await client.agents.create({
    ...{ name: "shop", model: "scripted/turns", tools: [{ builtin: "calculator" }] },
  });
  const toolCalls = [{ name: "calculator", parameters: { expression: "6*7" } }];
  const { id } = await client.agents.execute(agent, {
    ...{ input: "6*7?", script: { turns: [{ toolCalls }, { text: "42" }] } },
  });
  const [call] = await client.executions.toolCalls(id).toArray();
  const callId = call?.id ?? expect.fail("no call");

  await expect
    .poll(() => client.toolCalls.list({ status: "completed" }).toArray(), { timeout: 20_000 })
    .toHaveLength(1);
  const list = await run("list", "--status", "completed", "--tool", "calculator");
  expect(list.output).toMatch(new RegExp(`${callId} .* calculator +completed +- +${id}`));
  const json = await run("list", "--json");
  expect(
    json.output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ id: callId, code: null }]);
  expect((await run("list", "--code", "TIMEOUT")).output).toBe("No tool call matches.\n");
  expect(await run("list", "--status", "done")).toMatchObject({
    status: 2,
    output: expect.stringContaining("expected --status to be one of requested"),
  });

  const shown = await run("show", callId);
  expect(shown).toMatchObject({ status: 0 });
  expect(shown.output).toMatch(new RegExp(`^${callId}\n\nstatus +completed`));
  expect(shown.output).toContain('{"expression":"6*7"}');
  expect(shown.output).toContain("No attempt was sent.");
  expect(JSON.parse((await run("show", callId, "--json")).output)).toMatchObject({ id: callId, executionId: id });
  expect((await run("show", "tc_01jd3v0c8me9kxt3f6r2p5q7sa")).status).not.toBe(0);
});

it("yagate calls redeliver and send repeat a call, with a confirmation if it may write", async () => {
  const secret = generateSigningSecret();
  const arrived: { readonly call: Record<string, unknown>; readonly path: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const call = JSON.parse(`${body}`);
    const isGenuine = await verifySignature(`${request.headers["x-ya-signature"]}`, body, [secret]).then(
      () => true,
      () => false,
    );
    arrived.push({ call, path: `${request.url}` });
    response.writeHead(isGenuine ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify({ result: "refunded" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { url, env } = await startGateway({ allowCidrs: ["127.0.0.0/8"], signingSecret: secret });
  const client = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const handler = `http://127.0.0.1:${port}/refund`;
  const parameters = { type: "object" } as const;
  const { id: agent } = await client.agents.create({
    ...{ name: "shop", model: "scripted/turns", policy: { approval: "never" } },
    tools: [{ name: "refund", description: "Refunds.", parameters, handler, sideEffect: "destructive" }],
  });
  const toolCalls = [{ name: "refund", parameters: { orderId: "ORD-7" } }];
  const script = { turns: [{ toolCalls }, { text: "Done." }] };
  const { id } = await client.agents.execute(agent, { input: "Refund it.", script });
  const [call] = await client.executions.toolCalls(id).toArray();
  const callId = call?.id ?? expect.fail("no call");
  expect(arrived).toHaveLength(1);

  const run = (...args: string[]) => runWithInput(["calls", ...args], { ...env, YAGATE_SIGNING_SECRET: secret });
  const refused = (await run("redeliver", callId)).output;
  expect(refused.match(/may write again: add --confirm if that is intended\n/g)).toHaveLength(1);
  expect(refused.match(/refund may write/g)).toHaveLength(1);
  expect(refused).toContain("\nTry: add --confirm\n");
  expect(arrived).toHaveLength(1);
  const redelivered = await run("redeliver", callId, "--confirm");
  expect(redelivered).toMatchObject({ status: 0, output: expect.stringMatching(/^att_\w+: completed, HTTP 200, /) });
  expect(arrived[1]?.call).toMatchObject({ toolCallId: callId, attempt: 2, parameters: { orderId: "ORD-7" } });
  const shown = JSON.parse((await run("show", callId, "--json")).output);
  expect(shown.redeliveries).toMatchObject([{ kind: "redelivery", httpStatus: 200 }]);

  const to = `http://127.0.0.1:${port}/local`;
  // The URL of the handler never becomes that of the gateway, which would receive the API key.
  expect((await run("redeliver", callId, "--confirm", "--to", to)).output).toMatch(/only workspaces .* may redeliver/);
  expect(arrived).toHaveLength(2);
  const sent = await run("send", callId, "--to", to, "--json");
  expect(JSON.parse(sent.output)).toMatchObject({ url: to, status: 200, body: '{"result":"refunded"}' });
  expect(arrived[2]).toMatchObject({
    path: "/local",
    call: { toolCallId: callId, executionId: id, agentId: agent, name: "refund", audience: to, redelivery: true },
  });
  expect(await run("send", callId, "--to", "https://shop.example/tools")).toMatchObject({
    output: expect.stringContaining("shop.example is not this machine"),
  });
  expect(await run("send", callId)).toMatchObject({ status: 2 });
  const other = { ...env, YAGATE_SIGNING_SECRET: generateSigningSecret() };
  expect(await runWithInput(["calls", "send", callId, "--to", to], other)).toMatchObject({ status: 1 });
  expect(arrived).toHaveLength(4);
});
