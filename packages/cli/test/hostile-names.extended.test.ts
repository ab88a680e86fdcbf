import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DEFAULT_LIMITS, toolChangeSchema, YagateError } from "@yagate/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { printError } from "../src/frame/print-error.ts";
import { runProgram } from "../src/program.ts";
import { describeChange } from "../src/sources/describe-change.ts";

/** What the gateway answers next. */
let answer: unknown;
const gateway = createServer((_request, response) => {
  response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  vi.stubEnv("YAGATE_BASE_URL", `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`);
  vi.stubEnv("XDG_CONFIG_HOME", "/nonexistent");
  vi.stubEnv("YAGATE_API_KEY", "yk_0123456789abcdef0123456789abcdef");
});
afterAll(() => {
  vi.unstubAllEnvs();
  gateway.close();
});

const ID = "01jd3v0c8me9kxt3f6r2p5q7sa";
const AT = "2026-11-22T12:00:00.000Z";
const TIMES = { createdAt: AT, updatedAt: AT };
const NAME = "api_key";
const HASH = `sha256:${"0".repeat(64)}`;

const agent = (name: string) => ({
  ...{ id: `agt_${ID}`, version: 1, name, model: name, systemPrompt: "", tools: [], limits: DEFAULT_LIMITS },
  ...{ integrations: [], credentials: [], webhookUrls: [], policy: { network: false, approval: "writes" }, ...TIMES },
});
const approval = (name: string) => ({
  ...{ id: `apr_${ID}`, status: "pending", executionId: `exec_${ID}`, toolCallId: `tc_${ID}` },
  ...{ agentId: `agt_${ID}`, agentVersion: 1, agentName: name, policyReason: name, inputPreview: name },
  tool: { name, description: name, kind: "handler", sideEffect: null, risk: null },
  parameters: { [name]: name },
  request: { method: "POST", url: name, headers: { [name]: name }, body: name },
  ...{ requestHash: name, requestedAt: AT, expiresAt: AT, resolution: null },
});
const integration = (name: string) => ({ name, version: 1, allowedDomains: [name, name], ports: [443], ...TIMES });
const secret = (name: string) => ({ name: "API_KEY", auth: null, hosts: [name, name], ...TIMES });
const toolkit = (name: string) => ({
  ...{ id: `kit_${ID}`, name, provider: name, credential: null, tools: [], ...TIMES },
});
const source = (name: string) => ({
  ...{ id: `src_${ID}`, name, kind: "handler", url: name, signingSecret: name, include: [name], exclude: [name] },
  ...{ defaults: {}, overrides: {}, onChange: "hold", status: "ready", statusAt: AT, generation: 1, ...TIMES },
  ...{ syncIntervalSeconds: 900, syncedAt: null, nextSyncAt: AT },
  ...{ reason: { code: name, message: name }, toolCounts: { published: 1, accepted: 1, held: 0, removed: 0 } },
  tools: [
    {
      ...{ name, toolName: name, state: "new", isOffered: false, hash: null, acceptedHash: null },
      ...{ sideEffect: null, risk: null },
    },
  ],
});
const template = (name: string) => ({
  ...{ id: name, service: name, title: name, source: name, credential: null, settings: [], tools: [] },
});
const handler = { name: NAME, description: "x", parameters: { type: "object" }, handler: "https://a.example/" };
const tool = (name: string) => ({
  ...{ id: `tool_${ID}`, version: 1, name: NAME, kind: "handler", capabilityKey: name, definition: handler },
  ...{ status: "draft", toolkitId: null, slots: 1, warnings: [], lastTest: null, ...TIMES },
});

describe.each<[string, readonly string[], (name: string) => object]>([
  ["agents", ["agents", "list"], agent],
  ["approvals", ["approvals", "list"], approval],
  ["integrations", ["integrations", "list"], integration],
  ["secrets", ["secret", "list"], secret],
  ["toolkits", ["toolkits", "list"], toolkit],
  ["tool sources", ["sources", "list"], source],
  ["templates", ["tools", "templates"], template],
  ["tools", ["tools", "list"], tool],
])("the list of %s", (_what, list, resource) => {
  it("has one line for each, and nothing in it that can't be seen", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 4 }), async (names) => {
        const printed = await print(list, { data: names.map(resource), nextCursor: null });
        expect(printed.split("\n")).toHaveLength(1 + names.length);
        expect(printed.replaceAll("\n", "")).not.toMatch(UNSEEN);
      }),
      { numRuns: 60 },
    );
  });
});

it("an approval that is shown has the lines of its fields, whatever they hold", async () => {
  const lines = async (name: string) => {
    const printed = await print(["approvals", "show", `apr_${ID}`], approval(name));
    expect(printed.replaceAll("\n", "")).not.toMatch(UNSEEN);
    return printed
      .split("\n")
      .map((line) => /^\w*/.exec(line)?.[0] ?? "")
      .slice(0, 13);
  };
  const expected = await lines("x");
  expect(expected).toContain("hash");
  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      expect(await lines(name)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

it("a source that is shown has the lines of its fields, whatever they hold", async () => {
  const lines = async (name: string) => {
    const printed = await print(["sources", "show", `src_${ID}`], source(name));
    expect(printed.replaceAll("\n", "")).not.toMatch(UNSEEN);
    return printed.split("\n").length;
  };
  const expected = await lines("x");
  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      expect(await lines(name)).toBe(expected);
    }),
    { numRuns: 60 },
  );
});

it("the texts of a tool to review are indented, and only its own heading is not", async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      const definition = (text: string) => ({
        ...{ name: text, description: text, usageNotes: text, [text]: text },
        parameters: { type: "object", properties: { [text]: { description: text } }, [text]: text },
      });
      const change = (before: string | null) => ({
        ...{
          name,
          toolName: name,
          state: before === null ? "new" : "changed",
          isLaxer: true,
          isGeneratorChanged: true,
        },
        ...{ hash: HASH, acceptedHash: null, before: before === null ? null : definition(before) },
        ...{ after: definition(name), conflict: { code: name, message: name } },
      });
      for (const before of [null, "x", `${name}y`]) {
        const printed = describeChange(toolChangeSchema.parse(change(before)), true);
        const [, ...lines] = printed.split("\n");
        expect(lines.filter((line) => !/^[ +-] /.test(line))).toEqual([]);
        expect(printed.replaceAll("\n", "")).not.toMatch(UNSEEN);
      }
    }),
    { numRuns: 60 },
  );
});

it("what is used of quotas has its lines, whatever the plan is called", async () => {
  const quota = { used: 1, limit: 2, countedBy: "workspace" };
  const usage = (plan: string) => ({ workspaceId: `ws_${ID}`, plan, quotas: { agents: quota } });
  await fc.assert(
    fc.asyncProperty(hostile, async (plan) => {
      const printed = await print(["usage"], usage(plan));
      expect(printed.split("\n").map((line) => line.split(" ")[0])).toEqual([
        ...[`ws_${ID},`, "", "QUOTA", "agents", "", "*"],
      ]);
      const json = await print(["usage", "--json"], usage(plan));
      expect((printed + json).replaceAll("\n", "")).not.toMatch(UNSEEN);
    }),
    { numRuns: 60 },
  );
});

it("an error that no code explains shows what a server said of it", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    printError(new YagateError("INTERNAL", "gone\u001b[2J\u202e"), "usage", {});
    const text = String(log.mock.calls[0]?.[0]);
    expect(text).toContain("gone\\u001b[2J\\u202e");
    expect(text.replaceAll("\n", "")).not.toMatch(UNSEEN);
  } finally {
    log.mockRestore();
    process.exitCode = 0;
  }
});

it("columns stand below each other, also after letters of two columns and marks of none", async () => {
  const names = ["shop", "注文係", "Việt".normalize("NFD"), "👩\u200d💻"];
  const printed = await print(["tools", "templates"], { data: names.map(template), nextCursor: null });
  expect(printed).toBe(
    [
      "ID      SERVICE  TOOLS  CREDENTIAL  TITLE",
      "shop    shop     0      -           shop",
      "注文係  注文係   0      -           注文係",
      `${"Việt".normalize("NFD")}    ${"Việt".normalize("NFD")}     0      -           ${"Việt".normalize("NFD")}`,
      "👩\u200d💻      👩\u200d💻       0      -           👩\u200d💻",
    ].join("\n"),
  );
});

/** Everything that a command prints, without the line break at its end. */
async function print(words: readonly string[], response: unknown): Promise<string> {
  answer = response;
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await runProgram(words);
    return log.mock.calls.map(([text]) => String(text)).join("\n");
  } finally {
    log.mockRestore();
  }
}

const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0]|[\u{e0100}-\u{e01ef}]|\p{M}{6}/u;

/** Names as attackers choose them: rows of their own, commands of terminals, and what nobody sees. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\n",
        "\r",
        "\u2028",
        "\u2029",
        "\u0085",
        "\v",
        "\f",
        "\u001b[2K",
        "\u001b]8;;x\u0007",
        "\u009b1A",
      ),
      fc.constantFrom("\u202e", "\u2066", "\u200b", "\u3164", "\u115f", "\u2800", "\ufe0f", "\u{e0100}", "\u{e0041}"),
      fc.constantFrom(
        `\napr_${ID}  pending  x`,
        "     ",
        "\u00a0\u2003",
        "Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306",
      ),
      fc.string({ unit: "binary", minLength: 1, maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(""));
