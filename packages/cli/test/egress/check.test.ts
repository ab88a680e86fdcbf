import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type CheckOptions, runCheck, spawnCheck } from "../support/run-check.ts";

const check = (url: string, rest: readonly string[] = [], options: CheckOptions = {}) =>
  runCheck(["egress", "check", url, ...rest], {
    env: { YAGATE_ALLOW_CIDRS: "", YAGATE_ALLOW_PORTS: "", ...options.env },
  });

// The command loads the gateway, whose settings it reads, and a busy machine takes long for that.
beforeAll(() => import("../../src/egress/check.ts"), 60_000);

describe("yagate egress check", () => {
  it("prints what docs/egress.md shows", async () => {
    const page = readFileSync(new URL("../../../../docs/egress.md", import.meta.url), "utf8");
    const [, text = ""] = /egress check https:\/\/192.*?```text\n(.*?)```/s.exec(page) ?? [];
    const { status, stdout } = await spawnCheck(["egress", "check", "https://192.168.7.20/orders"]);
    expect(stdout).toBe(text);
    expect(status).toBe(1);
  });

  it("allows a public address, and names every step", async () => {
    const { status, stdout } = await check("https://1.1.1.1/a/../b?c#d");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^allowed\n\n {2}url {11}ok: https, host 1\.1\.1\.1, port 443, path \/b\?c\n/);
    expect(stdout).toMatch(/\n {2}address {7}1\.1\.1\.1: public\n {2}addresses {5}ok: /);
    expect(stdout).not.toContain("model reads");
  });

  it.each<[string, string, string]>([
    ["a loopback address", "https://127.0.0.1/", "127.0.0.0/8, Loopback"],
    ["the metadata service", "https://169.254.169.254/", "169.254.0.0/16, Link Local"],
    ["a number that is an address", "https://2130706433/", "127.0.0.0/8, Loopback"],
    ["an IPv4 address in IPv6", "https://[::ffff:8.8.8.8]/", "outside 2000::/3, the range of public IPv6 addresses"],
    ["a block inside the public ones", "https://[2001:db8::1]/", "2001:db8::/32, Documentation"],
  ])("says in which network %s lies", async (_name, url, network) => {
    const { status, stdout } = await check(url);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^blocked: DNS_BLOCKED\n/);
    expect(stdout).toContain(network);
    expect(stdout).toContain("model reads   the host could not be found or is not allowed\n");
    expect(stdout).not.toContain("of a handler");
  });

  it("uses the networks and ports of the environment", async () => {
    const env = { YAGATE_ALLOW_CIDRS: "127.0.0.0/8,::1/128", YAGATE_ALLOW_PORTS: "443,8443" };
    const opened = await check("http://localhost:3000/", [], { env });
    expect(opened.status).toBe(0);
    expect(opened.stdout).toMatch(
      /: allowlisted by the operator, in the allowlisted network (127\.0\.0\.0\/8|::1\/128)\n/,
    );
    expect((await check("http://localhost:3000/")).status).toBe(1);
    expect((await check("https://1.1.1.1:8443/", [], { env })).status).toBe(0);
    const denied = await check("https://1.1.1.1/", [], { env: { YAGATE_DENY_CIDRS: "1.1.0.0/16" } });
    expect(denied.status).toBe(1);
    expect(denied.stdout).toContain("1.1.1.1: blocked, in the denied network 1.1.0.0/16\n");
    expect(denied.stdout).toContain("none allowlisted; denied: 1.1.0.0/16\n");
    expect((await check("https://1.1.1.1:8443/")).stdout).toContain("failed: the port must be one of 443\n");
  });

  it("uses the networks of the workspace that is asked about", async () => {
    const workspace = "ws_01k9e5t8b8fxhv3c4n5p6q7r8s";
    const env = {
      YAGATE_ALLOW_CIDRS: "127.0.0.0/8",
      YAGATE_WORKSPACE_CIDRS: JSON.stringify({ [workspace]: ["10.0.0.0/8"] }),
    };
    const url = "http://10.1.2.3:8080/";
    const own = await check(url, ["--workspace", workspace], { env });
    expect(own.status).toBe(0);
    expect(own.stdout).toContain(`  workspace     ${workspace}\n`);
    expect((await check(url, [], { env })).status).toBe(1);
    expect((await check("http://127.0.0.1:8080/", [], { env })).status).toBe(0);
    expect((await check("http://127.0.0.1:8080/", ["--workspace", workspace], { env })).status).toBe(1);
    const other = await check("https://10.1.2.3/", ["--workspace", "ws_other"], { env });
    expect(other.stdout).toMatch(/\nYAGATE_WORKSPACE_CIDRS allowlists your own networks/);
    const loopback = await check("http://localhost:3000/", ["--workspace", "ws_other"]);
    expect(loopback.stdout).toMatch(/\nYAGATE_WORKSPACE_CIDRS allowlists your own networks/);
    const shared = { env: { YAGATE_ALLOW_CIDRS: "10.0.0.0/8" } };
    expect((await check(url, ["--workspace", "ws_other"], shared)).status).toBe(0);
    expect((await check(url, ["--workspace", "Acme"], shared)).status).toBe(2);
  });

  it("says where the gateway itself is", async () => {
    const env = { YAGATE_ALLOW_CIDRS: "127.0.0.0/8", YAGATE_PUBLIC_URL: "https://gw.example" };
    const own = await check("http://127.0.0.1:4820/healthz", [], { env });
    expect(own.status).toBe(1);
    expect(own.stdout).toContain("where the gateway itself listens on port 4820");
    expect((await check("https://gw.example/", [], { env })).stdout).toMatch(/^blocked: URL_BLOCKED\n/);
  });

  it("lists what is approved for a host that is not", async () => {
    const domains = ["--allow-domain", "api.example.com", "--allow-domain", "*.acme.com"];
    const { status, stdout } = await check("https://1.1.1.1/", domains);
    expect(status).toBe(1);
    expect(stdout).toContain("failed: blocked: host 1.1.1.1 is not allowed; allowed: api.example.com, *.acme.com\n");
    expect(stdout).toMatch(/model reads +blocked: host .*\n +of a handler +calls to the tool's URL are not allowed\n$/);
    expect((await check("https://1.1.1.1/", ["--allow-domain", "1.1.1.1"])).status).toBe(0);
  });

  const LOOPBACK =
    "yagate dev allowlists loopback; YAGATE_ALLOW_CIDRS=127.0.0.0/8,::1/128 makes this check do the same.";
  const OWN = "YAGATE_ALLOW_CIDRS allowlists your own networks for hosts that an author or operator configured.";

  it.each<[string, string, string | undefined]>([
    ["a loopback address", "https://127.0.0.1/", LOOPBACK],
    ["localhost over http, as yagate dev has it", "http://localhost:3000/", LOOPBACK],
    ["a private address", "https://10.1.2.3/", OWN],
    ["the metadata service", "https://169.254.169.254/", undefined],
    ["a port that is none of the open ones", "https://1.1.1.1:8443/", undefined],
  ])("says of %s what would open it, where anything should", async (_name, url, advice) => {
    const { stdout } = await check(url);
    expect([LOOPBACK, OWN].filter((line) => stdout.includes(`\n\n${line}\n`))).toEqual(
      advice === undefined ? [] : [advice],
    );
    const env = { YAGATE_ALLOW_CIDRS: "192.168.0.0/16" };
    expect((await check(url, [], { env })).stdout).not.toContain("YAGATE_ALLOW_CIDRS");
  });

  it("prints JSON", async () => {
    const { status, stdout } = await check("https://10.1.2.3:443/x", ["--json"]);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      allowed: false,
      code: "DNS_BLOCKED",
      message: "the host could not be found or is not allowed",
      handlerMessage: "the host could not be found or is not allowed",
      url: { protocol: "https:", hostname: "10.1.2.3", port: 443, path: "/x" },
      steps: [
        { step: "url", passed: true, detail: "https, host 10.1.2.3, port 443, path /x" },
        { step: "policy", passed: true, detail: expect.any(String) },
        { step: "dns", passed: true, detail: "the host is an address" },
        { step: "addresses", passed: false, detail: "10.1.2.3 is a blocked address" },
      ],
      addresses: [{ address: "10.1.2.3", family: 4, verdict: "refused", why: "in 10.0.0.0/8, Private-Use" }],
      policy: { allowCidrs: [], denyCidrs: [], allowPorts: [443], allowedDomains: null, workspace: "default" },
    });
  });

  it("prints of a text nothing that moves the cursor, and no password", async () => {
    const { status, stdout } = await check("https://me:hunter22@\u001b[2Jexample.com/\u009b2J");
    expect(status).toBe(1);
    expect(stdout).not.toMatch(/[^\x20-\x7e\n]|hunter22/);
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ["a domain with a scheme", ["--allow-domain", "https://a.test"], {}, /allowedDomains\[0\] must be a host such as/],
    ["a network that is none", [], { YAGATE_ALLOW_CIDRS: "localhost" }, /YAGATE_ALLOW_CIDRS: expected a network/],
    ["a port that is none", [], { YAGATE_ALLOW_PORTS: "70000" }, /YAGATE_ALLOW_PORTS/],
  ])("exits with status 2 for %s", async (_name, rest, env, message) => {
    const { status, stderr, stdout } = await check("https://1.1.1.1/", rest, { env });
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
  });
});
