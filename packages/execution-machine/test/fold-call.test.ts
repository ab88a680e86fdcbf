import { expect, it } from "vitest";
import { toCall } from "../src/fold-call.ts";

const requested = {
  type: "tool_call.requested",
  seq: 2,
  executionId: "exec_1",
  at: "2026-11-22T06:00:00.000Z",
  toolCallId: "tc_1",
  turn: 1,
  name: "look_up",
  kind: "network",
  parameters: {},
  sideEffect: null,
  risk: null,
  policyDecision: null,
} as const;

it("a call keeps the projection and the nonce that it was recorded with, and has neither otherwise", () => {
  const recorded = { projection: { keep: ["$.sku"] }, frameNonce: "5e2f9c0b7a1d4e83b6c90f21d7a8e354" };
  expect(toCall({ ...requested, ...recorded })).toMatchObject(recorded);
  const plain = toCall(requested);
  expect(plain).not.toHaveProperty("projection");
  expect(plain).not.toHaveProperty("frameNonce");
});

it.each([
  [undefined, "network", true],
  [undefined, "handler", false],
  [false, "network", false],
  [true, "handler", true],
] as const)("a call recorded as untrusted: %s, of the kind %s, is untrusted: %s", (recorded, kind, isUntrusted) => {
  const event = { ...requested, kind, ...(recorded === undefined ? {} : { isUntrusted: recorded }) };
  expect(toCall(event)).toMatchObject({ isUntrusted });
});
