import { expect, it } from "vitest";
import { headerNameSchema } from "../../src/schemas/header-name.ts";

const isTaken = (name: string) => headerNameSchema.safeParse(name).success;

it.each([
  "host",
  "Content-Length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "accept-encoding",
  "proxy-authorization",
  "proxy-connection",
])("no tool sets %s, with which a message is transferred", (name) => {
  expect(isTaken(name)).toBe(false);
});

it("a tool sets any other header, of up to 100 characters", () => {
  const names = ["x-api-key", "X-Host", "content-type", "te2", "expectation", "x".repeat(100)];
  expect(names.filter((name) => !isTaken(name))).toEqual([]);
  expect(["", "x y", "x:", "é", "x".repeat(101)].filter(isTaken)).toEqual([]);
});
