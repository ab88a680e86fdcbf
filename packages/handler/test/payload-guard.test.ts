import { toolCallSchema } from "@yagate/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertToolCall } from "../src/payload-guard.ts";
import { validCall } from "./support/calls.ts";
import { outcomeOf } from "./support/outcome.ts";

const full = validCall({
  schemaHash: "sha256:00",
  audience: "https://orders.example.com",
  caller: { userId: "u1" },
  callback: { url: "https://gateway.example.com", token: "t", expiresAt: "2027-01-16T08:00:00Z" },
});

const fields = [...Object.keys(full), "callback.url", "callback.token", "callback.expiresAt", "future"];

const twoDigits = fc
  .oneof(fc.integer({ min: 0, max: 99 }), fc.constantFrom(0, 1, 2, 12, 23, 24, 28, 29, 30, 31, 59, 60))
  .map((part) => String(part).padStart(2, "0"));
const nearlyTimestamp = fc
  .tuple(
    fc.constantFrom("2027", "2028", "2000", "1900", "0000", "9999", "202", "+002027"),
    twoDigits,
    twoDigits,
    fc.constantFrom("T", "t", " ", ""),
    twoDigits,
    twoDigits,
    fc.option(twoDigits),
    fc.constantFrom("", ".0", ".123456789", ".", ",5"),
    fc.constantFrom("Z", "z", "+00:00", "-01:00", "", "Z\n", " Z"),
  )
  .map(([year, month, day, t, hour, minute, second, fraction, zone]) => {
    const time = second === null ? `${hour}:${minute}` : `${hour}:${minute}:${second}`;
    return `${year}-${month}-${day}${t}${time}${fraction}${zone}`;
  });
const realTimestamp = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") })
  .map((date) => date.toISOString());
const nearlyId = fc
  .tuple(
    fc.constantFrom("tc_", "agt_", "exec_", "TC_", "tc", ""),
    fc.oneof(fc.stringMatching(/^[A-Za-z0-9_.\n-]{0,4}$/), fc.constantFrom("a".repeat(120), "a".repeat(121), "é")),
  )
  .map(([prefix, rest]) => prefix + rest);
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("", 0, 1, -1, 1.5, 2 ** 53, 2 ** 53 - 1, true, null, [], {}, "1"),
  nearlyTimestamp,
  realTimestamp,
  nearlyId,
);
const absent = fc.constant(undefined);

/** A call in which a few fields have other values, or none. */
const mutatedCall = fc
  .array(
    fc.tuple(
      fc.constantFrom(...fields),
      fc.oneof({ weight: 5, arbitrary: anything }, { weight: 1, arbitrary: absent }),
    ),
    { maxLength: 2 },
  )
  .map((changes) => {
    const call: Record<string, unknown> = { ...full, callback: { ...Object(full["callback"]) } };
    for (const [field, value] of changes) {
      const [name = "", inner] = field.split(".");
      if (inner === undefined) call[name] = value;
      else if (typeof call[name] === "object" && call[name] !== null) Object.assign(call[name], { [inner]: value });
    }
    const parsed: unknown = JSON.parse(JSON.stringify(call));
    return parsed;
  });

function accepts(value: unknown): boolean {
  try {
    assertToolCall(value);
    return true;
  } catch {
    return false;
  }
}

describe("the guard of calls", () => {
  it("accepts and refuses what the schema does", () => {
    let accepted = 0;
    fc.assert(
      fc.property(mutatedCall, (call) => {
        const parsed = toolCallSchema.safeParse(call);
        if (parsed.success) accepted += 1;
        expect(accepts(call)).toBe(parsed.success);
        if (parsed.success) expect(parsed.data).toEqual(call);
      }),
      { numRuns: 3_000 },
    );
    // Both sides of the comparison were met often.
    expect(accepted).toBeGreaterThan(300);
    expect(accepted).toBeLessThan(2_700);
  });

  it("agrees with the schema on times", () => {
    fc.assert(
      fc.property(fc.oneof(nearlyTimestamp, realTimestamp), (timestamp) => {
        const call = { ...full, timestamp };
        expect(accepts(call)).toBe(toolCallSchema.safeParse(call).success);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ["2028-02-29T00:00:00Z", "accept"],
    ["2027-02-29T00:00:00Z", "PAYLOAD_INVALID"],
    ["2000-02-29T00:00:00Z", "accept"],
    ["1900-02-29T00:00:00Z", "PAYLOAD_INVALID"],
    ["2027-04-31T00:00:00Z", "PAYLOAD_INVALID"],
    ["2027-04-30T24:00:00Z", "PAYLOAD_INVALID"],
    ["2027-04-30T23:59:60Z", "PAYLOAD_INVALID"],
    ["2027-04-30T23:59Z", "PAYLOAD_INVALID"],
    ["2027-04-30T23:59:59.123456789Z", "accept"],
    ["2027-04-30T23:59:59+00:00", "PAYLOAD_INVALID"],
  ])("judges the time %s: %s", async (timestamp, expected) => {
    expect(await outcomeOf(() => assertToolCall({ ...full, timestamp }))).toBe(expected);
  });

  it.each<[string, Record<string, unknown>]>([
    ["toolCallId", { toolCallId: "exec_1" }],
    ["agentId", { agentId: 1 }],
    ["executionId", { executionId: "exec_" }],
    ["name", { name: "" }],
    ["parameters", { parameters: [] }],
    ["attempt", { attempt: 1.5 }],
    ["timestamp", { timestamp: "now" }],
    ["deadline", { deadline: null }],
    ["schemaHash", { schemaHash: 1 }],
    ["audience", { audience: null }],
    ["caller", { caller: "u1" }],
    ["callback", { callback: "https://gateway.example.com" }],
    ["callback.url", { callback: { token: "t", expiresAt: "2027-01-16T08:00:00Z" } }],
    ["callback.token", { callback: { url: "u", expiresAt: "2027-01-16T08:00:00Z" } }],
    ["callback.expiresAt", { callback: { url: "u", token: "t", expiresAt: "soon" } }],
  ])("names %s when that is what is wrong", (field, changed) => {
    expect(() => assertToolCall({ ...full, ...changed })).toThrow(`${field}: expected`);
  });
});
