import { describe, expect, it } from "vitest";
import { KEYS } from "./support/command.ts";
import { startGateway } from "./support/gateway.ts";
import { runWithInput } from "./support/run-with-input.ts";

const run = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  runWithInput(["integrations", ...args], env);

describe("yagate integrations", () => {
  it("creates, lists, shows, changes and deletes", async () => {
    const { env } = await startGateway();
    expect(await run(["list"], env)).toEqual({
      status: 0,
      output: "There are no integrations in this workspace.\n",
    });
    const domains = ["--domain", "API.shop.example", "--domain", "*.parcels.example"];
    expect(await run(["create", "shop", ...domains, "--description", "the shop"], env)).toEqual({
      status: 0,
      output: "shop was created: version 1, api.shop.example, *.parcels.example\n",
    });
    const inside = await run(["create", "inside", "--domain", "10.0.0.5"], env);
    expect(inside.output).toMatch(
      /^ +critical DOMAIN_ALWAYS_BLOCKED allowedDomains\[0\]: every request to 10\.0\.0\.5 will be blocked: /m,
    );
    expect(await run(["delete", "inside"], env)).toMatchObject({ status: 0 });
    const change = ["--port", "443", "--port", "8443", "--limits", '{"pro":{"callsPerMinute":5}}', "--if-version", "1"];
    expect(await run(["update", "shop", ...change], env)).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^shop was updated: version 2/),
    });
    expect(await run(["update", "shop", "--port", "443", "--if-version", "1"], env)).toMatchObject({
      status: 2,
      output: expect.stringMatching(/expected the current version, which is 2/),
    });
    const listed = await run(["list"], env);
    expect(listed.output.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["NAME", "VERSION", "PORTS", "DOMAINS"],
      ["shop", "2", "443,8443", "api.shop.example,*.parcels.example"],
      [""],
    ]);
    const shown = await run(["show", "shop"], env);
    expect(shown.output).toMatch(/description +the shop\n.*\nports +443, 8443\nlimits \(pro\) +callsPerMinute 5\n$/);
    const json = await run(["show", "shop", "--json"], env);
    expect(JSON.parse(json.output)).toMatchObject({ name: "shop", version: 2 });
    expect(await run(["delete", "shop"], env)).toEqual({ status: 0, output: "shop was deleted.\n" });
    expect(await run(["show", "shop"], env)).toMatchObject({ status: 2 });
  });

  it.each<[string, readonly string[], RegExp]>([
    ["no domain", ["create", "shop"], /--domain: expected array, but it is missing/],
    [
      "a URL",
      ["create", "shop", "--domain", "a.example", "--domain", "https://b.example"],
      /--domain\[1\]: expected a host/,
    ],
    ["the name of the webhooks", ["create", "webhook", "--domain", "a.example"], /name: expected another name/],
    ["a port that is none", ["create", "shop", "--domain", "a.example", "--port", "x"], /--port\[0\]: expected number/],
    ["limits that are no JSON", ["update", "shop", "--limits", "{"], /--limits: expected JSON/],
    ["nothing to change", ["update", "shop"], /expected at least one change/],
  ])("refuses %s before anything is sent", async (_what, args, message) => {
    const env = { YAGATE_BASE_URL: "http://127.0.0.1:1", YAGATE_API_KEY: KEYS.YAGATE_API_KEY };
    expect(await run(args, env)).toEqual({ status: 2, output: expect.stringMatching(message) });
  });
});
