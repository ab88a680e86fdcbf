import { describe, expect, it } from "vitest";
import { checkParametersSchema } from "../src/arguments/check-parameters-schema.ts";
import { parseModelArguments } from "../src/arguments/parse-model-arguments.ts";
import { recordableArguments } from "../src/arguments/recordable-arguments.ts";
import { convertDocument } from "../src/openapi/convert-document.ts";
import { openApiReader } from "../src/openapi/import-openapi.ts";
import { withinRequestLimits } from "../src/request/request-limits.ts";

/** The outcome at a limit and one past it. */
const around = <Outcome>(limit: number, outcomeOf: (size: number) => Outcome) => [limit, limit + 1].map(outcomeOf);

const isAccepted = (act: () => unknown) => {
  try {
    act();
    return true;
  } catch {
    return false;
  }
};

describe("arguments", () => {
  it("are recorded up to 10,000 characters of a text that is no object", () => {
    const isWhole = (length: number) => recordableArguments("x".repeat(length)) === "x".repeat(length);
    expect(around(10_000, isWhole)).toEqual([true, false]);
  });

  it("are read from a model's text of up to 4 MiB", () => {
    const isRead = (length: number) => parseModelArguments(`{"a":"${"x".repeat(length - 8)}"}`).valid;
    expect(around(4_194_304, isRead)).toEqual([true, false]);
  });

  it("have up to 1 MiB of characters", () => {
    const isRecorded = (length: number) =>
      typeof recordableArguments({ a: "x".repeat(length - JSON.stringify({ a: "" }).length) }) === "object";
    expect(around(1_048_576, isRecorded)).toEqual([true, false]);
  });

  it("are described by a schema of up to 64 KiB", () => {
    const schemaOf = (bytes: number) => {
      const schema = { type: "object", description: "" };
      return { ...schema, description: "x".repeat(bytes - JSON.stringify(schema).length) };
    };
    expect(around(65_536, (bytes) => checkParametersSchema(schemaOf(bytes)).length)).toEqual([0, 1]);
  });
});

describe("a rendered request", () => {
  const request = { method: "GET" as const, url: "https://api.example.com/", headers: {} };
  const isSent = (change: object) => isAccepted(() => withinRequestLimits({ ...request, ...change }));

  it("has a URL of up to 8,192 characters", () => {
    const urlOf = (length: number) => request.url.padEnd(length, "a");
    expect(around(8_192, (length) => isSent({ url: urlOf(length) }))).toEqual([true, false]);
  });

  it("has a body of up to 64 KiB, as text or as JSON", () => {
    expect(around(65_536, (bytes) => isSent({ body: "é".padEnd(bytes - 1, "x") }))).toEqual([true, false]);
    const jsonOf = (bytes: number) => ({ a: "x".repeat(bytes - JSON.stringify({ a: "" }).length) });
    expect(around(65_536, (bytes) => isSent({ body: jsonOf(bytes) }))).toEqual([true, false]);
  });

  it("has headers of up to 16,384 characters, names included", () => {
    const headersOf = (length: number) => ({ a: "x".repeat(99), bc: "x".repeat(length - 102) });
    expect(around(16_384, (length) => isSent({ headers: headersOf(length) }))).toEqual([true, false]);
  });
});

describe("an OpenAPI document", () => {
  const head = { openapi: "3.1.0", info: { title: "t", version: "1" }, servers: [{ url: "https://api.example.com" }] };
  const around = async (limit: number, documentOf: (size: number) => object) => {
    const isRead = (document: object) =>
      convertDocument(JSON.stringify(document), {}).then(
        () => true,
        () => false,
      );
    return [await isRead(documentOf(limit)), await isRead(documentOf(limit + 1))];
  };

  it("has up to 16,777,216 characters", async () => {
    const text = JSON.stringify({ ...head, paths: { "/p": { get: { responses: {} } } } });
    const imported = await openApiReader.import(text.padEnd(16_777_216));
    expect(imported.drafts).toHaveLength(1);
    await expect(openApiReader.import(text.padEnd(16_777_217))).rejects.toThrow("expected at most 16777216 characters");
  });

  it("has up to 200 operations of one import", async () => {
    const pathsOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`/p${index}`, { get: { responses: {} } }]));
    expect(await around(200, (count) => ({ ...head, paths: pathsOf(count) }))).toEqual([true, false]);
  });

  it("has up to 100 levels", async () => {
    const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });
    const documentOf = (levels: number) => ({ ...head, paths: {}, "x-deep": nested(levels - 1) });
    expect(await around(100, documentOf)).toEqual([true, false]);
  });

  it("has up to 1,000,000 values", async () => {
    // The document, its five fields, two of info, a server and its URL.
    const others = 10;
    const listOf = (values: number) => Array.from({ length: values - others }, () => 0);
    const documentOf = (values: number) => ({ ...head, paths: {}, "x-list": listOf(values) });
    expect(await around(1_000_000, documentOf)).toEqual([true, false]);
  });
});
