import { DEFAULT_INHERITED_ENV_VARS } from "@modelcontextprotocol/client/stdio";
import { expect, it, vi } from "vitest";
import { environmentOf, INHERITED } from "../../src/gateway/stdio-servers/environment.ts";
import { hashOfServer } from "../../src/gateway/stdio-servers/stdio-server.ts";

it("stdio servers get the variables that the official client passes on, and those that are named", () => {
  expect(INHERITED).toEqual(DEFAULT_INHERITED_ENV_VARS);
  vi.stubEnv("SHELL", "() { :; }");
  vi.stubEnv("YAGATE_API_KEY", "yk_1");
  const environment = environmentOf({ TERM: "dumb", KEY: "value" });
  vi.unstubAllEnvs();
  expect(environment).toMatchObject({ PATH: process.env["PATH"], TERM: "dumb", KEY: "value" });
  expect(environment).not.toHaveProperty("SHELL");
  expect(environment).not.toHaveProperty("YAGATE_API_KEY");
});

const SERVER = { command: "node", args: ["a.ts"], cwd: "/", env: { A: "1", B: "2" } };

it.each<[string, Partial<typeof SERVER>, boolean]>([
  ["the value of a variable", { env: { A: "3", B: "2" } }, true],
  ["the order of the variables", { env: { B: "2", A: "1" } }, true],
  ["another variable", { env: { A: "1", B: "2", ...{ C: "3" } } }, false],
  ["another command", { command: "deno" }, false],
  ["another argument", { args: ["b.ts"] }, false],
  ["arguments that are split elsewhere", { args: ["a", ".ts"] }, false],
  ["another directory", { cwd: "/tmp" }, false],
])("the hash of a server with %s: is it the same?", (_what, change, isSame) => {
  expect(hashOfServer({ ...SERVER, ...change }) === hashOfServer(SERVER)).toBe(isSame);
});
