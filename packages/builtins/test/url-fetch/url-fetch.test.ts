import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { BuiltinTool } from "../../src/builtin-tool.ts";
import { builtinContext } from "../builtin-context.ts";
import { loopbackTool, sendAs, startSite } from "./loopback-tool.ts";

const NONCE = "00112233445566778899aabbccddeeff";
const tool = loopbackTool(() => NONCE);

const pageSchema = z.looseObject({
  content: z.string(),
  totalCharacters: z.number(),
  offset: z.number(),
  nextOffset: z.number().optional(),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});

function contextNow(more = {}) {
  return builtinContext({ now: Date.now, deadline: Date.now() + 20_000, ...more });
}

async function run(parameters: Record<string, unknown>, on: BuiltinTool = tool) {
  return on.execute(parameters, contextNow());
}

async function read(parameters: Record<string, unknown>, on: BuiltinTool = tool) {
  const outcome = await run(parameters, on);
  if (!("result" in outcome)) throw new Error(`expected a page: ${JSON.stringify(outcome)}`);
  return pageSchema.parse(outcome.result);
}

function configured(config: Parameters<NonNullable<BuiltinTool["configure"]>>[0]): BuiltinTool {
  const made = tool.configure?.(config);
  if (made === undefined || !("tool" in made)) throw new Error(`expected a tool: ${JSON.stringify(made)}`);
  return made.tool;
}

const inner = (content: string) => content.split("\n").slice(1, -1).join("\n");

const ARTICLE = `<!doctype html><html lang="de-CH"><head><title>Der Berg</title>
<meta name="author" content="Ada Muster"><meta property="og:site_name" content="Alpenblatt">
<meta property="article:published_time" content="2026-03-01T08:00:00Z"><link rel="canonical" href="/berg">
</head><body><nav><a href="/">Start</a></nav><main><article><h1>Der Berg</h1>
<p>${"Der Berg steht seit langer Zeit an seinem Ort und bewegt sich nicht. ".repeat(8)}</p>
<p>Mehr dazu im <a href="/archiv?jahr=2025">Archiv</a>.</p></article></main></body></html>`;

describe("a page", () => {
  it("comes with what it says of itself, framed and marked as untrusted", async () => {
    const base = await startSite(sendAs("text/html; charset=utf-8", ARTICLE));
    const page = await read({ url: `${base}/berg`, links: true });
    expect(page).toMatchObject({
      url: `${base}/berg`,
      status: 200,
      format: "html",
      bytes: Buffer.byteLength(ARTICLE),
      title: "Der Berg",
      byline: "Ada Muster",
      siteName: "Alpenblatt",
      publishedAt: expect.stringMatching(/^2026-03-01T08:00:00/),
      canonicalUrl: `${base}/berg`,
      language: "de-CH",
      source_untrusted: true,
      warnings: [],
      offset: 0,
      links: expect.arrayContaining([{ text: "Archiv", url: `${base}/archiv?jahr=2025` }]),
    });
    expect(page["fetchedAt"]).toMatch(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
    expect(page.content.startsWith(`[begin untrusted content ${NONCE}]\n`)).toBe(true);
    expect(page.content.endsWith(`\n[end untrusted content ${NONCE}]`)).toBe(true);
    expect(page.content).toContain("Der Berg steht seit langer Zeit");
    expect(page).not.toHaveProperty("nextOffset");
  });

  it.each<[string, string, string, string]>([
    ["plain text", "text/plain", "Zeile 1\nZeile 2", "text"],
    ["JSON", "application/json", '{"a":[1,2]}', "json"],
    ["CSV", "text/csv", "name,age\nAda,36\n", "csv"],
    [
      "a feed",
      "application/rss+xml",
      '<rss version="2.0"><channel><title>News</title><link>https://a.test/</link><description>d</description><item><title>One</title><link>https://a.test/1</link></item></channel></rss>',
      "feed",
    ],
  ])("may be %s", async (_name, type, body, format) => {
    const base = await startSite(sendAs(type, body));
    expect(await read({ url: base })).toMatchObject({ format, source_untrusted: true });
  });

  it("that is a picture is none", async () => {
    const base = await startSite(sendAs("image/png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0])));
    expect(await run({ url: base })).toMatchObject({ error: { code: "INVALID_RESPONSE", retryable: false } });
  });
});

describe("a long text", () => {
  const text = Array.from({ length: 9_000 }, (_, index) => `line ${index}: the quick brown fox`).join("\n");

  it("comes in pieces that join to the whole, all of the text as it was first fetched", async () => {
    let requests = 0;
    const base = await startSite((request, response) => {
      requests += 1;
      sendAs("text/plain", text)(request, response);
    });
    let joined = "";
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const page = await read({ url: base, offset, maxCharacters: 40_000 });
      expect(page.offset).toBe(offset);
      if (offset > 0) expect(page["ageSeconds"]).toBeGreaterThanOrEqual(0);
      joined += inner(page.content);
      expect(page.totalCharacters).toBe(text.length);
      expect(joined).toHaveLength(page.nextOffset ?? text.length);
      offset = page.nextOffset;
    }
    expect(joined).toBe(text);
    expect(requests).toBe(1);
  });

  it("is never so long as JSON that the model would read a preview of it", async () => {
    const hard = '"\\</tool_response>'.repeat(20_000);
    const base = await startSite(sendAs("text/plain", hard));
    const page = await read({ url: base, maxCharacters: 40_000 });
    expect(JSON.stringify(page).replaceAll("tool_response", "tool_response.....").length).toBeLessThan(50_000);
    expect(page.content.endsWith(`[end untrusted content ${NONCE}]`)).toBe(true);
    expect(page.nextOffset).toBeGreaterThan(1_000);
  });

  it("is fetched anew by another execution", async () => {
    let requests = 0;
    const base = await startSite((request, response) => {
      requests += 1;
      sendAs("text/plain", text)(request, response);
    });
    await tool.execute({ url: base }, contextNow({ executionId: "exec_a" }));
    await tool.execute({ url: base, offset: 10 }, contextNow({ executionId: "exec_b" }));
    expect(requests).toBe(2);
  });

  it("has an end, past which nothing is", async () => {
    const base = await startSite(sendAs("text/plain", "short"));
    expect(await run({ url: base, offset: 5 })).toMatchObject({
      error: { code: "INVALID_ARGUMENTS", retryable: true },
    });
  });
});

describe("an agent's configuration", () => {
  const problemsOf = (config: Parameters<NonNullable<BuiltinTool["configure"]>>[0]) => {
    const made = tool.configure?.(config);
    return made !== undefined && "problems" in made ? made.problems.map(({ path }) => path) : [];
  };

  it.each<[Record<string, string | number | boolean | readonly string[]>, readonly string[]]>([
    [{}, []],
    [{ allowedDomains: ["example.com", "docs.bücher.example"], maxCharacters: 500, respectRobots: true }, []],
    [{ allowedDomains: [] }, ["allowedDomains"]],
    [{ allowedDomains: ["https://example.com"] }, ["allowedDomains[0]"]],
    [{ blockedDomains: ["*.example.com"] }, ["blockedDomains[0]"]],
    [{ maxCharacters: 100_000 }, ["maxCharacters"]],
    [{ respectRobots: "yes" }, ["respectRobots"]],
    [{ unknown: true }, ["unknown"]],
  ])("%j has problems at %j", (config, paths) => {
    expect(problemsOf(JSON.parse(JSON.stringify(config)))).toEqual(paths);
  });

  it.each(["allowedDomains", "blockedDomains"])("has up to 100 %s", (field) => {
    const domainsOf = (count: number) => Array.from({ length: count }, (_, index) => `d${index}.example`);
    expect([100, 101].map((count) => problemsOf({ [field]: domainsOf(count) }))).toEqual([[], [field]]);
  });

  it("sets maxCharacters from 500 to 40,000", () => {
    const problems = [499, 500, 40_000, 40_001].map((maxCharacters) => problemsOf({ maxCharacters }));
    expect(problems).toEqual([["maxCharacters"], [], [], ["maxCharacters"]]);
  });

  it.each<[string, readonly string[] | undefined, readonly string[], boolean]>([
    ["https://example.com/", ["example.com"], [], true],
    ["https://docs.example.com/", ["example.com"], [], true],
    ["https://EXAMPLE.com./", ["example.com"], [], true],
    ["https://notexample.com/", ["example.com"], [], false],
    ["https://example.com.evil.test/", ["example.com"], [], false],
    ["https://xn--bcher-kva.example/", ["bücher.example"], [], true],
    ["https://bad.example.com/", ["example.com"], ["bad.example.com"], false],
    ["https://x.bad.example.com/", undefined, ["bad.example.com"], false],
    ["https://good.example.com/", undefined, ["bad.example.com"], true],
  ])("%s, of %j without %j", async (url, allowedDomains, blockedDomains, isAllowed) => {
    const config = { ...(allowedDomains === undefined ? {} : { allowedDomains: [...allowedDomains] }) };
    const own = configured({ ...config, blockedDomains: [...blockedDomains] });
    const outcome = await run({ url }, own);
    // No test reaches such hosts: what passes the rules ends at their names.
    const message = "error" in outcome ? outcome.error.message : "";
    expect(/is not allowed; allowed:|is blocked/.test(message)).toBe(!isAllowed);
    if (!isAllowed) expect(outcome).toMatchObject({ error: { code: "URL_BLOCKED", retryable: false } });
  });

  it("names the allowed domains, to the model and in the error", async () => {
    const own = configured({ allowedDomains: ["example.com", "docs.example.org"] });
    expect(own.description).toContain("Only pages of these sites: example.com, docs.example.org.");
    expect(await run({ url: "https://evil.test/" }, own)).toMatchObject({
      error: { message: "host evil.test is not allowed; allowed: example.com, docs.example.org" },
    });
  });

  it("holds robots.txt up for every call", async () => {
    const base = await startSite((request, response) =>
      response.end(request.url === "/robots.txt" ? "User-agent: *\nDisallow: /" : "page"),
    );
    const own = configured({ respectRobots: true });
    expect(own.parameters["properties"]).not.toHaveProperty("respectRobots");
    expect(await run({ url: base }, own)).toMatchObject({ error: { code: "URL_BLOCKED" } });
    expect(await run({ url: base, respectRobots: true })).toMatchObject({ error: { code: "URL_BLOCKED" } });
    expect(await read({ url: base })).toMatchObject({ status: 200 });
  });
});
