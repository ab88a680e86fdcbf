import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFolder } from "./support/folder.ts";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

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
  it("take what an OpenAPI document describes to tools that agents can use", async () => {
    const { env } = await startGateway({ allowCidrs: ["127.0.0.0/8"] });
    const yagate = (args: readonly string[], input?: string) => runWithInput(args, env, input);
    expect((await yagate(["toolkits", "list"])).output).toBe("There are no toolkits in this workspace.\n");

    const imported = await yagate(["tools", "import", "-"], document());
    expect(imported).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^Shop API was created with 2 tools: kit_/),
    });
    expect(imported.output).toMatch(/ list_orders {2}draft .*\n +nothing is missing: yagate tools test list_orders\n/);
    expect(JSON.parse((await yagate(["tools", "show", "list_orders"])).output)).toMatchObject({ problems: [] });
    const tested = await yagate(["tools", "test", "list_orders"]);
    expect(tested).toMatchObject({ status: 0, output: expect.stringMatching(/HTTP 200, .* It is tested\./) });
    const early = await yagate(["toolkits", "finalize", "Shop API"]);
    expect(early).toMatchObject({
      status: 2,
      output: expect.stringMatching(/expected a toolkit with at least one validated tool/),
    });
    await yagate(["tools", "validate", "list_orders"]);

    const finalized = await yagate(["toolkits", "finalize", "Shop API"]);
    expect(finalized.output).toMatch(/^Shop API: agents can use 1 of 2 tools\.\n +list_orders {2}created /);
    expect((await yagate(["toolkits", "list"])).output).toMatch(/kit_\w+ +1\/2 +- +Shop API\n$/);
    expect(JSON.parse((await yagate(["toolkits", "show", "Shop API"])).output)).toMatchObject({
      tools: [
        { name: "list_orders", status: "created" },
        { name: "list_parcels", status: "draft" },
      ],
    });
    const deleted = await yagate(["toolkits", "delete", "Shop API", "--archive-tools"]);
    expect(deleted.output).toBe("Shop API was deleted; its tools that agents could not use yet were archived.\n");
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
      /, configured\.\n {2}warning SIDE_EFFECT_UNDECLARED definition\.rest\.sideEffect: a declares no side effect/,
    );
  });

  it("browse a document in several files, choose from it, and give each tool its secret", async () => {
    const { env } = await startGateway();
    const outside = await makeFolder();
    await writeFile(join(outside, "own.yml"), "operationId: own\nresponses: {}\n");
    const folder = await makeFolder();
    await mkdir(join(folder, "orders"));
    await writeFile(join(folder, "openapi.yaml"), splitDocument(relative(folder, join(outside, "own.yml"))));
    await writeFile(
      join(folder, "orders/list.yml"),
      "operationId: list_orders\ntags: [orders]\nparameters: [{ $ref: 'q.yml' }]\nresponses: {}\n",
    );
    await writeFile(
      join(folder, "orders/q.yml"),
      "name: q\nin: query\nschema: { $ref: '../openapi.yaml#/components/schemas/Q' }\n",
    );
    await symlink(join(outside, "own.yml"), join(folder, "orders/link.yml"));
    await writeFile(join(folder, ".settings.yml"), "operationId: hidden\nresponses: {}\n");
    const importing = (...args: readonly string[]) =>
      runWithInput(["tools", "import", join(folder, "openapi.yaml"), ...args], env);

    const listed = await importing("--list", "--tag", "orders", "--tag", "parcels");
    expect(listed).toMatchObject({
      status: 0,
      output: expect.stringMatching(
        /^OPERATION +ID +TAGS +SECURITY +SUMMARY\nGET \/orders +list_orders +orders +none +\nGET \/parcels +- +parcels +key +Lists\n/,
      ),
    });
    expect(listed.output).toContain("can't be read: GET /outside: expected \"..");
    expect(listed.output).toMatch(/can't be read: GET \/link: expected "orders\/link.yml" in documents/);
    expect(listed.output).toMatch(/can't be read: GET \/hidden: expected ".settings.yml" in documents/);

    const bare = await importing("--path", "/parcels", "--prefix", "bare_");
    expect(bare.output).toMatch(/ bare_get_parcels {2}draft .*\n +needs a secret\n/);
    expect(bare.output).not.toContain("nothing is missing");
    expect(bare.output).toMatch(
      /needs a secret \(key, for bare_get_parcels\): .*\n {2}yagate secret set SPLIT_KEY --auth header --auth-name X-Key --host api\.shop\.example\n {2}yagate toolkits delete kit_\w+ --archive-tools\n {2}then import again with --credential-for key=SPLIT_KEY\n/,
    );
    const underNpx = await runWithInput(
      ["tools", "import", join(folder, "openapi.yaml"), "--path", "/orders", "--prefix", "npx_"],
      { ...env, npm_command: "exec" },
    );
    expect(underNpx.output).toContain("nothing is missing: npx @yagate/cli tools test npx_list_orders");
    const installed = await runWithInput(["tools", "install", "openweather"], env);
    expect(installed.output).toMatch(
      /\nBefore agents can use a tool: yagate tools test, then tools validate, then tools finalize\.\n/,
    );
    const help = await runWithInput(["toolkits", "--help"], { npm_command: "exec" });
    expect(help.output).toContain("\n  npx @yagate/cli toolkits list\n");
    expect((await runWithInput(["toolkits", "list"], env)).output).toMatch(/^ID +READY +CREDENTIAL +NAME\n/);

    const imported = await importing("--path", "/orders", "--path", "/parcels", "--credential-for", "key=SHOP_KEY");
    expect(imported).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^Split was created with 2 tools: kit_/),
    });
    expect(imported.output).not.toContain("needs a secret");
    const show = async (tool: string) => JSON.parse((await runWithInput(["tools", "show", tool], env)).output);
    expect(await show("list_orders")).toMatchObject({
      definition: { rest: { parameters: [{ name: "q", type: "string", schema: { maxLength: 4 } }] } },
    });
    expect(await show("get_parcels")).toMatchObject({ definition: { rest: { credential: "SHOP_KEY" } } });
    const wrong = await importing("--credential-for", "key");
    expect(wrong).toMatchObject({
      status: 2,
      output: expect.stringMatching(/Try: write --credential-for api_key=SHOP_KEY/),
    });
  });
});

const splitDocument = (outside: string) => `
openapi: 3.0.0
info: { title: Split, version: '1' }
servers: [{ url: https://api.shop.example }]
paths:
  /orders: { get: { $ref: orders/list.yml } }
  /parcels: { get: { summary: Lists, tags: [parcels], security: [{ key: [] }], responses: {} } }
  /outside: { get: { $ref: '${outside}' } }
  /link: { get: { $ref: orders/link.yml } }
  /hidden: { get: { $ref: .settings.yml } }
components:
  schemas: { Q: { type: string, maxLength: 4 } }
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
`;
