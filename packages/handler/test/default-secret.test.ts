import { afterEach, describe, expect, it, vi } from "vitest";
import { completeToolCall } from "../src/callback.ts";
import { toolHandler } from "../src/express.ts";
import { createHandler, verifyCall } from "../src/index.ts";
import { callTool } from "../src/testing.ts";
import { NOW_MS, OTHER_SECRET, SECRET, signed, validCall } from "./support/calls.ts";
import { outcomeOf } from "./support/outcome.ts";
import { call, toolThat } from "./support/tools.ts";

const tool = toolThat(() => "done");
const callback = { url: "https://gateway.test/v1/callbacks/tc_1", token: "yc_test", toolCallId: "tc_1" };
const fetch = async () => Response.json({});

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("without the option secrets", () => {
  it("a handler has the secret of YAGATE_SIGNING_SECRET", async () => {
    vi.stubEnv("YAGATE_SIGNING_SECRET", SECRET);
    expect(await callTool(createHandler({ tools: [tool] }), call())).toMatchObject({ isSigned: true, result: "done" });
  });

  it("so have verifyCall and completeToolCall", async () => {
    vi.stubEnv("YAGATE_SIGNING_SECRET", SECRET);
    expect(await verifyCall(await signed(validCall()), { now: () => NOW_MS })).toMatchObject({ name: "lookup_order" });
    await expect(completeToolCall(callback, { result: 1 }, { fetch })).resolves.toBeUndefined();
  });

  it.each<[string, () => unknown]>([
    ["createHandler", () => createHandler({ tools: [tool] })],
    ["toolHandler", () => toolHandler({ ...tool })],
    ["verifyCall", async () => verifyCall(await signed(validCall()))],
    ["completeToolCall", () => completeToolCall(callback, { result: 1 })],
  ])("%s is refused where the variable is not set", async (_name, work) => {
    vi.stubEnv("YAGATE_SIGNING_SECRET", undefined);
    expect(await outcomeOf(work)).toBe("SECRET_INVALID");
    await expect(async () => work()).rejects.toThrow("set YAGATE_SIGNING_SECRET, or pass the option `secrets`");
  });
});

it("the variable never takes the place of another one that is not set", async () => {
  vi.stubEnv("YAGATE_SIGNING_SECRET", SECRET);
  expect(await outcomeOf(() => createHandler({ secrets: process.env["ORDERS_SECRET"], tools: [tool] }))).toBe(
    "SECRET_INVALID",
  );
});

it("an option that was given counts alone", async () => {
  vi.stubEnv("YAGATE_SIGNING_SECRET", SECRET);
  const handler = createHandler({ secrets: OTHER_SECRET, tools: [tool] });
  expect(await callTool(handler, call())).toMatchObject({ status: 401 });
});
