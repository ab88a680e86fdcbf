import { Yagate } from "@yagate/client";
import { expect, it } from "vitest";
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
