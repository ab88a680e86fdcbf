import { describe, expect, it } from "vitest";
import { createModels } from "../src/create-models.ts";
import { createProviderCheck } from "../src/provider-url-check.ts";
import { turnRequest } from "./support/turn-request.ts";

const SECRET = { secretName: "KEY", secret: { value: "sk-test", hosts: [] }, baseUrl: null, isUnbound: false };

// What every object has is no provider that somebody configured.
describe.each(["constructor", "toString", "__proto__", "hasOwnProperty"])("a provider called %s", (name) => {
  it("is unknown when an agent is saved, with a price for everything", () => {
    const models = createModels({
      providers: {},
      fetch,
      prices: { asOf: "2026-11-21", find: () => ({ input: 0, output: 0 }) },
    });
    expect(models.check(`${name}/m`, [])).toMatchObject([{ severity: "error", path: "model", code: "UNKNOWN_MODEL" }]);
  });

  it("is not there when an agent runs, nor with a workspace's key alone", async () => {
    const providers = { find: async () => SECRET };
    for (const workspaces of [undefined, { providers, fetch }]) {
      const models = createModels({ providers: {}, fetch, ...(workspaces === undefined ? {} : { workspaces }) });
      await expect(models.runTurn(turnRequest({ model: `${name}/m` }))).rejects.toMatchObject({
        name: "ModelTurnError",
        code: "NOT_CONFIGURED",
      });
    }
  });

  it("needs a base URL, or another name, when a workspace sets it", async () => {
    const [finding] = await createProviderCheck({ providers: {}, policy: {} })(name, undefined, {
      name: "KEY",
      hosts: undefined,
    });
    expect(finding?.code).toBe(name === "constructor" ? "INVALID_URL" : "INVALID_NAME");
  });
});
