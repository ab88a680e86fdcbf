import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDesk } from "@yagate/example-stage/open-desk";
import { placeCommand } from "@yagate/example-stage/place-command";
import { describeAgent } from "./agent.ts";

/** Starts a gateway with the agent and a key for the host, and puts the command `yagate` where the host finds it. */
export function setUp(model: string) {
  return openDesk("mcp-host", {}, async ({ yagate, url, onStop }) => {
    await yagate.agents.create({ ...describeAgent(), model });
    // A key of its own, with the only scope that a host needs.
    const { key } = await yagate.apiKeys.create({ name: "MCP host", scopes: ["executions"] });
    const folder = await mkdtemp(join(tmpdir(), "yagate-command-"));
    onStop(() => rm(folder, { recursive: true, force: true }));
    return { environment: { PATH: await placeCommand(folder), YAGATE_BASE_URL: url, YAGATE_API_KEY: key } };
  });
}
