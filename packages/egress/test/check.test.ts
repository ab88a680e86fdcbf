import { createEgressGuard, type EgressPolicy } from "@yagate/egress";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicByArithmetic, numberToIpv4, numberToIpv6 } from "./support/bigint-classifier.ts";
import { testGuard } from "./support/guards.ts";
import { type Answer, scriptedLookup } from "./support/scripted-lookup.ts";
import vectors from "./vectors/egress.json" with { type: "json" };

/** What a guard makes of a URL whose name has these addresses. */
function check(url: string, answer: Answer, policy: EgressPolicy = {}) {
  return createEgressGuard({ ...policy, lookup: scriptedLookup(() => answer).lookup }).check(url);
}

describe("check", () => {
  it.each(vectors.cases)("decides $id: $why", async ({ url, resolves_to, expect: expected }) => {
    const decision = await check(url, resolves_to ?? { error: "ENOTFOUND" });
    expect(decision.allowed ? "allow" : "block").toBe(expected);
  });

  it("says which addresses it allowed, in the resolver's order", async () => {
    expect(await check("https://example.com/", ["2606:2800:220::1", "93.184.216.34"])).toEqual({
      allowed: true,
      addresses: [
        { address: "2606:2800:220::1", family: 6 },
        { address: "93.184.216.34", family: 4 },
      ],
    });
  });

  it.each<[string, string, Answer, "URL_BLOCKED" | "DNS_BLOCKED"]>([
    ["another scheme", "http://example.com/", ["93.184.216.34"], "URL_BLOCKED"],
    ["another port", "https://example.com:8443/", ["93.184.216.34"], "URL_BLOCKED"],
    ["a user name", "https://me@example.com/", ["93.184.216.34"], "URL_BLOCKED"],
    ["a password", "https://:secret@example.com/", ["93.184.216.34"], "URL_BLOCKED"],
    ["a strange host", "https://a*b.com/", ["93.184.216.34"], "URL_BLOCKED"],
    ["a label of 64 characters", `https://${"a".repeat(64)}.com/`, ["93.184.216.34"], "URL_BLOCKED"],
    ["a name of 254 characters", `https://${`${"a".repeat(62)}.`.repeat(4)}aa/`, ["93.184.216.34"], "URL_BLOCKED"],
    ["localhost", "https://localhost/", ["93.184.216.34"], "URL_BLOCKED"],
    ["a url that is too long", `https://example.com/${"a".repeat(16_384)}`, ["93.184.216.34"], "URL_BLOCKED"],
    ["a private literal", "https://10.0.0.1/", [], "DNS_BLOCKED"],
    ["a private answer", "https://example.com/", ["10.0.0.1"], "DNS_BLOCKED"],
    ["one private answer of many", "https://example.com/", ["93.184.216.34", "10.0.0.1"], "DNS_BLOCKED"],
    ["no answer", "https://example.com/", [], "DNS_BLOCKED"],
    ["an answer that is no address", "https://example.com/", ["93.184.216.34", "example.org"], "DNS_BLOCKED"],
    ["a name that does not exist", "https://example.com/", { error: "ENOTFOUND" }, "DNS_BLOCKED"],
  ])("blocks %s with its code", async (_name, url, answer, code) => {
    expect(await check(url, answer)).toMatchObject({ allowed: false, code });
  });

  it("asks nobody about a literal or a URL that its text already blocks", async () => {
    const resolver = scriptedLookup(() => ["93.184.216.34"]);
    const guard = createEgressGuard({ lookup: resolver.lookup });
    await guard.check("https://1.1.1.1/");
    await guard.check("https://[2606:4700:4700::1111]/");
    await guard.check("http://example.com/");
    expect(resolver.queries).toEqual([]);
  });

  it("asks for a name without its trailing dot", async () => {
    const resolver = scriptedLookup(() => ["93.184.216.34"]);
    await createEgressGuard({ lookup: resolver.lookup }).check("https://example.com./");
    expect(resolver.queries).toEqual(["example.com"]);
  });

  it("gives up on a silent resolver", async () => {
    expect(await check("https://example.com/", "silence", { limits: { dnsTimeoutMs: 20 } })).toMatchObject({
      allowed: false,
      code: "DNS_BLOCKED",
    });
  });

  it("treats a resolver that throws as one that fails", async () => {
    const guard = createEgressGuard({
      lookup: () => {
        throw new Error("broken");
      },
    });
    expect(await guard.check("https://example.com/")).toMatchObject({ allowed: false, code: "DNS_BLOCKED" });
  });

  it("takes a single address from a resolver that ignores `all`", async () => {
    const guard = createEgressGuard({ lookup: (_name, _options, callback) => callback(null, "10.0.0.1", 4) });
    expect(await guard.check("https://example.com/")).toMatchObject({ allowed: false, code: "DNS_BLOCKED" });
  });

  it("resolves localhost with the system's resolver by default", async () => {
    const guard = createEgressGuard({ allowCidrs: ["127.0.0.0/8", "::1"] });
    expect(await guard.check("http://localhost:4820/")).toMatchObject({ allowed: true });
  });
});

describe("check with opened networks", () => {
  const opened = { allowCidrs: ["10.0.0.0/8", "127.0.0.0/8", "fd00::/8"] };

  it.each<[string, string, Answer]>([
    ["http", "http://orders.internal/", ["10.0.0.5"]],
    ["any port", "https://orders.internal:9443/", ["10.0.0.5", "fd00::5"]],
    ["http on any port", "http://orders.internal:8080/", ["10.0.0.5"]],
    ["localhost", "http://localhost:3000/", ["127.0.0.1"]],
    ["a name below localhost", "http://orders.localhost:3000/", ["127.0.0.1"]],
    ["a literal", "http://127.0.0.1:3000/", []],
    ["an IPv6 literal", "http://[fd00::5]:3000/", []],
    ["a public name on https", "https://example.com/", ["93.184.216.34"]],
    ["public and opened addresses on https", "https://example.com/", ["93.184.216.34", "10.0.0.5"]],
  ])("allows %s", async (_name, url, answer) => {
    expect(await check(url, answer, opened)).toMatchObject({ allowed: true });
  });

  it.each<[string, string, Answer, "URL_BLOCKED" | "DNS_BLOCKED"]>([
    ["http to a public address", "http://example.com/", ["93.184.216.34"], "DNS_BLOCKED"],
    ["http to a public literal", "http://1.1.1.1/", [], "URL_BLOCKED"],
    ["http where one address is public", "http://example.com/", ["10.0.0.5", "93.184.216.34"], "DNS_BLOCKED"],
    ["a port where one address is public", "https://example.com:8443/", ["10.0.0.5", "93.184.216.34"], "DNS_BLOCKED"],
    ["localhost with a public address", "https://localhost/", ["93.184.216.34"], "DNS_BLOCKED"],
    ["a private address that is not opened", "https://example.com/", ["192.168.0.1"], "DNS_BLOCKED"],
    ["localhost where it is not opened", "http://localhost/", ["127.0.0.1", "::1"], "DNS_BLOCKED"],
    ["the mapped form of an opened address", "https://example.com/", ["::ffff:10.0.0.5"], "DNS_BLOCKED"],
    ["another scheme", "ftp://orders.internal/", ["10.0.0.5"], "URL_BLOCKED"],
    ["a user name", "http://me@orders.internal/", ["10.0.0.5"], "URL_BLOCKED"],
  ])("blocks %s", async (_name, url, answer, code) => {
    expect(await check(url, answer, opened)).toMatchObject({ allowed: false, code });
  });

  it("keeps a denied network closed", async () => {
    const policy = { ...opened, denyCidrs: ["10.9.0.0/16"] };
    expect(await check("https://orders.internal/", ["10.9.1.1"], policy)).toMatchObject({ code: "DNS_BLOCKED" });
  });
});

describe("check with a list of domains", () => {
  const listed = { allowedDomains: ["api.example.com", "*.partner.test", "Bücher.example", "1.1.1.1"] };

  it.each([
    "https://api.example.com/",
    "https://API.Example.com./",
    "https://a.partner.test/",
    "https://a.b.partner.test/",
    "https://bücher.example/",
    "https://xn--bcher-kva.example/",
    "https://1.1.1.1/",
  ])("allows %s", async (url) => {
    expect(await check(url, ["93.184.216.34"], listed)).toMatchObject({ allowed: true });
  });

  it.each([
    "https://example.com/",
    "https://evil-api.example.com/",
    "https://api.example.com.evil.test/",
    "https://partner.test/",
    "https://evilpartner.test/",
    "https://1.0.0.1/",
    "https://api.example.com@evil.test/",
    "https://evil.test/api.example.com",
  ])("blocks %s", async (url) => {
    expect(await check(url, ["93.184.216.34"], listed)).toMatchObject({ allowed: false, code: "URL_BLOCKED" });
  });

  it("allows nothing with an empty list", async () => {
    expect(await check("https://example.com/", ["93.184.216.34"], { allowedDomains: [] })).toMatchObject({
      allowed: false,
    });
  });
});

describe("a policy", () => {
  it.each<[string, EgressPolicy]>([
    ["a network that is no CIDR", { allowCidrs: ["localhost"] }],
    ["a domain with a scheme", { allowedDomains: ["https://example.com"] }],
    ["a domain with a port", { allowedDomains: ["example.com:443"] }],
    ["a domain with a path", { allowedDomains: ["example.com/a"] }],
    ["a wildcard in the middle", { allowedDomains: ["a.*.example.com"] }],
    ["a wildcard alone", { allowedDomains: ["*"] }],
    ["an empty domain", { allowedDomains: [""] }],
    ["a wildcard over addresses", { allowedDomains: ["*.1.1.1.1"] }],
    ["port 0", { ports: [0] }],
    ["port 65536", { ports: [65_536] }],
    ["half a port", { ports: [443.5] }],
    ["a limit of 0", { limits: { connections: 0 } }],
    ["connections that live for longer than a minute", { limits: { connectionAgeMs: 60_001 } }],
  ])("is refused with %s", (_name, policy) => {
    expect(() => createEgressGuard(policy)).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
  });

  it("may list other ports for https", async () => {
    const policy = { ports: [443, 8443] };
    expect(await check("https://example.com:8443/", ["93.184.216.34"], policy)).toMatchObject({ allowed: true });
    expect(await check("http://example.com:8443/", ["93.184.216.34"], policy)).toMatchObject({ code: "URL_BLOCKED" });
  });
});

it("a policy may open every port of https", async () => {
  const policy = { ports: "any" } as const;
  const answer = ["93.184.216.34"];
  for (const port of [1, 22, 443, 8443, 65_535]) {
    expect(await check(`https://example.com:${port}/`, answer, policy)).toMatchObject({ allowed: true });
    expect(await check(`http://example.com:${port}/`, answer, policy)).toMatchObject({ code: "URL_BLOCKED" });
    expect(await check(`https://example.com:${port}/`, ["10.0.0.1"], policy)).toMatchObject({ code: "DNS_BLOCKED" });
  }
  expect(await check("https://example.com:0/", answer, policy)).toMatchObject({ code: "URL_BLOCKED" });
});

it("a policy may let http go to public addresses", async () => {
  const policy = { allowHttp: true, ports: [443, 8080] };
  const answer = ["93.184.216.34"];
  expect(await check("http://example.com/", answer, policy)).toMatchObject({ allowed: true });
  expect(await check("http://example.com:8080/", answer, policy)).toMatchObject({ allowed: true });
  expect(await check("http://example.com:8081/", answer, policy)).toMatchObject({ code: "URL_BLOCKED" });
  expect(await check("https://example.com:80/", answer, policy)).toMatchObject({ code: "URL_BLOCKED" });
  expect(await check("http://localhost/", answer, policy)).toMatchObject({ code: "URL_BLOCKED" });
  expect(await check("http://example.com/", ["10.0.0.1"], policy)).toMatchObject({ code: "DNS_BLOCKED" });
});

it("a list of domains is told to whoever asks for another host", async () => {
  const guard = createEgressGuard({ allowedDomains: ["api.example.com", "*.acme.com"] });
  expect(await guard.check("https://evil.test/")).toEqual({
    allowed: false,
    code: "URL_BLOCKED",
    reason: "blocked: host evil.test is not allowed; allowed: api.example.com, *.acme.com",
  });
});

const address = fc.oneof(
  fc.bigInt(0n, (1n << 32n) - 1n).map(numberToIpv4),
  fc.bigInt(0n, (1n << 128n) - 1n).map(numberToIpv6),
  fc.bigInt(1n << 125n, (1n << 126n) - 1n).map(numberToIpv6),
  fc.constantFrom("93.184.216.34", "8.8.8.8", "127.0.0.1", "10.0.0.5", "::1", "fe80::1"),
);
const addresses = fc.array(address, { minLength: 1, maxLength: 4 });
/** Texts that are nearly URLs, so that some of them are. */
const urlText = fc
  .tuple(
    fc.constantFrom("https://", "https:", "http://", "HTTPS:\\\\", "\thttps://", "//", "blob:https://", ""),
    fc.constantFrom("", "", "user@", "user:pw@", "@", "example.com@"),
    fc.oneof(
      fc.domain(),
      fc.ipV4Extended(),
      fc.ipV6().map((text) => `[${text}]`),
      fc.constantFrom("example.com", "EXAMPLE.com.", "localhost", "127.1", "1。1。1。1", "%31.1.1.1", "a..b", "①.com"),
      fc.string({ maxLength: 8 }),
    ),
    fc.constantFrom("", "", ":443", ":80", ":0", ":", ":4430"),
    fc.oneof(
      fc.constantFrom("", "/", "/a?b#c", "\\@evil.test", "/../%2e%2e/", "?@x", "#@x"),
      fc.string({ maxLength: 8 }),
    ),
  )
  .map((parts) => parts.join(""));

describe("check, for any input,", () => {
  // One guard for all runs: making thousands would take longer than all that they decide.
  let current: Answer = [];
  const guard = createEgressGuard({
    lookup: (name, options, done) => scriptedLookup(() => current).lookup(name, options, done),
  });
  const check = (url: string, answer: Answer) => {
    current = answer;
    return guard.check(url);
  };

  it("allows only https to addresses that arithmetic calls public", async () => {
    let allowedCount = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(urlText, fc.string(), fc.webUrl()), addresses, async (text, answer) => {
        const decision = await check(text, answer);
        if (!decision.allowed) {
          return;
        }
        allowedCount += 1;
        const url = new URL(text);
        expect(url).toMatchObject({ protocol: "https:", username: "", password: "", port: "" });
        expect(decision.addresses.length).toBeGreaterThan(0);
        expect(decision.addresses.filter((entry) => !isPublicByArithmetic(entry.address))).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
    expect(allowedCount).toBeGreaterThan(10);
  });

  it("decides on the parsed form: a URL and its normal form are the same", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(urlText, fc.webUrl()), addresses, async (text, answer) => {
        const url = URL.parse(text);
        fc.pre(url !== null);
        expect(await check(url.href, answer)).toEqual(await check(text, answer));
      }),
      { numRuns: 2_000 },
    );
  });

  it("blocks every set with one address that is not public, and in any order alike", async () => {
    const set = addresses.chain((entries) =>
      fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length })),
    );
    await fc.assert(
      fc.asyncProperty(set, async ([entries, shuffled]) => {
        const decision = await check("https://example.com/", entries);
        expect(decision.allowed).toBe(entries.every(isPublicByArithmetic));
        expect((await check("https://example.com/", shuffled)).allowed).toBe(decision.allowed);
      }),
      { numRuns: 3_000 },
    );
  });
});

it("the guard of the other tests opens 127.0.0.1 and nothing beside it", async () => {
  const guard = testGuard();
  expect(await guard.check("http://127.0.0.1/")).toMatchObject({ allowed: true });
  expect(await guard.check("http://127.0.0.2/")).toMatchObject({ allowed: false });
});
