import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEVIATIONS, SUITE_DRAFTS, suiteCases } from "../../../../lib/test/json-schema/schema-suite.ts";
import { makeBuiltinAgent } from "../support/builtin-agent.ts";
import { failedByApi } from "../support/schema-suite-by-api.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ logLevel: "silent" });
});
afterAll(() => world.stop());

describe("the official JSON-Schema-Test-Suite, by an agent's calls", () => {
  it.each(SUITE_DRAFTS)(
    "is passed for draft %s but for the deviations that are named",
    async (draft) => {
      const cases = suiteCases(draft);
      expect(cases.length).toBeGreaterThan(1_000);
      const failed = await failedByApi(await makeBuiltinAgent(world, "json_validator"), draft, cases);
      expect(failed).toEqual(Object.keys(DEVIATIONS).filter((name) => name.startsWith(`draft-${draft} `)));
    },
    120_000,
  );
});
