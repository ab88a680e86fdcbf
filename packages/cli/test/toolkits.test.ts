import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KEYS, startListening } from "./support/command.ts";
import { makeFolder } from "./support/folder.ts";
import { runWithInput } from "./support/run-with-input.ts";

const PATIENTLY = { timeout: 120_000 } as const;

const api = createServer((_request, response) => {
  response.setHeader("content-type", "application/json").end('{"total":3}');
});
beforeAll(() => new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve)));
afterAll(() => api.close());

const document = () => {
  const operation = { summary: "Lists.", responses: { 200: { description: "They are." } } };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Shop API", version: "1" },
    servers: [{ url: `http://127.0.0.1:${(api.address() as AddressInfo).port}` }],
    paths: {
      "/orders": { get: { ...operation, operationId: "listOrders" } },
      "/parcels": { get: { ...operation, operationId: "listParcels" } },
    },
  });
};

describe("yagate tools import and yagate toolkits", () => {
  it("take what an OpenAPI document describes to tools that agents can use", PATIENTLY, async () => {
    const { url } = await startListening(["serve"], {
      cwd: await makeFolder(),
      env: { ...KEYS, YAGATE_PORT: "0", YAGATE_LOG_LEVEL: "silent", YAGATE_ALLOW_CIDRS: "127.0.0.0/8" },
    });
    const env = { YAGATE_BASE_URL: url, YAGATE_API_KEY: KEYS.YAGATE_API_KEY };
    const yagate = (args: readonly string[], input?: string) => runWithInput(args, env, input);
    expect((await yagate(["toolkits", "list"])).output).toBe("There are no toolkits in this workspace.\n");

    const imported = await yagate(["tools", "import", "-"], document());
    expect(imported).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^Shop API was made with 2 tools: kit_/),
    });
    expect(imported.output).toMatch(/ list_orders {2}draft .*\n +nothing is missing: yagate tools test list_orders\n/);
    expect(JSON.parse((await yagate(["tools", "show", "list_orders"])).output)).toMatchObject({ problems: [] });
    const tested = await yagate(["tools", "test", "list_orders"]);
    expect(tested).toMatchObject({ status: 0, output: expect.stringMatching(/HTTP 200, .* It is tested\./) });
    const early = await yagate(["toolkits", "finalize", "Shop API"]);
    expect(early).toMatchObject({ status: 2, output: expect.stringMatching(/expected a toolkit with a tool that is/) });
    await yagate(["tools", "validate", "list_orders"]);

    const finalized = await yagate(["toolkits", "finalize", "Shop API"]);
    expect(finalized.output).toMatch(/^Of Shop API, agents can use 1 of 2 tools\.\n +list_orders {2}created /);
    expect((await yagate(["toolkits", "list"])).output).toMatch(/kit_\w+ +1\/2 +- +Shop API\n$/);
    expect(JSON.parse((await yagate(["toolkits", "show", "Shop API"])).output)).toMatchObject({
      tools: [
        { name: "list_orders", status: "created" },
        { name: "list_parcels", status: "draft" },
      ],
    });
    const deleted = await yagate(["toolkits", "delete", "Shop API", "--archive-tools"]);
    expect(deleted.output).toBe("Shop API was deleted; tools of it that were not created yet were archived.\n");
    expect((await yagate(["tools", "list"])).output).not.toContain("list_parcels");
    expect(await yagate(["toolkits", "show", "Shop API"])).toMatchObject({ status: 2 });

    const draft = await yagate(["tools", "create", "-", "--draft"], '{ "rest": { "name": "a", "method": "POST" } }');
    expect(draft.output).toMatch(/, draft\.\n {2}definition\.rest\.description: .*\n {2}definition\.rest\.url: /);
    expect(await yagate(["tools", "test", "a"])).toMatchObject({
      status: 2,
      output: expect.stringMatching(/a is draft: definition\.rest\.description: .*; definition\.rest\.url: /),
    });
    const rest = { name: "a", description: "Adds.", method: "POST", url: "https://api.example.com/a" };
    const made = await yagate(["tools", "update", "a", "-"], JSON.stringify({ rest }));
    expect(made.output).toMatch(
      /, configured\.\n {2}warning side_effect_undeclared definition\.rest\.sideEffect: a declares no side effect/,
    );
  });
});
