import { Yagate } from "@yagate/client";
import { expect, it } from "vitest";
import { KEYS, startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";

const apiKey = KEYS.YAGATE_API_KEY;

/** An approval of a call of an execution that the same key has started. */
async function askOf(baseUrl: string) {
  const client = new Yagate({ baseUrl, apiKey });
  const tools = [{ builtin: "calculator" as const }];
  const policy = { approval: "always" as const };
  const agent = await client.agents.create({ name: "Sums", model: "scripted/turns", tools, policy });
  const turns = [{ toolCalls: [{ name: "calculator", parameters: { expression: "6*7" } }] }, { text: "42" }];
  for await (const event of client.agents.stream(agent.id, { input: "6*7?", script: { turns } })) {
    if (event.type === "approval.requested") return { client, approvalId: event.approvalId };
  }
  throw new Error("expected that somebody is asked");
}

it("yagate dev lets its one key approve what it has started, and the record says so", async () => {
  const { url } = await startListening(["dev", "--port", "0"], { cwd: await makeFolder(), env: KEYS });
  const { client, approvalId } = await askOf(url);
  expect(await client.approvals.approve(approvalId)).toMatchObject({
    status: "approved",
    resolution: { keyId: null, isSelfApproval: true },
  });
});

it.each<[string, string, object]>([
  ["yagate dev when it is told not to", "dev", { YAGATE_ALLOW_SELF_APPROVAL: "false" }],
  ["yagate serve", "serve", {}],
])("%s does not", async (_name, command, settings) => {
  const env = { ...KEYS, YAGATE_PORT: "0", ...settings };
  const { url } = await startListening([command], { cwd: await makeFolder(), env });
  const { client, approvalId } = await askOf(url);
  await expect(client.approvals.approve(approvalId)).rejects.toMatchObject({ status: 403, code: "FORBIDDEN" });
});
