import { runInNewContext } from "node:vm";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { completeToolCall } from "../../src/callback.ts";
import { callTool } from "../../src/testing.ts";
import { SECRET } from "../support/calls.ts";
import { call, handlerOf, toolThat } from "../support/tools.ts";

async function resultOf(result: unknown, isDevelopment = true) {
  const { handler, logger } = handlerOf(
    toolThat(() => result),
    { isDevelopment },
  );
  return { ...(await callTool(handler, call())), lines: logger.lines };
}

describe("in development a result that JSON would change is refused, and the log has its path:", () => {
  it.each<[string, unknown, string]>([
    ["NaN", { price: Number.NaN }, "result.price is NaN, which becomes null"],
    ["Infinity in a list", { prices: [1, -Infinity] }, "result.prices[1] is -Infinity, which becomes null"],
    [
      "a Map",
      { byId: new Map([["a", 1]]) },
      "result.byId is a Map, whose content JSON omits: use Object.fromEntries(map)",
    ],
    ["a Set", [new Set([1])], "result[0] is a Set, whose content JSON omits: use [...set]"],
    ["a Map of another realm", runInNewContext("({ a: new Map() })"), "result.a is a Map"],
    [
      "a promise that was not awaited",
      { order: Promise.resolve(1) },
      "result.order is a Promise, whose content JSON omits: await it",
    ],
    ["an error", { failed: new TypeError("x") }, "result.failed is an Error"],
    ["a pattern", { "two words": /x/ }, 'result["two words"] is a RegExp'],
    ["bytes", new Uint8Array(2), "result is a Uint8Array, whose content JSON omits: encode it as base64"],
    ["a response", { response: new Response() }, "result.response is a Response"],
    [
      "an iterator",
      { ids: new Map([["a", 1]]).keys() },
      "result.ids is a Map Iterator, whose content JSON omits: use [...iterator]",
    ],
    ["an iterator of a list", [1].values(), "result is an Array Iterator"],
    [
      "a generator",
      (function* () {
        yield 1;
      })(),
      "result is a Generator, whose content JSON omits: use [...generator]",
    ],
    ["parameters of a URL", { query: new URLSearchParams("a=1") }, "result.query is a URLSearchParams"],
    ["a DOMException", { failed: new DOMException("x") }, "result.failed is a DOMException"],
    ["an invalid date", { at: new Date("soon") }, "result.at is an invalid Date, which becomes null"],
    ["a NaN in an object", { price: Object(Number.NaN) }, "result.price is NaN, which becomes null"],
    ["a function", { run() {} }, "result.run is a function"],
    ["a symbol", { kind: Symbol("a") }, "result.kind is a symbol"],
    ["undefined in a list", [1, undefined], "result[1] is undefined, which becomes null"],
    ["a BigInt", { count: 1n }, "result.count is a BigInt: return it as a string"],
    ["what toJSON returns", { toJSON: () => ({ a: Number.NaN }) }, "result.a is NaN"],
  ])("%s", async (_name, result, fault) => {
    const { status, error, lines } = await resultOf(result);
    expect({ status, code: error?.code }).toEqual({ status: 500, code: "INTERNAL" });
    expect(lines).toMatchObject([
      {
        level: "error",
        fields: { error: { message: expect.stringContaining(`a result must be representable as JSON: ${fault}`) } },
      },
    ]);
    // Whoever called reads nothing of it.
    expect(JSON.stringify(error)).not.toContain("result");
  });
});

it("a list that holds itself is refused", async () => {
  const list: unknown[] = [];
  list.push([list]);
  const { lines } = await resultOf(list);
  expect(lines).toMatchObject([
    { fields: { error: { message: expect.stringContaining("result[0][0] contains itself") } } },
  ]);
});

it.each<[string, unknown, unknown]>([
  ["a date", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
  ["a property that is undefined", { a: undefined, b: 1 }, { b: 1 }],
  ["an object of a class", Object.assign(Object.create({ inherited: 1 }), { own: 2 }), { own: 2 }],
  ["one object in two places", [call, call].map(() => ({ a: 1 })), [{ a: 1 }, { a: 1 }]],
  ["a Buffer, which has a form of its own", Buffer.from("a"), { type: "Buffer", data: [97] }],
  ["text with half a surrogate pair", "\ud800", "\ud800"],
])("%s passes", async (_name, result, expected) => {
  expect((await resultOf(result)).result).toEqual(expected);
});

it("outside development the result goes out as JSON has it", async () => {
  expect((await resultOf({ a: Number.NaN, b: new Map() }, false)).result).toEqual({ a: null, b: {} });
});

it("so are results that come later", async () => {
  const callback = { url: "https://gateway.test/v1/callbacks/tc_1", token: "yc_test", toolCallId: "tc_1" };
  const completing = completeToolCall(callback, { result: { a: [Number.NaN] } }, { secrets: SECRET });
  await expect(completing).rejects.toMatchObject({
    code: "INVALID_REQUEST",
    message: "a result must be representable as JSON: result.a[0] is NaN, which becomes null",
  });
});

it.each<[environment: string | undefined, status: number]>([
  ["production", 200],
  ["development", 500],
  [undefined, 500],
])("with NODE_ENV=%s, a result with NaN is answered %i", async (environment, status) => {
  vi.stubEnv("NODE_ENV", environment);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { handler } = handlerOf(
    toolThat(() => ({ price: Number.NaN })),
    { isDevelopment: undefined },
  );
  const answer = await callTool(handler, call());
  expect(answer.status).toBe(status);
  if (status === 200) expect(answer.result).toEqual({ price: null });
});
