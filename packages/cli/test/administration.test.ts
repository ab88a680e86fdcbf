import { describe, expect, it } from "vitest";
import { startGateway } from "./support/gateway.ts";
import { runCheck } from "./support/run-check.ts";

describe("yagate signing-secrets", () => {
  it("prints only the new secret to standard output, and lists names and times", async () => {
    const { env } = await startGateway();
    const run = (...args: string[]) => runCheck(["signing-secrets", ...args], { env });
    const first = await run("rotate", "billing");
    expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) });
    expect(first.stderr).not.toContain("whsec_");
    const second = await run("rotate", "billing", "--overlap", "60");
    expect(second.stderr).toMatch(/previous secret of billing continues to sign until \d/);
    expect(second.stdout).not.toBe(first.stdout);
    const listed = await run("list");
    expect(listed.stdout).toMatch(/^NAME +ID +CREATED +SIGNS UNTIL\n/);
    expect(listed.stdout.match(/^billing /gm)).toHaveLength(2);
    expect(listed.stdout).not.toContain("whsec_");
  });

  it.each([
    ["a name with a space", ["two words"], /the name: /],
    ["an overlap of 8 days", ["--overlap", "691200"], /--overlap: /],
    ["an overlap that is no number", ["--overlap", "1h"], /--overlap: /],
  ])("refuses %s before anything is sent", async (_what, args, message) => {
    const env = { YAGATE_BASE_URL: "http://127.0.0.1:1", YAGATE_API_KEY: "yk_0123456789abcdef0123456789abcdef" };
    const refused = await runCheck(["signing-secrets", "rotate", ...args], { env });
    expect(refused).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(message) });
  });
});

describe("yagate workspaces", () => {
  it("creates a workspace, prints its signing secret once, and changes its plan by name", async () => {
    const { env } = await startGateway();
    const run = (...args: string[]) => runCheck(["workspaces", ...args], { env });
    const created = await run("create", "shop");
    expect(created).toMatchObject({ status: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) });
    const [id = ""] = /ws_\w+/.exec(created.stderr) ?? [];
    expect(created.stderr).toContain(`yagate keys create shop --scopes agents,executions,admin --workspace ${id}\n`);
    const key = await runCheck(["keys", "create", "shop", "--scopes", "admin", "--workspace", id], { env });
    expect(key).toMatchObject({ status: 0 });

    expect(await run("update", "shop", "--plan", "pro")).toMatchObject({
      ...{ status: 0, stdout: `shop (${id}) has the plan pro.\n` },
    });
    expect((await run("list")).stdout).toMatch(new RegExp(`^${id} +pro +\\S+Z +shop$`, "m"));
    expect(await run("update", "shops", "--plan", "pro")).toMatchObject({
      ...{ status: 2, stderr: expect.stringContaining("no workspace is named shops") },
    });
  });
});

describe("yagate endpoints", () => {
  it("says that no call was sent, and names the list for an unknown URL", async () => {
    const { env } = await startGateway();
    const listed = await runCheck(["endpoints", "list"], { env });
    expect(listed).toMatchObject({ status: 0, stdout: "No calls have been sent to a handler in this workspace.\n" });
    const refused = await runCheck(["endpoints", "enable", "https://orders.example.com/tools"], { env });
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("Try: yagate endpoints list") });
  });
});

describe("yagate providers", () => {
  it("sets a provider with a secret, lists it without its key, and deletes it", async () => {
    const { env } = await startGateway();
    const run = (...args: string[]) => runCheck(["providers", ...args], { env });
    expect((await run("list")).stdout).toBe("This workspace has no providers of its own.\n");
    const set = await run("set", "openai", "--key", "OPENAI_KEY");
    expect(set).toMatchObject({ status: 0, stdout: expect.stringMatching(/^openai was set at \S+Z; its key is/) });
    expect((await run("list")).stdout).toMatch(/^openai +OPENAI_KEY +\S+Z +-$/m);
    expect(await run("delete", "openai")).toMatchObject({ status: 0, stdout: "openai was deleted.\n" });
    expect(await run("set", "openai", "--key", "sk-planted")).toMatchObject({
      ...{ status: 2, stderr: expect.stringMatching(/^✕ INVALID_REQUEST {2}--key: /) },
    });
  });
});
