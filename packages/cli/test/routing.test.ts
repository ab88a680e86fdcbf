import { describe, expect, it } from "vitest";
import { KEYS } from "./support/command.ts";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

const rowsOf = (output: string) =>
  output
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

describe("yagate intents", () => {
  it("creates, lists, shows, changes and deletes", async () => {
    const { env } = await startGateway();
    const run = (...args: string[]) => runWithInput(["intents", ...args], env);
    const definition = '{"description":"Looks up an order.","parameters":{"type":"object"}}';
    expect(await run("create", "business.order.query", definition)).toEqual({
      ...{ status: 0, output: "business.order.query was created.\n" },
    });
    const listed = rowsOf((await run("list")).output);
    expect(listed.map(([name, origin]) => `${name} ${origin}`)).toEqual([
      ...["NAME ORIGIN", "business.order.query workspace", "code.exec gateway", "tool.search gateway"],
      ...["url.fetch gateway", "web.search gateway"],
    ]);
    expect(await run("update", "business.order.query", '{"description":"Finds an order."}')).toMatchObject({
      status: 0,
    });
    expect((await run("show", "business.order.query")).output).toMatch(/description +Finds an order\.\n/);
    expect(await run("delete", "business.order.query")).toEqual({
      ...{ status: 0, output: "business.order.query was deleted.\n" },
    });
    expect(await run("show", "business.order.query")).toMatchObject({ status: 2 });
  });
});

describe("yagate capabilities", () => {
  it("creates, lists, switches off, shows and deletes", async () => {
    const { env } = await startGateway();
    const run = (...args: string[]) => runWithInput(["capabilities", ...args], env);
    const definition = {
      ...{ intent: "url.fetch", mode: "runtime_function", target: { builtin: "url_fetch" }, args: { url: "${url}" } },
    };
    expect(await run("create", "runtime.page_fetch", JSON.stringify(definition))).toEqual({
      ...{ status: 0, output: "runtime.page_fetch was created: serves url.fetch, runtime_function, priority 50\n" },
    });
    expect(await run("disable", "runtime.url_fetch")).toEqual({ status: 0, output: "runtime.url_fetch is off.\n" });
    expect(rowsOf((await run("list", "--intent", "url.fetch")).output)).toEqual([
      ["KEY", "INTENT", "MODE", "PRIORITY", "COST", "ON", "ORIGIN"],
      ["anthropic.url_fetch", "url.fetch", "provider_hosted", "60", "low", "yes", "gateway"],
      ["google.url_fetch", "url.fetch", "provider_hosted", "60", "low", "yes", "gateway"],
      ["runtime.page_fetch", "url.fetch", "runtime_function", "50", "medium", "yes", "workspace"],
      ["runtime.url_fetch", "url.fetch", "runtime_function", "50", "low", "no", "gateway, overridden"],
    ]);
    expect(await run("update", "runtime.page_fetch", '{"regions":["eu"]}')).toMatchObject({ status: 0 });
    expect((await run("show", "runtime.page_fetch")).output).toMatch(/regions +eu\n/);
    expect(JSON.parse((await run("show", "runtime.page_fetch", "--json")).output)).toMatchObject({ regions: ["eu"] });
    expect(await run("enable", "runtime.url_fetch")).toMatchObject({ status: 0 });
    expect(await run("delete", "runtime.page_fetch")).toMatchObject({ status: 0 });
    expect(await run("delete", "runtime.page_fetch")).toMatchObject({ status: 2 });
  });

  it.each<[string, string, RegExp]>([
    ["no JSON", "{", /expected <definition> to be a JSON object/],
    ["an unknown field", '{"region":["eu"]}', /region: unknown field: did you mean regions\?/],
    ["a priority out of range", '{"priority":101}', /priority/],
  ])("refuses %s before anything is sent", async (_what, definition, message) => {
    const { status, output } = await runWithInput(["capabilities", "create", "mine.search", definition], {
      ...{ YAGATE_URL: "http://127.0.0.1:9", ...KEYS },
    });
    expect({ status, output }).toEqual({ status: 2, output: expect.stringMatching(message) });
  });
});

describe("yagate route", () => {
  it("shows what would serve an execution, and why", async () => {
    const { env } = await startGateway();
    const agent = {
      name: "Reader",
      model: "scripted/keyword",
      tools: [{ intent: "url.fetch" }, { intent: "code.exec" }],
    };
    await runWithInput(["agents", "create", "-"], env, JSON.stringify(agent));
    const { status, output } = await runWithInput(["route", "Reader", "Read", "this"], env);
    expect(status).toBe(0);
    expect(rowsOf(output)).toEqual([
      ["Routing: scopes none; data class confidential (default); region any; cost ceiling none"],
      ["INTENT", "CAPABILITY", "REASON"],
      ["url.fetch", "runtime.url_fetch", "shown (default)"],
      ["", "runtime.url_fetch", "score 55"],
      ["", "anthropic.url_fetch", "PROVIDER: not for scripted/keyword"],
      ["", "google.url_fetch", "PROVIDER: not for scripted/keyword"],
      ["code.exec", "not served", "shown (default)"],
      ["", "anthropic.code_exec", "PROVIDER: not for scripted/keyword"],
      ["", "google.code_exec", "PROVIDER: not for scripted/keyword"],
      ["", "openai.code_exec", "PROVIDER: not for scripted/keyword"],
      ["Tool choice: auto"],
      ["Tools of the first model turn: url_fetch"],
    ]);
  });

  it("names the scopes that are missing, and the routing that applies", async () => {
    const { env } = await startGateway();
    const override = { requiredScopes: ["web", "pages"], regions: ["eu"] };
    const update = ["capabilities", "update", "runtime.url_fetch", JSON.stringify(override)];
    expect((await runWithInput(update, env)).status).toBe(0);
    const agent = { name: "Reader", model: "anthropic/claude-sonnet-4-20250514", tools: [{ intent: "url.fetch" }] };
    await runWithInput(["agents", "create", "-"], env, JSON.stringify(agent));
    const routing = { dataClass: "confidential", region: "us", maxCostClass: "low", scopes: ["web"] };
    const { status, output } = await runWithInput(["route", "Reader", "x", "--routing", JSON.stringify(routing)], env);
    expect(status).toBe(0);
    expect(rowsOf(output).slice(0, 5)).toEqual([
      // The bootstrap key allows no routing scopes.
      ["Routing: scopes none; data class confidential; region us; cost ceiling low"],
      ["INTENT", "CAPABILITY", "REASON"],
      ["url.fetch", "not served", "shown (default)"],
      ["", "anthropic.url_fetch", "DATA_CLASS: not for confidential data"],
      ["", "google.url_fetch", "PROVIDER: not for anthropic/claude-sonnet-4-20250514"],
    ]);
    expect(output).toMatch(/runtime\.url_fetch +SCOPES: lacks web, pages/);
  });

  it("ends with 1 if a required intent is not served", async () => {
    const { env } = await startGateway();
    const agent = { name: "Runner", model: "scripted/keyword", tools: [{ intent: "code.exec", required: true }] };
    await runWithInput(["agents", "create", "-"], env, JSON.stringify(agent));
    const { status, output } = await runWithInput(["route", "Runner", "x"], env);
    expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining("NO_ROUTE: code.exec") });
  });
});
