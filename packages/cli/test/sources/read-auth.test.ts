import { expect, it } from "vitest";
import { readAuth } from "../../src/sources/read-auth.ts";

it("each option that says how the gateway identifies itself becomes the field of its name, unchanged", () => {
  const given = {
    issuer: "https://Login.example.com",
    grant: "client_credentials",
    clientId: "Agents-1",
    clientSecret: "Client_SECRET",
    scope: ["read", "Write"],
    allowRegistration: true,
  };
  const { scope: scopes, ...others } = given;
  expect(readAuth(given)).toEqual({ oauth: { ...others, scopes } });
  expect(readAuth({ credential: "Api_KEY" })).toEqual({ credential: "Api_KEY" });
  expect(readAuth({})).toBeUndefined();
});

it.each([
  ["--credential and --issuer exclude each other", { credential: "KEY", issuer: "https://login.example.com" }],
  ["--client-secret needs --issuer", { clientSecret: "KEY" }],
  ["--grant needs --issuer", { grant: "client_credentials" }],
  ["--scope needs --issuer", { scope: ["read"] }],
])("%s", (_rule, options) => {
  expect(() => readAuth(options)).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
});
