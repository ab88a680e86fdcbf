import { afterEach, expect, it, vi } from "vitest";
import { VARIABLE_NAMES } from "../../src/config/environment.ts";
import { makeAgent } from "../http/support/agents.ts";
import { startWorld } from "../http/support/world.ts";

afterEach(() => vi.unstubAllEnvs());

it("an embedded gateway reads no environment variables", async () => {
  for (const name of [...VARIABLE_NAMES.settings, ...VARIABLE_NAMES.providerKeys]) vi.stubEnv(name, "from the outside");
  vi.stubEnv("YAGATE_API_KEY", "yk_from_the_outside_0000");
  const world = await startWorld({ logLevel: "silent" });
  try {
    const answer = await world.call("listAgents", { key: "yk_from_the_outside_0000" });
    expect(answer.status).toBe(401);
    const { warnings } = await makeAgent(world, { model: "openai/gpt-5" });
    expect(warnings).toMatchObject([{ code: "NOT_CONFIGURED" }]);
  } finally {
    await world.stop();
  }
});
