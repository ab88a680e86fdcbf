import { describe, expect, it } from "vitest";
import { createExecutionSchema } from "../../src/schemas/execution.ts";
import { putSecretSchema } from "../../src/schemas/secret.ts";
import { createToolSourceSchema } from "../../src/schemas/tool-source.ts";

/** An object whose JSON has so many bytes, one of them half of a letter. */
function objectOf(bytes: number) {
  const frame = JSON.stringify({ a: "é" });
  return { a: `é${"x".repeat(bytes - Buffer.byteLength(frame))}` };
}

describe("an execution", () => {
  it.each([
    ["caller", 4_096],
    ["metadata", 16_384],
  ])("has a %s of at most %i bytes of JSON", (field, bytes) => {
    const isTaken = (value: object) => createExecutionSchema.safeParse({ input: "hello", [field]: value }).success;
    expect(Buffer.byteLength(JSON.stringify(objectOf(bytes)))).toBe(bytes);
    expect([objectOf(bytes), objectOf(bytes + 1)].map(isTaken)).toEqual([true, false]);
  });
});

describe("a secret", () => {
  const isTaken = (value: unknown, type = "bearer") =>
    putSecretSchema.safeParse({ value, auth: { type }, hosts: ["api.shop.example"] }).success;

  it("has at least 8 characters", () => {
    expect(["x".repeat(7), "x".repeat(8)].map((value) => isTaken(value))).toEqual([false, true]);
  });

  it("of a user name and a password has 8 characters in one of them, and at most 4,096 in each", () => {
    const pairs: readonly (readonly [username: number, password: number])[] = [
      [7, 7],
      [8, 0],
      [0, 8],
      [4_096, 4_096],
      [4_097, 8],
      [8, 4_097],
    ];
    const taken = pairs.map(([username, password]) =>
      isTaken({ username: "u".repeat(username), password: "p".repeat(password) }, "basic"),
    );
    expect(taken).toEqual([false, true, true, true, false, false]);
  });
});

it("a signed token is valid for 1 to 3,600 seconds", () => {
  const isTaken = (expiresInSeconds: number) =>
    putSecretSchema.safeParse({
      ...{ value: "x".repeat(32), auth: { type: "signed_token", expiresInSeconds }, hosts: ["api.shop.example"] },
    }).success;
  expect([0, 1, 3_600, 3_601].map(isTaken)).toEqual([false, true, true, false]);
});

it("a tool source is synced every 60 to 86,400 seconds", () => {
  const isTaken = (syncIntervalSeconds: number) =>
    createToolSourceSchema.safeParse({
      ...{ name: "orders", kind: "handler", url: "https://tools.example.com/", syncIntervalSeconds },
    }).success;
  expect([59, 60, 86_400, 86_401].map(isTaken)).toEqual([false, true, true, false]);
});
