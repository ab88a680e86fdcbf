import type { JsonObject } from "@yagate/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEVIATIONS, SUITE_DRAFTS, suiteCases } from "../../../../lib/test/json-schema/schema-suite.ts";
import { makeAgent, start } from "../support/agents.ts";
import { makeBuiltinAgent } from "../support/builtin-agent.ts";
import { failedByApi } from "../support/schema-suite-by-api.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ logLevel: "silent" });
});
afterAll(() => world.stop());

describe("json_validator, called by an agent", () => {
  it("answers every call of a turn, however many come at once", async () => {
    const run = await makeBuiltinAgent(world, "json_validator");
    const calls = Array.from({ length: 120 }, (_, index) => ({ json: String(index), schema: { minimum: 60 } }));
    const records = await run(calls);
    expect(records.map(({ result, error }) => error ?? result)).toEqual(
      calls.map((_, index) => expect.objectContaining({ valid: index >= 60 })),
    );
  });

  it("answers a workspace while another one has more to check than time for it", async () => {
    // Each takes all the steps that a call may, so that all of them would take longer than their deadline.
    const alternatives = Array.from({ length: 30 }, (_, index) => [`a${index}`, { $ref: `#/$defs/a${index + 1}` }]);
    const $defs = Object.fromEntries(
      [...alternatives, ["a30", false]].map(([name, one]) => [name, { anyOf: [one, one] }]),
    );
    const slow: JsonObject = { json: "1", schema: JSON.stringify({ $defs, $ref: "#/$defs/a0" }) };
    const { key } = await world.makeWorkspace("busy");
    const { id } = await makeAgent(
      world,
      { tools: [{ builtin: "json_validator" }], limits: { maxToolCallsPerTurn: 1_000 } },
      { key },
    );
    const toolCalls = Array.from({ length: 200 }, () => ({ name: "json_validator", parameters: slow }));
    const busy = await start(world, id, { input: "go", script: { turns: [{ toolCalls }, { text: "done" }] } }, { key });
    const run = await makeBuiltinAgent(world, "json_validator");
    const records = await run([{ json: "[1]" }]);
    expect(records).toMatchObject([{ status: "completed", result: { valid: true } }]);
    await world.call("cancelExecution", { key, params: { id: busy.id } });
  });

  it("takes schemas with a property named __proto__ as texts", async () => {
    const schema = '{"type": "object", "properties": {"__proto__": {"type": "string"}}, "required": ["__proto__"]}';
    const run = await makeBuiltinAgent(world, "json_validator");
    const address = "https://example.com/proto";
    const records = await run([
      { json: '{"__proto__": 1}', schema },
      { json: '{"__proto__": "a"}', schema },
      { json: "{}", schema },
      { schema },
      { json: '{"__proto__": 1}', schema: { $ref: address }, schemas: { [address]: schema } },
      { json: "1", schema: { $ref: address }, schemas: { [address]: "{type" } },
    ]);
    expect(records.map(({ result, error }) => error ?? result)).toMatchObject([
      { valid: false, errors: [{ path: "/__proto__", keyword: "type" }] },
      { valid: true },
      { valid: false, errors: [{ path: "", keyword: "required" }] },
      { valid: true, draft: "2020-12" },
      { valid: false, errors: [{ path: "/__proto__", schemaPath: `${address}#/properties/__proto__/type` }] },
      {
        code: "INVALID_ARGUMENTS",
        message: expect.stringMatching(
          /^the schema https:\/\/example\.com\/proto in schemas must be JSON: line 1, column 2/,
        ),
      },
    ]);
  });

  it("names the formats that were not checked", async () => {
    const run = await makeBuiltinAgent(world, "json_validator");
    const schema = {
      properties: { a: { format: "date" }, b: { format: "emial" }, c: { format: "phone" }, d: { format: "date" } },
    };
    const records = await run([
      { json: "{}", schema },
      { json: "{}", schema, assertFormats: true },
    ]);
    const unknown = [
      {
        code: "UNKNOWN_FORMAT",
        path: "#/properties/b/format",
        message: "names the format emial, which is never checked: did you mean email?",
      },
      {
        code: "UNKNOWN_FORMAT",
        path: "#/properties/c/format",
        message: "names the format phone, which is never checked",
      },
    ];
    const asked = {
      code: "FORMATS_NOT_CHECKED",
      message: "format was not checked (date): set assertFormats to true to check it",
    };
    expect(records.map(({ result }) => result)).toMatchObject([
      { valid: true, warnings: [asked, ...unknown] },
      { valid: true, warnings: unknown },
    ]);
  });

  it.each(SUITE_DRAFTS)("passes the first test of each file of the official suite, draft %s", async (draft) => {
    const cases = suiteCases(draft);
    const files = Map.groupBy(cases, ({ file }) => file);
    const first = [...files.values()].flatMap((ofFile) => ofFile.slice(0, 1));
    const inherited = cases.filter(({ schema }) => JSON.stringify(schema).includes("__proto__"));
    expect(inherited.length).toBeGreaterThan(4);
    const failed = await failedByApi(await makeBuiltinAgent(world, "json_validator"), draft, [...first, ...inherited]);
    expect(failed).toEqual(Object.keys(DEVIATIONS).filter((name) => name.startsWith(`draft-${draft} `)));
  });
});
