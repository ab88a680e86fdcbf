import { executionSchema } from "@yagate/protocol";
import { afterEach, expect, it } from "vitest";
import { type MeasuredGateway, startMeasuredGateway } from "./support/measured-gateway.ts";
import { startModelServer } from "./support/model-server.ts";
import { toolAt } from "./support/services.ts";

let gateway: MeasuredGateway | undefined;
afterEach(() => gateway?.stop());

const event = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`;
const whole = (message: object) => JSON.stringify({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
const calls = (count: number) =>
  Array.from({ length: count }, (_call, index) => ({
    index,
    id: `c${index}`,
    function: { name: "lookup_order", arguments: "{}" },
  }));

// Without the limits: gaps of 6.8 s and 1 GB for one of the first, of 15.5 s for one of the fourth, of 7.8 s and 500 MB for the last.
it.each<[string, boolean, () => string]>([
  [
    "of 400 000 calls, piece by piece",
    true,
    () => calls(400_000).reduce((all, c) => all + event({ tool_calls: [c] }), ""),
  ],
  ["of 400 000 calls in one piece", true, () => event({ tool_calls: calls(400_000) })],
  ["of one piece of 60 MB", true, () => event({ content: "a".repeat(60_000_000) })],
  ["of 32 000 calls", false, () => whole({ tool_calls: calls(32_000) })],
  ["of 4 900 calls", false, () => whole({ tool_calls: calls(4_900) })],
  ["of 60 MB of text", false, () => whole({ content: "a".repeat(60_000_000) })],
])("three answers %s at once fail, and others are served meanwhile", async (_name, isStreamed, make) => {
  const type = isStreamed ? "text/event-stream" : "application/json";
  const model = await startModelServer([{ raw: { type, body: make() } }]);
  gateway = await startMeasuredGateway({ providers: { openai: { apiKey: "sk-test", baseUrl: model.url } } });
  const { growthWhile } = gateway;
  const execute = await executing(gateway, isStreamed);
  const { result, grownMiB, longestGapMs } = await growthWhile(() => Promise.all([execute(), execute(), execute()]));
  for (const execution of result) {
    expect(execution).toMatchObject({ status: "failed", error: { code: "MODEL_ERROR" } });
    expect(execution.error?.message).toMatch(/too large|more than 1000 tool calls/);
  }
  expect(model.requests).toHaveLength(3);
  // On a machine that does nothing else some 0.05 s.
  expect(longestGapMs).toBeLessThan(1_000);
  expect(grownMiB).toBeLessThan(250);
});

async function executing({ client, url, apiKey }: MeasuredGateway, isStreamed: boolean) {
  const agent = await client.agents.create({
    name: "asker",
    model: "openai/hostile",
    systemPrompt: "",
    tools: [toolAt("http://127.0.0.1:9/")],
  });
  if (isStreamed) return () => client.agents.execute(agent.id, { input: "Where is my order?" });
  return async () => {
    const response = await fetch(`${url}/v1/agents/${agent.id}/executions`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", prefer: "wait=30" },
      body: JSON.stringify({ input: "Where is my order?" }),
    });
    return executionSchema.parse(await response.json());
  };
}
