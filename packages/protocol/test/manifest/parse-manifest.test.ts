import { describe, expect, it } from "vitest";
import {
  describeRequestSchema,
  type JsonObject,
  type JsonValue,
  MAX_MANIFEST_BYTES,
  parseManifest,
} from "../../src/index.ts";

const tool = { name: "lookup_order", description: "Looks up an order.", parameters: { type: "object" } };
const bytes = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const manifestOf = (...tools: readonly object[]) => ({ protocolVersion: 1, tools });
const parse = (value: unknown) => parseManifest(bytes(value));

/** A schema with this many levels. */
function schemaOfDepth(levels: number): JsonObject {
  let inner: JsonValue = "text";
  for (let level = 1; level < levels; level += 1) inner = [inner];
  return { type: "object", default: inner };
}

/** A schema whose JSON has this many bytes. */
function schemaOfBytes(size: number): JsonObject {
  const empty = { type: "object", description: "" };
  return { ...empty, description: "x".repeat(size - JSON.stringify(empty).length) };
}

describe("a manifest", () => {
  it("comes back with all that a handler says of its tools", () => {
    const described = {
      ...tool,
      sideEffect: "read_only",
      risk: "external_read",
      timeout: 30_000,
      async: true,
      usageNotes: "Ask for the number first.",
    };
    const manifest = { ...manifestOf(described), kitVersion: "orders 1.0", schemaGenerator: "zod 4.6.7" };
    expect(parse(manifest)).toEqual(manifest);
  });

  it("loses what only the workspace may say of a tool", () => {
    const more = {
      handler: "https://evil.example.com",
      headers: { Authorization: "Bearer x" },
      signingSecret: "other",
      approval: "never",
      retries: 3,
    };
    expect(parse({ ...manifestOf({ ...tool, ...more }), url: "https://evil.example.com" })).toEqual(manifestOf(tool));
  });

  it.each<[string, object]>([
    ["2,000 tools", manifestOf(...Array.from({ length: 2_000 }, (_, index) => ({ ...tool, name: `tool_${index}` })))],
    ["a description of 4 KiB", manifestOf({ ...tool, description: "é".repeat(2_048) })],
    ["parameters of 64 KiB", manifestOf({ ...tool, parameters: schemaOfBytes(65_536) })],
    ["parameters of 32 levels", manifestOf({ ...tool, parameters: schemaOfDepth(32) })],
  ])("may have %s", (_case, manifest) => {
    expect(parse(manifest)).toEqual(manifest);
  });

  it.each<[string, unknown, RegExp]>([
    ["text that is not JSON", "{", /expected JSON in valid UTF-8$/],
    ["more than 1 MiB", " ".repeat(MAX_MANIFEST_BYTES + 1), /at most 1048576 bytes$/],
    ["a list", [], /expected object, received array$/],
    ["another version of the format", { ...manifestOf(tool), protocolVersion: 2 }, /protocolVersion: expected 1/],
    ["no tools", manifestOf(), /tools: /],
    [
      "2,001 tools",
      manifestOf(...Array.from({ length: 2_001 }, (_, index) => ({ ...tool, name: `tool_${index}` }))),
      /tools: expected .*2000/,
    ],
    ["two tools of one name", manifestOf(tool, tool), /tools: expected unique names$/],
    ["a name with a space", manifestOf({ ...tool, name: "lookup order" }), /tools\[0\]\.name: /],
    ["no description", manifestOf({ ...tool, description: "" }), /tools\[0\]\.description: /],
    [
      "a description past 4 KiB",
      manifestOf(tool, { ...tool, name: "b", description: `${"é".repeat(2_048)}x` }),
      /tools\[1\]\.description: expected at most 4096 bytes of UTF-8$/,
    ],
    [
      "parameters past 64 KiB",
      manifestOf({ ...tool, parameters: schemaOfBytes(65_537) }),
      /tools\[0\]\.parameters: expected at most 65536 bytes of JSON$/,
    ],
    [
      "parameters of 33 levels",
      manifestOf({ ...tool, parameters: schemaOfDepth(33) }),
      /tools\[0\]\.parameters: expected fewer levels of nesting$/,
    ],
    [
      "parameters of 100,000 levels",
      `{"protocolVersion":1,"tools":[{"name":"a","description":"a","parameters":{"type":"object","default":${"[".repeat(100_000)}${"]".repeat(100_000)}}}]}`,
      /expected fewer levels of nesting$/,
    ],
    [
      "a member __proto__",
      '{"protocolVersion":1,"tools":[{"name":"a","description":"a","parameters":{"type":"object","properties":{"__proto__":{}}}}]}',
      /expected no member __proto__$/,
    ],
    ["parameters of a list", manifestOf({ ...tool, parameters: { type: "array" } }), /tools\[0\]\.parameters: /],
    ["an unknown side effect", manifestOf({ ...tool, sideEffect: "none" }), /tools\[0\]\.sideEffect: /],
    ["an unknown risk", manifestOf({ ...tool, risk: "high" }), /tools\[0\]\.risk: /],
    ["a timeout past ten minutes", manifestOf({ ...tool, timeout: 600_001 }), /tools\[0\]\.timeout: /],
  ])("may not be %s", (_case, value, message) => {
    expect(() => parse(value)).toThrow(expect.objectContaining({ code: "MANIFEST_INVALID" }));
    expect(() => parse(value)).toThrow(message);
  });

  it("may not be text that is not UTF-8", () => {
    expect(() => parseManifest(Uint8Array.of(0x22, 0xfe, 0x22))).toThrow(/valid UTF-8$/);
  });

  it("is refused without a value of it in the message", () => {
    expect(() => parse(manifestOf({ ...tool, name: "private name", risk: "private" }))).toThrow(/^(?!.*private)/);
  });
});

describe("a describe request", () => {
  const request = {
    type: "describe",
    requestId: "dsc_01k9e5t8b8fxhv3c4n5p6q7r8s",
    timestamp: "2026-11-23T08:00:00.000Z",
    audience: "https://orders.example.com/tools",
  };

  it("may have fields of a newer gateway", () => {
    expect(describeRequestSchema.parse({ ...request, more: 1 })).toEqual({ ...request, more: 1 });
  });

  it.each<[string, object]>([
    ["type", { type: "call" }],
    ["requestId", { requestId: "tc_1" }],
    ["timestamp", { timestamp: "2026-11-23T08:00:00+01:00" }],
    ["audience", { audience: undefined }],
  ])("is refused for its %s", (_field, changed) => {
    expect(describeRequestSchema.safeParse({ ...request, ...changed }).success).toBe(false);
  });
});
