import { describe, expect, it } from "vitest";
import { findSecret } from "../../src/cassettes/find-secret.ts";

const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ5YWdhdGUifQ.c2lnbmF0dXJl";

describe("a secret", () => {
  it.each<[string, unknown, string]>([
    ["in a text", { a: ["b", "use sk-0123456789abcdef0123"] }, "a[1]"],
    [
      "as the value of a field",
      { recording: { toolResults: [{ result: { apiKey: "q" } }] } },
      "recording.toolResults[0].result.apiKey",
    ],
    ["as a JSON Web Token", { text: TOKEN }, "text"],
    ["as a header", { headers: { a: "Bearer abcdefgh12345678" } }, "headers.a"],
    ["as the name of a field, which is not shown", { a: { whsec_0123456789abcdef: 1 } }, "a"],
    ["of the gateway", { list: [{}, "yk_0123456789abcdef"] }, "list[1]"],
  ])("is found %s", (_name, value, path) => {
    expect(findSecret(value)).toBe(path);
  });

  it.each<[string, unknown]>([
    ["a mask of the gateway", { token: "***SHOP***", text: "the token is ***SHOP***" }],
    ["an empty value", { password: "" }],
    ["a number", { maxTokens: 40, tokens: 3 }],
    ["a hash of arguments", { argumentsHash: `sha256:${"7b3c".repeat(16)}` }],
    ["ordinary text", { text: "Where is order ORD-12345? A secret is safe here." }],
  ])("is not %s", (_name, value) => {
    expect(findSecret(value)).toBeUndefined();
  });
});
