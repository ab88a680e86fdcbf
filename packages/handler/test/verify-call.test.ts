import { describe, expect, it } from "vitest";
import { type VerifyOptions, verifyCall } from "../src/index.ts";
import { NOW_MS, OTHER_SECRET, SECRET, signed, toBytes, validCall } from "./support/calls.ts";
import { outcomeOf } from "./support/outcome.ts";

const options: VerifyOptions = { secrets: [SECRET], now: () => NOW_MS };

async function outcome(value: unknown, changed: Partial<VerifyOptions> = {}): Promise<string> {
  const request = await signed(value);
  return outcomeOf(() => verifyCall(request, { ...options, ...changed }));
}

it("returns the call as it was sent, with the fields that a newer gateway adds", async () => {
  const call = validCall({ future: { x: 1 }, caller: { userId: "u1" } });
  expect(await verifyCall(await signed(call), options)).toEqual(call);
});

describe("the signature header", () => {
  it.each([
    ["a Headers object", (value: string) => new Headers({ "X-YA-Signature": value })],
    ["a record in lower case", (value: string) => ({ "x-ya-signature": value })],
    ["a record in another case", (value: string) => ({ "X-Ya-Signature": value })],
    ["a list", (value: string) => ({ "x-ya-signature": [`sha256=${"0".repeat(64)}`, value] })],
    [
      "two headers of different case",
      (value: string) => ({ "X-YA-Signature": `sha256=${"0".repeat(64)}`, "X-Ya-Signature": value }),
    ],
    ["beside an absent one", (value: string) => ({ "X-YA-SIGNATURE": undefined, "X-YA-Signature": value })],
  ])("is found in %s", async (_name, toHeaders) => {
    const { headers, body } = await signed(validCall());
    const call = await verifyCall({ headers: toHeaders(headers["x-ya-signature"]), body }, options);
    expect(call.name).toBe("lookup_order");
  });
});

describe("the secrets", () => {
  it.each<[string, VerifyOptions["secrets"], string]>([
    ["one text", SECRET, "accept"],
    ["a list with the right one", [OTHER_SECRET, SECRET], "accept"],
    ["a function", () => SECRET, "accept"],
    ["an asynchronous function", async () => [OTHER_SECRET, SECRET], "accept"],
    ["another one", [OTHER_SECRET], "SIGNATURE_MISMATCH"],
    ["none", [], "SECRET_INVALID"],
    ["an unset variable", undefined, "SECRET_INVALID"],
    ["an unset variable in a list", [SECRET, undefined], "SECRET_INVALID"],
    ["an empty one", "", "SECRET_INVALID"],
    ["an empty one beside a good one", [SECRET, ""], "SECRET_INVALID"],
    ["one with white space", `${SECRET}\n`, "SECRET_INVALID"],
    ["a function that finds none", () => undefined, "SECRET_INVALID"],
    ["nine", Array.from({ length: 9 }, () => SECRET), "SECRET_INVALID"],
  ])("given as %s: %s", async (_name, secrets, expected) => {
    expect(await outcome(validCall(), { secrets })).toBe(expected);
  });
});

describe("the age", () => {
  it.each<[string, number, number | undefined, string]>([
    ["exactly the tolerance old", 300_000, undefined, "accept"],
    ["a millisecond more", 300_001, undefined, "TIMESTAMP_TOO_OLD"],
    ["exactly the tolerance ahead", -300_000, undefined, "accept"],
    ["a millisecond further ahead", -300_001, undefined, "TIMESTAMP_IN_FUTURE"],
    ["old for a tolerance that is no number", 1_000, Number.NaN, "TIMESTAMP_TOO_OLD"],
    ["at once, with a tolerance of 0", 0, 0, "accept"],
  ])("%s", async (_name, ageMs, toleranceSeconds, expected) => {
    expect(await outcome(validCall(), { now: () => NOW_MS + ageMs, toleranceSeconds })).toBe(expected);
  });

  it("is refused by a clock that is no number", async () => {
    expect(await outcome(validCall(), { now: () => Number.NaN })).toBe("TIMESTAMP_TOO_OLD");
  });
});

describe("the audience", () => {
  const audience = "https://orders.example.com/tools";

  it.each<[string, Record<string, unknown>, string | undefined, string]>([
    ["the handler's own", { audience }, audience, "accept"],
    ["any, for a handler that was given none", { audience }, undefined, "accept"],
    ["another handler's", { audience: `${audience}/2` }, audience, "PAYLOAD_INVALID"],
    ["missing", {}, audience, "PAYLOAD_INVALID"],
  ])("%s", async (_name, fields, own, expected) => {
    expect(await outcome(validCall(fields), { audience: own })).toBe(expected);
  });
});

describe("the order of the checks", () => {
  it.each<[string, () => Promise<Parameters<typeof verifyCall>[0]>, string]>([
    ["size before signature", async () => ({ headers: {}, body: new Uint8Array(1_048_577) }), "BODY_TOO_LARGE"],
    ["signature before JSON", async () => ({ ...(await signed("{")), headers: {} }), "SIGNATURE_MISSING"],
    [
      "fields before age",
      () => signed(validCall({ attempt: 0, timestamp: "2020-01-01T00:00:00Z" })),
      "PAYLOAD_INVALID",
    ],
    ["age before audience", () => signed(validCall({ timestamp: "2020-01-01T00:00:00Z" })), "TIMESTAMP_TOO_OLD"],
  ])("%s", async (_name, toRequest, expected) => {
    const request = await toRequest();
    expect(await outcomeOf(() => verifyCall(request, { ...options, audience: "https://other.example.com" }))).toBe(
      expected,
    );
  });
});

describe("a body", () => {
  it("of other than bytes is refused, since its bytes are lost", async () => {
    const { headers } = await signed(validCall());
    const body: unknown = validCall();
    // @ts-expect-error a parsed body is a mistake that the types catch and JavaScript does not
    expect(await outcomeOf(() => verifyCall({ headers, body }, options))).toBe("BODY_ALREADY_PARSED");
  });

  it("that begins with a byte order mark is refused", async () => {
    const text = `\uFEFF${JSON.stringify(validCall())}`;
    expect(await outcome(text)).toBe("PAYLOAD_INVALID");
  });

  it("is never quoted in an error", async () => {
    const request = await signed(validCall({ attempt: "private value" }));
    const syntax = await signed('{"private value"');
    await expect(verifyCall(request, options)).rejects.toThrow("attempt: expected a whole number of at least 1");
    const error: unknown = await verifyCall(syntax, options).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: "the body: expected JSON in valid UTF-8" });
    expect(error).not.toHaveProperty("cause");
  });
});

it("verifies bytes of another realm's class", async () => {
  const { headers, body } = await signed(validCall());
  const { runInNewContext } = await import("node:vm");
  const foreign: Uint8Array = runInNewContext("Uint8Array.from(bytes)", { bytes: [...body] });
  expect(foreign).not.toBeInstanceOf(Uint8Array);
  expect((await verifyCall({ headers, body: foreign }, options)).attempt).toBe(1);
});

it("tells two bodies apart that a lenient decoder reads alike", async () => {
  const { headers } = await signed(validCall());
  const changed = toBytes(`${JSON.stringify(validCall())} `);
  expect(await outcomeOf(() => verifyCall({ headers, body: changed }, options))).toBe("SIGNATURE_MISMATCH");
});
