import { describe, expect, it, onTestFinished } from "vitest";
import { CONFIGURATIONS, connectHost } from "./host.ts";
import { setUp } from "./set-up.ts";

async function start() {
  const desk = await setUp("scripted/keyword");
  onTestFinished(() => desk.stop());
  return desk;
}

describe("the example of an MCP host", { timeout: 120_000 }, () => {
  it.each(CONFIGURATIONS)("executes the agent with %s", async (file) => {
    const { environment, yagate } = await start();
    const host = await connectHost(file, environment);
    onTestFinished(() => host.close());
    const { tools } = await host.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["price_desk", "execution_result"]);
    const result = await host.callTool({ name: "price_desk", arguments: { input: "What is 12 * 7.5?" } });
    expect(result.content).toMatchObject([{ type: "text", text: expect.stringContaining("90") }]);
    const execution = await yagate.executions.get(String(result._meta?.["yagate/executionId"]));
    expect(execution).toMatchObject({ status: "completed", input: "What is 12 * 7.5?" });
  });

  it("gives the host's key no access to the rest of the API", async () => {
    const { environment } = await start();
    const headers = { authorization: `Bearer ${environment.YAGATE_API_KEY}` };
    const response = await fetch(`${environment.YAGATE_BASE_URL}/v1/secrets`, { headers });
    expect(response.status).toBe(403);
  });
});
