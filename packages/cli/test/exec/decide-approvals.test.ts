import { PassThrough } from "node:stream";
import { Yagate } from "@yagate/client";
import { describe, expect, it } from "vitest";
import { decideApprovals } from "../../src/exec/decide-approvals.ts";
import { KEYS } from "../support/command.ts";
import { startGateway } from "../support/gateway.ts";
import { runCheck } from "../support/run-check.ts";

/** An agent whose calls all need an approval; the key may decide about its own executions, as in `yagate dev`. */
async function openTill() {
  const { url, env } = await startGateway({ allowSelfApproval: true });
  const client = new Yagate({ baseUrl: url, apiKey: KEYS.YAGATE_API_KEY });
  const { id } = await client.agents.create({
    ...{ name: "Till", model: "scripted/keyword", policy: { approval: "always" } },
    tools: [{ builtin: "calculator" }],
  });
  return { client, id, env };
}

describe("yagate exec --approve", () => {
  it("deny denies each call, and the agent goes on without it", async () => {
    const { client, env } = await openTill();
    const { status, stderr } = await runCheck(["exec", "Till", "What is 6*7?", "--approve", "deny"], { env });
    expect(status).toBe(0);
    expect(stderr).toMatch(/^apr_\w+ was denied: calculator$/m);
    const [execution] = (await client.executions.list().page()).data;
    const calls = await client.executions.toolCalls(execution?.id ?? "").toArray();
    expect(calls.map((call) => call.status)).toEqual(["denied"]);
  });

  it.each<[string, string]>([
    ["y\n", "completed"],
    ["\n", "denied"],
  ])("ask shows the call as it would be sent, and %j leads to a call that is %s", async (line, expected) => {
    const { client, id } = await openTill();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const terminal = { isInteractive: true, input, output };
    input.write(line);
    const execution = await client.agents.execute(id, {
      input: "What is 6*7?",
      onWaiting: (waiting) => decideApprovals(client, waiting, "ask", terminal),
    });
    expect(execution.toolCalls.map(({ status }) => status)).toEqual([expected]);
    expect(`${output.read()}`).toMatch(/apr_\w+\n[\s\S]*arguments +\{"expression":[\s\S]*Approve this call\? \[y\/N\]/);
  });

  it.each<[string, RegExp]>([
    ["ask", /expected a terminal for --approve ask\n/],
    ["always", /expected --approve to be ask or deny, but got always\n/],
  ])("%s is refused before anything runs", async (mode, message) => {
    const { client, env } = await openTill();
    const refused = await runCheck(["exec", "Till", "What is 6*7?", "--approve", mode], { env });
    expect(refused).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(message) });
    expect(await client.executions.list().toArray()).toEqual([]);
  });
});
