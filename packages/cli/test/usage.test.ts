import { workspaceUsageSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { KEYS } from "./support/command.ts";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

describe("yagate usage", () => {
  it("prints what is used of each quota", async () => {
    const { env } = await startGateway({ plans: { standard: { eventStreams: null, eventStreamsPerExecution: 7 } } });
    const printed = await runWithInput(["usage"], env);
    expect(printed.status).toBe(0);
    const rows = printed.output.split("\n").map((line) => line.trim().split(/ {2,}/));
    expect(rows[0]?.[0]).toMatch(/^ws_\w+, plan standard$/);
    expect(rows).toContainEqual(["QUOTA", "USED", "LIMIT", "LEFT"]);
    expect(rows).toContainEqual(["agents", "0", "1000", "1000"]);
    expect(rows).toContainEqual(["eventStreams*", "0", "unlimited"]);
    expect(rows).toContainEqual(["storedBytes", "0", "5368709120", "5368709120"]);
    expect(rows).toContainEqual([expect.stringMatching(/^storedBytes as of \d{4}-\d\d-\d\dT[\d:.]+Z/)]);
    expect(rows).toContainEqual(["eventStreamsPerExecution*", "0", "7", "7"]);
    const json = await runWithInput(["usage", "--json"], env);
    const usage = workspaceUsageSchema.parse(JSON.parse(json.output));
    const own = await runWithInput(["usage", "--workspace", usage.workspaceId, "--json"], env);
    expect(own.output).toContain('"plan": "standard"');
  });

  it("ends with 3 when the gateway does not answer, and with 2 when it knows no such workspace", async () => {
    const env = { YAGATE_BASE_URL: "http://127.0.0.1:1", YAGATE_API_KEY: KEYS.YAGATE_API_KEY };
    expect(await runWithInput(["usage"], env)).toMatchObject({ status: 3 });
    expect(await runWithInput(["usage", "--workspace", "nonsense"], env)).toMatchObject({ status: 2 });
  });
});
