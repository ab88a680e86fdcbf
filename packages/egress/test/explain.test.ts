import { createEgressGuard, type EgressPolicy, explainEgress } from "@yagate/egress";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAddressPolicy } from "../src/address-policy.ts";
import { numberToIpv4, numberToIpv6 } from "./support/bigint-classifier.ts";
import { type Answer, scriptedLookup } from "./support/scripted-lookup.ts";
import vectors from "./vectors/egress.json" with { type: "json" };

const explain = (url: string, answer: Answer, policy: EgressPolicy = {}) =>
  explainEgress({ ...policy, lookup: scriptedLookup(() => answer).lookup }, url);

const POLICIES: readonly EgressPolicy[] = [
  {},
  { ports: "any" },
  { allowHttp: true },
  { allowedDomains: ["example.com", "*.example.org"] },
  { allowCidrs: ["10.0.0.0/8", "::1"], denyCidrs: ["10.9.0.0/16"] },
];

describe("an explanation", () => {
  it("ends like the decision of a guard, whatever the policy and the URL", async () => {
    const url = fc.oneof(
      fc.constantFrom(...vectors.cases.map((each) => each.url)),
      fc
        .tuple(fc.constantFrom("https", "http"), fc.domain(), fc.constantFrom("", ":443", ":8443"))
        .map(([scheme, host, port]) => `${scheme}://${host}${port}/`),
      fc.webUrl(),
    );
    const answer = fc.array(fc.constantFrom("93.184.216.34", "10.0.0.5", "10.9.0.1", "::1", "fe80::1", "x"), {
      maxLength: 3,
    });
    let current: readonly string[] = [];
    const { lookup } = scriptedLookup(() => current);
    const deciders = POLICIES.map((policy) => ({ policy, guard: createEgressGuard({ ...policy, lookup }) }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...deciders), url, answer, async ({ policy, guard }, text, addresses) => {
        current = addresses;
        const decision = await guard.check(text);
        const explanation = await explainEgress({ ...policy, lookup }, text);
        expect(explanation.allowed).toBe(decision.allowed);
        expect(explanation.steps.map(({ passed }) => passed).indexOf(false)).toBe(
          decision.allowed ? -1 : explanation.steps.length - 1,
        );
        if (!decision.allowed) {
          expect(explanation.code).toBe(decision.code);
          expect(explanation.steps.at(-1)?.detail).toBe(decision.reason);
        } else {
          expect(explanation.addresses).toMatchObject(decision.addresses);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("goes as far as the first step that is not passed", async () => {
    const steps = async (url: string, answer: Answer, policy: EgressPolicy = {}) =>
      (await explain(url, answer, policy)).steps.map(({ step, passed }) => `${step} ${passed}`);
    expect(await steps("x", [])).toEqual(["url false"]);
    expect(await steps("https://example.com:22/", [])).toEqual(["url true", "policy false"]);
    expect(await steps("https://example.com/", { error: "ENOTFOUND" })).toEqual([
      "url true",
      "policy true",
      "dns false",
    ]);
    expect(await steps("https://example.com/", ["10.0.0.1"])).toEqual([
      "url true",
      "policy true",
      "dns true",
      "addresses false",
    ]);
  });

  it("names every address with its network", async () => {
    const policy = { allowCidrs: ["10.0.0.0/8", "64:ff9b::/96"], denyCidrs: ["10.9.0.0/16"] };
    const answer = ["64:ff9b::7f00:1", "93.184.216.34", "10.0.0.5", "10.9.0.1", "192.168.0.1", "fd00::1", "2002::1"];
    const { addresses } = await explain("https://example.com/", answer, policy);
    expect(addresses.map(({ verdict, why }) => `${verdict}: ${why}`)).toEqual([
      "refused: in the allowlisted network 64:ff9b::/96, which translates to 127.0.0.1: refused",
      "public: public",
      "allowed: in the allowlisted network 10.0.0.0/8",
      "refused: in the denied network 10.9.0.0/16",
      "refused: in 192.168.0.0/16, Private-Use",
      "refused: outside 2000::/3, the range of public IPv6 addresses",
      "refused: in 2002::/16, 6to4",
    ]);
  });
});

it("the reason of a verdict fits the verdict, for any address", () => {
  const policy = createAddressPolicy(["10.0.0.0/8", "fd00::/8"], ["10.9.0.0/16", "2606::/16"]);
  const beginnings = {
    public: /^public$/,
    allowed: /^in the allowlisted network /,
    refused: /^(?:in (?!the opened)|outside )/,
  };
  const address = fc.oneof(
    fc.bigInt(0n, (1n << 32n) - 1n).map(numberToIpv4),
    fc.bigInt(0n, (1n << 128n) - 1n).map(numberToIpv6),
    fc.bigInt(0x0a00_0000n, 0x0aff_ffffn).map(numberToIpv4),
    fc.bigInt(0n, (1n << 112n) - 1n).map((low) => numberToIpv6((0x2606n << 112n) + low)),
  );
  fc.assert(
    fc.property(address, (text) => {
      expect(policy.explain(text)).toMatch(beginnings[policy.judge(text)]);
    }),
    { numRuns: 1_000 },
  );
  expect(policy.explain("127.1")).toBe("not the strict text of an IP address");
});
