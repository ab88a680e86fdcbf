import { type ApprovedDestinations, createDestinationCheck, createOpenedHosts, EgressError } from "@yagate/egress";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failureOf, get, testGuard } from "./support/guards.ts";
import { scriptedLookup } from "./support/scripted-lookup.ts";
import { startServer } from "./support/servers.ts";
import vectors from "./vectors/egress.json" with { type: "json" };

const APPROVED: readonly ApprovedDestinations[] = [
  { allowedDomains: ["api.example.com", "*.acme.com"] },
  { allowedDomains: ["Bücher.example"], ports: [8443] },
  { allowedDomains: ["both.acme.com"], ports: [443, 9443] },
];

/** What the check says of a URL: nothing, or the message of its refusal. */
function refusalOf(url: string, options = {}): string | undefined {
  try {
    createDestinationCheck(APPROVED, options).check(url);
    return undefined;
  } catch (error) {
    if (error instanceof EgressError && error.code === "URL_BLOCKED") return error.message;
    throw error;
  }
}

describe("the check of destinations", () => {
  it.each([
    "https://api.example.com/v1?x=1",
    "https://API.example.com.:443/",
    "https://a.acme.com/",
    "https://a.b.acme.com/",
    "https://bücher.example:8443/",
    "https://xn--bcher-kva.example:8443/",
    "https://both.acme.com/",
    "https://both.acme.com:9443/",
  ])("approves %s", (url) => {
    expect(refusalOf(url)).toBeUndefined();
  });

  it("gives the parts that a request would go to", () => {
    const check = createDestinationCheck(APPROVED);
    expect(check.check("https://API.Example.com./a/../b?c=d#e")).toEqual({
      protocol: "https:",
      hostname: "api.example.com",
      port: 443,
      origin: "https://api.example.com",
      path: "/b?c=d",
    });
  });

  const list =
    "allowed: api.example.com, *.acme.com, xn--bcher-kva.example (port 8443), both.acme.com (ports 443, 9443)";

  it.each<[string, string, string]>([
    ["another host", "https://evil.test/", `blocked: host evil.test is not allowed; ${list}`],
    ["the parent of a wildcard", "https://acme.com/", `blocked: host acme.com is not allowed; ${list}`],
    ["a name that ends alike", "https://evilacme.com/", `blocked: host evilacme.com is not allowed; ${list}`],
    ["an approved name as a user", "https://api.example.com:x@evil.test/", "must not contain a user name"],
    ["an address", "https://1.1.1.1/", `blocked: host 1.1.1.1 is not allowed; ${list}`],
    ["another port", "https://api.example.com:8443/", `blocked: port 8443 of api.example.com is not allowed; ${list}`],
    ["the usual port where others are listed", "https://bücher.example/", "port 443 of xn--bcher-kva.example is not"],
    ["a port of another entry", "https://a.acme.com:9443/", "port 9443 of a.acme.com is not allowed"],
    ["http", "http://api.example.com/", "the url must be https"],
    ["a host of strange characters", "https://a'b.acme.com/", "the host must be a name"],
    ["no url", "api.example.com", "must be an absolute https url"],
    ["a url that is too long", `https://api.example.com/${"a".repeat(16_384)}`, "at most 16384 characters"],
  ])("refuses %s and says what is approved", (_name, url, message) => {
    expect(refusalOf(url)).toContain(message);
  });

  it("names the first thirty of a long list", () => {
    const allowedDomains = Array.from({ length: 100 }, (_, index) => `h${index}.test`);
    const check = createDestinationCheck([{ allowedDomains }]);
    expect(() => check.check("https://evil.test/")).toThrow(/allowed: h0.test, .*, h29.test and 70 more$/);
  });

  it("says so when nothing is approved", () => {
    const check = createDestinationCheck([]);
    expect(() => check.check("https://a.test/")).toThrow("blocked: host a.test is not allowed; allowed: none");
  });

  it.each<[string, boolean]>([
    ["http://api.example.com/", true],
    ["http://api.example.com:8080/", true],
    ["https://api.example.com:8080/", false],
    ["http://bücher.example:8443/", true],
    ["http://bücher.example:8080/", true],
    ["https://bücher.example:8080/", false],
    ["http://evil.test/", false],
  ])("takes http only where networks are opened, on any port: %s", (url, isApproved) => {
    expect(refusalOf(url, { hasOpenedNetworks: true }) === undefined).toBe(isApproved);
    expect(refusalOf(url)).toBeDefined();
  });

  it("says in a refusal where http may be used, as far as hosts show it", () => {
    const approved = [
      { allowedDomains: ["127.0.0.1"], ports: [80] },
      { allowedDomains: ["::1", "localhost", "10.0.0.1", "api.example.com"] },
    ];
    const isOpened = createOpenedHosts({ allowCidrs: ["127.0.0.0/8", "::1/128"] });
    const check = createDestinationCheck(approved, { hasOpenedNetworks: true, isOpened });
    expect(() => check.check("http://evil.test/")).toThrow(
      "allowed: 127.0.0.1 (https on port 80, or http on any port), ::1 (https, or http on any port), " +
        "localhost (https, or http on any port), 10.0.0.1, api.example.com",
    );
    expect(check.check("http://127.0.0.1/")).toMatchObject({ port: 80 });
  });

  it("takes localhost only where networks are opened", () => {
    const approved = [{ allowedDomains: ["localhost"] }];
    expect(createDestinationCheck(approved, { hasOpenedNetworks: true }).check("https://localhost/")).toBeDefined();
    expect(() => createDestinationCheck(approved).check("https://localhost/")).toThrow("must not be localhost");
  });

  it("has other ports by default when it is told so", () => {
    expect(refusalOf("https://api.example.com:8443/", { ports: [443, 8443] })).toBeUndefined();
  });

  it.each<[string, ApprovedDestinations]>([
    ["a domain that is none", { allowedDomains: ["https://a.test"] }],
    ["a port out of range", { allowedDomains: ["a.test"], ports: [0] }],
  ])("is not made of %s", (_name, entry) => {
    expect(() => createDestinationCheck([entry])).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
  });

  it("approves of any text only what lies on the list as URL parsers read it", () => {
    const check = createDestinationCheck([{ allowedDomains: ["api.example.com", "*.acme.com"] }]);
    const host = fc.oneof(
      fc.constantFrom("api.example.com", "x.acme.com", "acme.com", "evil.test", "api.example.com.evil.test", "1.1.1.1"),
      fc.domain(),
      fc.string({ maxLength: 6 }),
    );
    const text = fc
      .tuple(
        fc.constantFrom("https://", "http://", "https:\\\\", "https:", ""),
        fc.constantFrom("", "", "api.example.com@", "a:b@", "x.acme.com\\@", "x.acme.com#@", "x.acme.com/@"),
        host,
        fc.constantFrom("", "", ".", ":443", ":444", "..", "%2e"),
        fc.constantFrom("", "/", "/@evil.test", "?@x", "\\x"),
      )
      .map((parts) => parts.join(""));
    let approvedCount = 0;
    fc.assert(
      fc.property(fc.oneof(text, fc.constantFrom(...vectors.cases.map(({ url }) => url))), (url) => {
        let approved: { hostname: string } | undefined;
        try {
          approved = check.check(url);
        } catch (error) {
          expect(error).toMatchObject({ code: "URL_BLOCKED" });
        }
        if (approved === undefined) return;
        approvedCount += 1;
        const parsed = new URL(url);
        expect(parsed).toMatchObject({ protocol: "https:", username: "", password: "", port: "" });
        expect(parsed.hostname.replace(/\.$/, "")).toMatch(/^(?:api\.example\.com|[a-z0-9_.-]+\.acme\.com)$/);
        expect(approved.hostname).toBe(parsed.hostname.replace(/\.$/, ""));
      }),
      { numRuns: 5_000 },
    );
    expect(approvedCount).toBeGreaterThan(10);
  });
});

describe("a request with a list of its own", () => {
  it("goes to approved hosts and ports alone, over a guard whose ports are open", async () => {
    const server = await startServer((_request, response) => response.end(), { certificate: "service" });
    const { port } = server;
    const resolver = scriptedLookup(() => ["127.0.0.1"]);
    const guard = testGuard({ ports: "any", lookup: resolver.lookup });
    const approved = createDestinationCheck([
      { allowedDomains: ["allowed.test"], ports: [port] },
      { allowedDomains: ["hooks.test"] },
    ]);
    expect(await guard.request(get(`https://allowed.test:${port}/`, { approved }))).toMatchObject({ status: 200 });
    for (const url of [`https://hooks.test:${port}/`, `https://public.test:${port}/`, "https://allowed.test/"]) {
      expect(await failureOf(guard.request(get(url, { approved })))).toMatchObject({
        code: "URL_BLOCKED",
        message: expect.stringMatching(`; allowed: allowed.test \\(port ${port}\\), hooks.test$`),
        bytesMayHaveLeft: false,
      });
    }
    expect(server.connections).toHaveLength(1);
    expect(resolver.queries).toEqual(["allowed.test"]);
  });

  it("goes by http into an opened network alone, whatever the port", async () => {
    const server = await startServer((_request, response) => response.end());
    const { lookup } = scriptedLookup((name) => [name === "allowed.test" ? "127.0.0.1" : "127.0.0.2"]);
    const forbidden = await startServer((_request, response) => response.end(), {
      address: "127.0.0.2",
      port: server.port,
    });
    const guard = testGuard({ ports: "any", lookup });
    const approved = createDestinationCheck([{ allowedDomains: ["allowed.test", "hooks.test"], ports: [443] }], {
      hasOpenedNetworks: true,
    });
    const send = (host: string) => guard.request(get(`http://${host}:${server.port}/`, { approved }));
    expect(await send("allowed.test")).toMatchObject({ status: 200 });
    expect(await failureOf(send("hooks.test"))).toMatchObject({ code: "DNS_BLOCKED" });
    expect(forbidden.connections).toHaveLength(0);
  });

  it("is judged although its connection is open already", async () => {
    const server = await startServer((_request, response) => response.end(), { certificate: "service" });
    const guard = testGuard({ ports: "any" });
    const url = `https://allowed.test:${server.port}/`;
    await guard.request(get(url));
    const approved = createDestinationCheck([{ allowedDomains: ["hooks.test"] }]);
    expect(await failureOf(guard.request(get(url, { approved })))).toMatchObject({ code: "URL_BLOCKED" });
    expect(server.requests).toHaveLength(1);
  });
});
