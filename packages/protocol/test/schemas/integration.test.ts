import { createIntegrationSchema, toFieldErrors, updateIntegrationSchema } from "@yagate/protocol";
import { describe, expect, it } from "vitest";

const parse = (fields: object) =>
  createIntegrationSchema.safeParse({ name: "shop", allowedDomains: ["api.shop.example"], ...fields });

const problemsOf = (fields: object) => {
  const { error } = parse(fields);
  return error === undefined ? [] : toFieldErrors(error).map(({ path, message }) => `${path}: ${message}`);
};

describe("an allowed domain", () => {
  it.each([
    ["api.shop.example", "api.shop.example"],
    ["API.Shop.Example", "api.shop.example"],
    ["shop.example.", "shop.example"],
    ["*.Shop.example", "*.shop.example"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["_dmarc.example", "_dmarc.example"],
    ["localhost", "localhost"],
    ["inventory", "inventory"],
    ["*.internal", "*.internal"],
    ["10.0.0.7", "10.0.0.7"],
    ["0x0a.7", "10.0.0.7"],
    ["::1", "::1"],
    ["[FD00:0::1]", "fd00::1"],
  ])("%s is kept as %s, as URLs have it", (written, kept) => {
    expect(parse({ allowedDomains: [written] }).data?.allowedDomains).toEqual([kept]);
  });

  it.each([
    "",
    "https://api.shop.example",
    "api.shop.example:443",
    "api.shop.example/path",
    "user@shop.example",
    "api shop.example",
    "a..example",
    "a.*.example",
    "*",
    "*.",
    "*.10.0.0.1",
    "*.example",
    "*.com",
    "shop.example?x",
    "shop%2eexample",
    "a:b",
    `${"x".repeat(64)}.example`,
    `${"x.".repeat(130)}example`,
  ])("%j is none", (written) => {
    expect(problemsOf({ allowedDomains: ["a.example", written] })).toEqual([
      expect.stringMatching(/^allowedDomains\[1\]: /),
    ]);
  });
});

describe("an integration", () => {
  it("has the port 443 unless others are named, and says nothing twice", () => {
    expect(parse({}).data?.ports).toEqual([443]);
    const twice = { ports: [443, 8_443, 443], allowedDomains: ["a.example", "A.example"] };
    expect(parse(twice).data).toMatchObject({ ports: [443, 8_443], allowedDomains: ["a.example"] });
  });

  it.each<[string, object, string]>([
    [
      "the name of the webhooks",
      { name: "webhook" },
      "name: expected another name: webhook is reserved for the webhook URLs of agents",
    ],
    ["a name in upper case", { name: "Shop" }, "name: expected 1 to 64 lower-case"],
    ["no domain", { allowedDomains: [] }, "allowedDomains: "],
    [
      "too many domains",
      { allowedDomains: Array.from({ length: 101 }, (_, index) => `a${index}.example`) },
      "allowedDomains: ",
    ],
    ["no port", { ports: [] }, "ports: "],
    ["port 0", { ports: [0] }, "ports[0]: "],
    ["a port beyond the last", { ports: [65_536] }, "ports[0]: "],
    ["too many ports", { ports: Array.from({ length: 21 }, (_, index) => index + 1) }, "ports: "],
    ["a limit of no calls", { limits: { standard: { callsPerMinute: 0 } } }, "limits.standard.callsPerMinute: "],
    [
      "more calls than can be counted",
      { limits: { pro: { callsPerExecution: 1_001 } } },
      "limits.pro.callsPerExecution: ",
    ],
    ["a limit that there is not", { limits: { pro: { callsPerHour: 1 } } }, "limits.pro.callsPerHour: unknown field"],
    ["a price", { limits: { pro: { creditsPerCall: 1 } } }, "limits.pro.creditsPerCall: unknown field"],
  ])("is refused with %s", (_what, fields, problem) => {
    expect(problemsOf(fields)).toEqual([expect.stringContaining(problem)]);
  });

  it("keeps its name", () => {
    expect(updateIntegrationSchema.safeParse({ name: "other" }).success).toBe(false);
    expect(updateIntegrationSchema.parse({ limits: null, allowedDomains: ["B.example"] })).toEqual({
      limits: null,
      allowedDomains: ["b.example"],
    });
  });
});
