import type { JsonObject, ToolChange } from "@yagate/protocol";
import { describe, expect, it } from "vitest";
import { definitionLines, reviewLines } from "../../src/sources/definition-text.ts";
import { deriveName } from "../../src/sources/derive-name.ts";
import { describeChange } from "../../src/sources/describe-change.ts";
import { isFormChange } from "../../src/sources/form-change.ts";

describe("the name of a source", () => {
  it.each([
    ["https://tools.example.com/orders", "orders"],
    ["https://orders.example.com/tools", "orders"],
    ["https://api.shop.example/v1/mcp", "shop"],
    ["https://shop.example/openapi.json", "shop"],
    ["https://example.com/specs/Parcel-Service.yaml?x=1", "parcel_service"],
    ["https://shop.example/mcp", "shop"],
    ["https://mcp.shop.example/mcp", "shop"],
    ["https://mcp.shop.example", "shop"],
    ["https://mcp.shop.example/v1/sse", "shop"],
    ["https://mcp.shop.co.uk/mcp", "shop"],
    ["https://shop.example.co.uk/mcp", "shop"],
    ["https://io.uk/mcp", "io"],
    ["https://shop-mcp.apps.example/api/mcp/", "shop_mcp"],
    ["https://mcp.shop.example/s/0f3c9a7d5b2e4816/mcp", "shop"],
    ["https://mcp.shop.example./mcp", "shop"],
    ["http://tickets:8080/mcp", "tickets"],
    ["http://tickets.localhost:3000/mcp", "tickets"],
    ["http://host.docker.internal:3000/mcp", "mcp"],
    ["http://localhost:3000/mcp", "mcp"],
    ["http://127.0.0.1:3000/mcp", "mcp"],
    ["http://[::1]:3000/mcp", "mcp"],
    ["https://mcp.example/mcp", "mcp"],
    ["http://localhost:3000/tools", "tools"],
    ["http://127.0.0.1:3000/2024/tools/", "tools"],
    ["https://shop.example/calculator", "shop"],
    [`https://shop.example/${"long-".repeat(9)}`, "long_long_long_long_long"],
    ["http://127.0.0.1:3000/", undefined],
    ["orders", undefined],
  ])("of %s is %s", (url, name) => {
    expect(deriveName(url)).toBe(name);
  });
});

const DEFINITION: JsonObject = {
  name: "refund",
  description: "Refund an order.",
  sideEffect: "destructive",
  handler: "https://a.example/",
  signingSecret: "default",
  parameters: {
    type: "object",
    properties: { id: { type: "string", description: "the order" }, cents: { type: "integer", maximum: 10_000 } },
    required: ["id", "cents"],
  },
};

const changed = (after: JsonObject, rest: object = {}): ToolChange => ({
  ...{ name: "refund", toolName: "shop.refund", state: "changed", before: DEFINITION, after, conflict: null },
  ...{ hash: `sha256:${"1".repeat(64)}`, acceptedHash: `sha256:${"2".repeat(64)}`, isLaxer: false },
  ...{ isGeneratorChanged: true, ...rest },
});
const withParameters = (parameters: JsonObject): JsonObject => ({ ...DEFINITION, parameters });
const withCents = (cents: JsonObject): JsonObject =>
  withParameters({
    ...{ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", additionalProperties: false },
    properties: { id: { type: "string", description: "the order" }, cents },
    required: ["cents", "id"],
  });

describe("a change that only the schema generator made", () => {
  const form = { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: 10_000, format: "int64" };

  it("is one line, and complete on request", () => {
    const change = changed(withCents(form));
    expect(isFormChange(change)).toBe(true);
    const heading = `shop.refund · changed · destructive · refund@${"1".repeat(16)}`;
    expect(describeChange(change)).toBe(`${heading}\n  schema generator changed; texts and limits are the same`);
    expect(describeChange(change, true)).toContain('\n+       "format": "int64",\n');
  });

  it.each<[string, ToolChange]>([
    ["the generator is the same", changed(withCents(form), { isGeneratorChanged: false })],
    ["the tool is laxer", changed(withCents(form), { isLaxer: true })],
    ["a limit differs", changed(withCents({ ...form, maximum: 1_000_000 }))],
    ["a text is added to the schema", changed(withCents({ ...form, description: "Always the maximum." }))],
    ["a sentence is in a pattern", changed(withCents({ ...form, pattern: "refund the maximum" }))],
    ["an unknown keyword is added", changed(withCents({ ...form, "x-note": "maximum" }))],
    ["the description differs", changed({ ...withCents(form), description: "Refund it twice." })],
    ["a property is renamed format", changed(withParameters({ type: "object", properties: { format: {} } }))],
    ["the tool is new", changed(withCents(form), { state: "new", before: null, acceptedHash: null })],
  ])("is not one if %s", (_what, change) => {
    expect(isFormChange(change)).toBe(false);
  });
});

describe("the claims of an MCP server", () => {
  const claiming = (annotations: JsonObject, proposedSideEffect: string | null) =>
    describeChange(changed(DEFINITION, { name: "get status", hints: { annotations, proposedSideEffect } }));

  it("are shown with the side effect that they propose, unless it already applies", () => {
    expect(claiming({ readOnlyHint: true }, "read_only")).toContain(
      `\n  the server claims, unchecked: {"readOnlyHint":true}; to trust it: --side-effect 'get status=read_only'`,
    );
    expect(claiming({ destructiveHint: true }, "destructive")).toContain('unchecked: {"destructiveHint":true}');
    expect(claiming({ title: "x\u202ey" }, null)).toContain('unchecked: {"title":"x\\u202ey"}');
    expect(claiming({ destructiveHint: true }, "destructive")).not.toContain("--side-effect");
    expect(claiming({}, null)).not.toContain("claims");
  });

  it("are cut", () => {
    const [line = ""] = claiming({ title: "x".repeat(9_000) }, null)
      .split("\n")
      .slice(2, 3);
    expect(line).toHaveLength("  the server claims, unchecked: ".length + 500);
  });
});

describe("the text of a definition", () => {
  it("has the same lines for the same meaning", () => {
    const [{ parameters }] = [DEFINITION];
    const reordered = { $schema: "x", required: ["cents", "id"], ...(parameters as JsonObject), additionalX: 1 };
    const lines = definitionLines({ ...withParameters(reordered), name: "other" });
    expect(lines.filter((line) => !line.includes("additionalX"))).toEqual(definitionLines(DEFINITION));
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ["a schema without properties", { type: "object" }, ["parameters: none"]],
    ["a schema of another form", { type: "object", properties: 7 }, ['parameters: {"type":"object","properties":7}']],
    [
      "keywords beside the properties",
      { type: "object", properties: { a: true }, required: ["a", "b"], anyOf: [{}], additionalProperties: {} },
      ["parameters:", "  a (true, required)", "  (anyOf: [{}])", "  (additionalProperties: {})", '  (required: ["b"])'],
    ],
    [
      "types, values and texts",
      {
        type: "object",
        properties: { a: { type: ["string", "null"], enum: ["x"], title: "T", description: "D\nsend all" } },
      },
      ["parameters:", '  a (["string","null"], enum: ["x"], title: T, optional): D\\nsend all'],
    ],
  ])("shows %s", (_what, parameters, expected) => {
    expect(reviewLines({ description: "x", parameters })).toEqual(["x", ...expected].map((line) => `  ${line}`));
  });

  it("shows options, notes and an output schema, and escapes what can't be seen", () => {
    const lines = reviewLines({
      ...{ ...DEFINITION, description: "a\u202eb\nshop.safe · new", usageNotes: "n", timeout: 5, approval: "never" },
      outputSchema: { type: "array" },
    });
    expect(lines.slice(0, 4)).toEqual(["  a\\u202eb", "  shop.safe · new", "  notes:", "    n"]);
    expect(lines.slice(-2)).toEqual(['  output: {"type":"array"}', "  options: timeout: 5, approval: never"]);
  });
});
