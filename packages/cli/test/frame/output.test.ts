import { describe, expect, it } from "vitest";
import { startAnswering, unusedUrl } from "../support/answering-server.ts";
import { KEYS } from "../support/command.ts";
import { runCheck } from "../support/run-check.ts";

const { YAGATE_API_KEY } = KEYS;
const ESCAPE = "\u001b[";
const KEY = {
  ...{
    id: "key_01jd3v0c8me9kxt3f6r2p5q7sa",
    name: "a name that is longer than any terminal is wide ".repeat(6).trim(),
  },
  ...{ scopes: ["agents"], workspaceId: "ws_01jd3v0c8me9kxt3f6r2p5q7sa", expiresAt: null, lastUsedAt: null },
  ...{ createdAt: "2026-11-22T12:00:00.000Z", previousExpiresAt: null },
};

async function listKeys(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const url = await startAnswering(200, { data: [KEY], nextCursor: null });
  return runCheck(["keys", "list", "--url", url, ...args], { env: { YAGATE_API_KEY, ...env } });
}

describe("without a terminal", () => {
  it("a table is cut nowhere, and has no colours", async () => {
    const { stdout, stderr } = await listKeys([]);
    expect(stdout).toContain(`  ${KEY.name}  agents  -  `);
    expect(stdout + stderr).not.toContain(ESCAPE);
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, boolean]>([
    ["FORCE_COLOR", [], { FORCE_COLOR: "1" }, true],
    ["NO_COLOR", [], { NO_COLOR: "1" }, false],
    ["FORCE_COLOR and --no-color", ["--no-color"], { FORCE_COLOR: "1" }, false],
  ])("colours with %s", async (_name, args, env, expected) => {
    expect((await listKeys(args, env)).stdout.startsWith(ESCAPE)).toBe(expected);
    const { stderr } = await runCheck(["nope", ...args], { env });
    expect(stderr.startsWith(ESCAPE)).toBe(expected);
  });
});

describe("--json", () => {
  it("prints an error as one line of problem+json, the last of standard error", async () => {
    const url = await unusedUrl();
    const { status, stdout, stderr } = await runCheck(["agents", "list", "--json", "--url", url], {
      env: { YAGATE_API_KEY },
    });
    expect([status, stdout]).toEqual([3, ""]);
    expect(JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "")).toEqual({
      type: "urn:yagate:error:CONNECTION_FAILED",
      title: "Connection failed",
      status: 503,
      detail: expect.any(String),
      code: "CONNECTION_FAILED",
      hint: expect.stringContaining("--url"),
      docs: "docs/errors.md#CONNECTION_FAILED",
      cause: `connect ECONNREFUSED ${new URL(url).host}`,
    });
  });

  it("names every wrong field, and the page where the documentation is published", async () => {
    const env = { YAGATE_API_KEY, YAGATE_DOCS_URL: "https://docs.example/" };
    const args = ["exec", "Desk", "Hi", "--max-tokens", "0", "--json", "--url", "http://127.0.0.1:1"];
    const { stderr } = await runCheck(args, { env });
    expect(JSON.parse(stderr)).toMatchObject({
      detail: expect.stringContaining("--max-tokens: "),
      docs: "https://docs.example/errors/invalid_request/",
      errors: [{ path: "maxTotalTokens" }],
    });
  });

  it("is what a wrong command line is told in, too", async () => {
    const { status, stderr } = await runCheck(["agents", "lst", "--json"]);
    expect(status).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ code: "INVALID_REQUEST", hint: "yagate agents --help" });
  });
});

describe("--quiet and --debug", () => {
  it("leaves out notes and confirmations, and no result", async () => {
    const created = { ...KEY, key: "yk_planted0123456789" };
    const url = await startAnswering(201, created);
    const env = { YAGATE_API_KEY };
    const args = ["keys", "create", "ci", "--scopes", "agents", "--url", url];
    expect((await runCheck(args, { env })).stderr).toContain("save this key now");
    expect(await runCheck([...args, "--quiet"], { env })).toEqual({
      status: 0,
      stdout: `${created.key}\n`,
      stderr: "",
    });
    const gone = await startAnswering(204, "");
    const removal = ["secret", "delete", "A", "--url", gone];
    expect((await runCheck(removal, { env })).stdout).toBe("A was deleted.\n");
    expect(await runCheck([...removal, "--quiet"], { env })).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("prints requests without the key", async () => {
    const { stdout, stderr } = await listKeys(["--debug", "--json"]);
    expect(stderr).toMatch(
      /^debug: GET 127\.0\.0\.1:\d+\/v1\/api-keys\?limit=200: 200, request without an id, \d+ ms\n$/,
    );
    expect(stdout + stderr).not.toContain(YAGATE_API_KEY);
  });

  it.each([["--api-key", "yk_planted0123456789"], ["--api-key=yk_planted0123456789"]])(
    "refuses a key as an argument without repeating it: %s",
    async (...option) => {
      const { status, stderr } = await runCheck(["agents", "list", ...option]);
      expect([status, stderr]).toEqual([2, expect.stringContaining("rotate it, and use --api-key-file")]);
      expect(stderr).not.toContain("planted");
    },
  );
});
