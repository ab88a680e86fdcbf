import { describe, expect, it } from "vitest";
import { KEYS } from "./support/command.ts";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

const VALUE = "sk-planted-0123456789";

const secret = (args: readonly string[], env: Readonly<Record<string, string>>, input?: string) =>
  runWithInput(["secret", ...args], env, input);

describe("yagate secret", () => {
  it("sets what comes on standard input, lists it without its value, and deletes it", async () => {
    const { env } = await startGateway();
    expect(await secret(["list"], env)).toEqual({ status: 0, output: "There are no secrets in this workspace.\n" });
    const set = await secret(["set", "OPENAI_KEY"], env, `${VALUE}\n`);
    expect(set).toEqual({ status: 0, output: expect.stringMatching(/^OPENAI_KEY was set at \S+Z\.\n$/) });
    const options = ["--host", "a.example", "--host", "*.b.example", "--auth", "header", "--auth-name", "X-Key"];
    expect(await secret(["set", "SHOP_KEY", ...options], env, VALUE)).toMatchObject({ status: 0 });

    const login = ["--auth", "basic", "--host", "login.example"];
    const pair = await secret(["set", "LOGIN", ...login], env, `user-planted:pass:${VALUE}\n`);
    expect(pair).toMatchObject({ status: 0 });
    const unsaid = await secret(["set", "LOGIN"], env, VALUE);
    expect(unsaid).toEqual({ status: 2, output: expect.stringMatching(/LOGIN is sent as basic/) });

    const renewed = await secret(["set", "LOGIN", "--host", "login.example"], env, `user-planted:other:${VALUE}`);
    expect(renewed).toMatchObject({ status: 0 });

    const token = ["--auth", "signed_token", "--auth-issuer", "shop", "--auth-audience", "b", "--auth-expires", "90"];
    expect(await secret(["set", "TOKEN_KEY", "--host", "localhost", ...token], env, VALUE)).toMatchObject({
      status: 0,
    });

    const listed = await secret(["list"], env);
    expect(listed.status).toBe(0);
    const lines = listed.output.trim().split("\n");
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ["NAME", "UPDATED", "AUTH", "HOSTS"],
      ["LOGIN", expect.stringMatching(/Z$/), "basic", "login.example"],
      ["OPENAI_KEY", expect.stringMatching(/Z$/), "-", "-"],
      ["SHOP_KEY", expect.stringMatching(/Z$/), "header", "a.example,*.b.example"],
      ["TOKEN_KEY", expect.stringMatching(/Z$/), "signed_token", "localhost"],
    ]);
    const json = await secret(["list", "--json"], env);
    expect(JSON.parse(json.output)).toMatchObject([
      { name: "LOGIN", auth: { type: "basic" } },
      { name: "OPENAI_KEY", auth: null },
      { name: "SHOP_KEY", auth: { type: "header", name: "X-Key" } },
      { name: "TOKEN_KEY", auth: { type: "signed_token", issuer: "shop", audience: "b", expiresInSeconds: 90 } },
    ]);

    expect(await secret(["delete", "OPENAI_KEY"], env)).toEqual({ status: 0, output: "OPENAI_KEY was deleted.\n" });
    expect(await secret(["delete", "OPENAI_KEY"], env)).toMatchObject({
      status: 2,
      output: expect.stringMatching(/^✕ \w+ {2}.*no secret with this name/),
    });
    expect(listed.output + json.output + set.output + unsaid.output).not.toContain("planted");
  });

  it.each<[string, readonly string[], string, RegExp]>([
    ["a value as an argument", ["set", "KEY", VALUE], "", /expected no value as an argument/],
    ["an empty value", ["set", "KEY"], "\n", /value: expected string to have at least 8 characters/],
    ["a short value", ["set", "KEY"], "planted", /value: expected string to have at least 8 characters/],
    ["two lines", ["set", "KEY"], `${VALUE}\n${VALUE}`, /value: expected one line of printable ASCII/],
    ["a name in lower case", ["set", "key"], VALUE, /expected 1 to 64 upper-case letters/],
    ["a kind of use that there is not", ["set", "KEY", "--auth", "digest"], VALUE, /^✕ \w+ {2}--auth: .*bearer, basic/],
    ["a password without a user name", ["set", "KEY", "--auth", "basic"], VALUE, /expected a user name, a colon and/],
    ["a header without its name", ["set", "KEY", "--auth", "header"], VALUE, /^✕ \w+ {2}--auth-name: expected string/],
    [
      "an issuer of a header",
      ["set", "KEY", "--auth", "bearer", "--auth-issuer", "a"],
      VALUE,
      /^✕ \w+ {2}--auth-issuer: unknown/,
    ],
    [
      "no number of seconds",
      ["set", "KEY", "--auth", "signed_token", "--auth-expires", "x"],
      VALUE,
      /^✕ \w+ {2}--auth-expires: /,
    ],
    ["no subcommand", [], "", /Usage: yagate secret <command>/],
  ])("refuses %s without repeating it", async (_what, args, input, message) => {
    // Nobody listens there: all of this is said before anything is sent.
    const env = { YAGATE_BASE_URL: "http://127.0.0.1:1", YAGATE_API_KEY: KEYS.YAGATE_API_KEY };
    const result = await secret(args, env, input);
    expect(result).toEqual({ status: 2, output: expect.stringMatching(message) });
    expect(result.output).not.toContain("planted");
  });

  const BASE_URL = "http://127.0.0.1:1";

  it.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    [
      "before it asks for a value",
      ["set", "KEY"],
      {},
      /expected the URL of the gateway and an API key\nTry: export YAGATE_BASE_URL=…\n {5}export YAGATE_API_KEY=…/,
    ],
    ["when it lists", ["list"], { YAGATE_BASE_URL: BASE_URL }, /expected an API key\nTry: export YAGATE_API_KEY=…/],
    [
      "when it deletes",
      ["delete", "KEY"],
      { YAGATE_API_KEY: VALUE, YAGATE_BASE_URL: "" },
      /expected the URL of the gateway\n/,
    ],
    [
      "of an address that is none",
      ["list"],
      { YAGATE_API_KEY: VALUE, YAGATE_BASE_URL: "localhost" },
      /expected YAGATE_BASE_URL to be an http or https URL.*\nTry: correct it/,
    ],
    [
      "of a key that is none",
      ["list"],
      { YAGATE_API_KEY: "planted key", YAGATE_BASE_URL: BASE_URL },
      /expected YAGATE_API_KEY without white space.*\nTry: correct it/,
    ],
  ])("says in the words of a shell what it lacks: %s", async (_when, args, env, message) => {
    const result = await secret(args, env, VALUE);
    expect(result).toEqual({ status: 2, output: expect.stringMatching(message) });
    expect(result.output).not.toMatch(/new Yagate|planted/);
  });

  it("says how the value is given", async () => {
    expect(await secret(["--help"], {})).toEqual({
      status: 0,
      output: expect.stringMatching(/yagate secret set OPENAI_KEY < key\.txt/),
    });
  });
});
